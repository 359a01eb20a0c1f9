// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which loops of a function count in a register, and before which calls the register is emptied.
///
/// The register holds what has been counted and is not yet in memory. It is added there, and set to
/// nothing, wherever the loop is left. That is all for a loop in which no call looks at the counter
/// (Quiet.h). Where such calls stand on some ways round and not on others (an error that is
/// printed, a buffer that is sent when it is full), the register is emptied before each of them:
/// they find in memory what they would have found without registers, and nothing has to be read
/// back after.
///
/// Hooks of bursts are none of these calls: they are told what the register holds (BurstEnds.h).
///
/// A loop with such calls is taken, outermost first, when
///   - some way round meets none of them: otherwise the call's own time is paid in each iteration;
///   - the register is estimated to be emptied at most EmptyingsForRaise times as often as memory
///     would be raised otherwise: a call that looks takes longer than a raise;
///   - it is not emptied in more places than memory would be raised in, or in few;
///   - the function calls nothing that returns twice.
/// Any loop is left as it is when on one of its exits no code can be put, and the register may hold
/// something there. Cycles with several entries are no loops here: they count in memory, or in the
/// register of a loop around them.
///
/// What is seen in memory fixes the potentials P (Plan.h) wherever somebody looks; inside of a loop
/// with a register nobody does. So it has a tree of its own there, with potentials Q that agree
/// with P at the loop's head: the heaviest edges again, but ways round that are not looked at
/// first, and never a back edge that an induction variable multiplies. Edges inside raise the
/// register by Q's differences; what goes to memory from a block b, on an exit or before a call, is
/// Q(b) − P(b) more than the register holds: b's shift.
///
/// An inner loop that goes round n times, a number known before the loop with the register begins
/// (KnownCounts.h), adds n times what its back edge raises, on whatever way it is left: the edges
/// that leave it are so much longer for Q, and raise by nothing if they are on the tree. The tree
/// connects the blocks of such a loop first, so that its back edge raises by what stands inside. Of
/// a nest of such loops nothing is left to raise but for the outermost back edge.
///
/// Worked example: in a loop over cells, whose blocks take 5, one of n iterations of 3 instructions,
/// and behind it, where some datum is negative, a block of 2: each cell raises by 5 + 3 n, the edge
/// to the block by 2.
#pragma once

#include "count/KnownCounts.h"
#include "count/Loops.h"
#include "count/Plan.h"
#include "count/Quiet.h"

namespace gnomon::count {

struct Emptying {
  llvm::CallBase *before = nullptr;
  Amount shift;
};

class Registers {
public:
  Registers() = default;
  /// None: all raises go to memory.
  explicit Registers(const Plan &plan) : edges_(plan.edges()) {}
  /// \p plan: of the function, with its raises, which rest on \p lengthOf.
  Registers(const llvm::Function &function, const Loops &loops, const Quiet &quiet,
            const Plan &plan, llvm::function_ref<int64_t(const llvm::BasicBlock &)> lengthOf,
            KnownCounts &counts);

  /// The loop around \p loop, or itself, that counts in a register; null when there is none.
  const llvm::Loop *around(const llvm::Loop *loop) const;
  /// What the loop counts is raised outside of it, as it is known there.
  bool isKnown(const llvm::Loop *loop) const { return known_.contains(loop); }
  /// How often the back edge of another loop is taken, when it is left: a place in the counts.
  std::optional<unsigned> iterations(const llvm::Loop *loop) const {
    auto place = iterations_.find(loop);
    return place == iterations_.end() ? std::nullopt : std::optional(place->second);
  }
  /// The loop that counts in a register is estimated to be come to so often.
  double entered(const llvm::Loop *loop) const { return entered_.lookup(loop); }
  /// Calls, each with what memory is to be raised by beyond what the register holds.
  llvm::ArrayRef<Emptying> emptyings() const { return emptyings_; }
  /// Hooks of bursts in loops that count in a register, each with what they are told beyond that.
  llvm::ArrayRef<Emptying> hooks() const { return hooks_; }
  /// The plan's, with raises of the register inside of the loops, of memory outside.
  llvm::ArrayRef<Edge> edges() const { return edges_; }

private:
  void findIterations(const llvm::Loop &loop, const Loops &loops, KnownCounts &counts);
  void take(const llvm::Loop &loop, llvm::function_ref<Amount(llvm::BasicBlock *)> shift);

  llvm::DenseSet<const llvm::Loop *> taken_; ///< none inside of another; looked up only
  llvm::DenseSet<const llvm::Loop *> known_; ///< inside of those; looked up only
  llvm::DenseMap<const llvm::Loop *, unsigned> iterations_; ///< looked up only
  llvm::DenseMap<const llvm::Loop *, double> entered_;      ///< looked up only
  llvm::SmallVector<Emptying, 8> emptyings_, hooks_;
  llvm::SmallVector<Edge, 16> edges_;
};

} // namespace gnomon::count
