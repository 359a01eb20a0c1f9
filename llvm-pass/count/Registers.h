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
#pragma once

#include "count/Loops.h"
#include "count/Plan.h"
#include "count/Quiet.h"

namespace gnomon::count {

struct Emptying {
  llvm::CallBase *before = nullptr;
  int64_t shift = 0;
};

class Registers {
public:
  Registers() = default;
  /// None: all raises go to memory.
  explicit Registers(const Plan &plan) : edges_(plan.edges()) {}
  /// \p plan: of the function, with its raises, which rest on \p lengthOf.
  Registers(const llvm::Function &function, const Loops &loops, const Quiet &quiet,
            const Plan &plan, llvm::function_ref<int64_t(const llvm::BasicBlock &)> lengthOf);

  /// The loop around \p loop, or itself, that counts in a register; null when there is none.
  const llvm::Loop *around(const llvm::Loop *loop) const;
  /// Calls, each with what memory is to be raised by beyond what the register holds.
  llvm::ArrayRef<Emptying> emptyings() const { return emptyings_; }
  /// Hooks of bursts in loops that count in a register, each with what they are told beyond that.
  llvm::ArrayRef<Emptying> hooks() const { return hooks_; }
  /// The plan's, with raises of the register inside of the loops, of memory outside.
  llvm::ArrayRef<Edge> edges() const { return edges_; }

private:
  void take(const llvm::Loop &loop, llvm::function_ref<int64_t(llvm::BasicBlock *)> shift);

  llvm::DenseSet<const llvm::Loop *> taken_; ///< none inside of another; looked up only
  llvm::SmallVector<Emptying, 8> emptyings_, hooks_;
  llvm::SmallVector<Edge, 16> edges_;
};

} // namespace gnomon::count
