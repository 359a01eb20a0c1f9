// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of a part of a function: Σ over its blocks of (how often it runs) × (its length). How
/// often: in a loop, the count times the share of iterations that come to the block. A share is 1
/// at the header, goes whole to where a branch is certain to go, by the condition where that is
/// known before (then work contains a Holds), by the program's own hints (__builtin_expect), and in
/// halves otherwise. Ways out of a loop other than the counted one, and ways to an error's end, are
/// taken as not taken; what guards a loop against running zero times adds nothing to a count that
/// is 0 by itself.
#pragma once

#include "work/Counts.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <string>

namespace gnomon::work {

class Regions {
public:
  /// The work of a call's callee, to be added to the call's own length; nothing when not known.
  using CalleeWork =
      llvm::function_ref<std::optional<Polynomial>(llvm::CallBase &, const llvm::Loop *, Counts &)>;

  Regions(Algebra &algebra, Analyses analyses, Counts &counts, CalleeWork callee);

  /// All iterations of the loop, once entered.
  Polynomial nest(llvm::Loop &loop);
  /// The average iteration, the loops in it included.
  Polynomial iteration(llvm::Loop &loop);
  Polynomial function();

  /// What was left out, in the order in which it was met.
  llvm::ArrayRef<std::string> notes() const { return notes_; }
  unsigned countedLoops() const { return countedLoops_; }

private:
  using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;

  Polynomial blocks(llvm::Loop *region);
  Polynomial block(llvm::BasicBlock &block, const llvm::Loop *region);
  void leaveBlock(llvm::BasicBlock &block, const Polynomial &share, llvm::Loop *region);
  void leaveLoop(llvm::Loop &loop, const Polynomial &share);
  llvm::SmallVector<Polynomial, 2> split(llvm::Instruction &terminator,
                                         llvm::ArrayRef<llvm::BasicBlock *> ways,
                                         const llvm::Loop *region);
  bool isGuardOf(llvm::Value &condition, llvm::BasicBlock &way, llvm::Loop *region);
  llvm::Loop *loopBehind(llvm::BasicBlock &block, const llvm::Loop *region);

  Algebra &algebra_;
  Analyses analyses_;
  Counts &counts_;
  CalleeWork callee_;
  llvm::SmallVector<llvm::BasicBlock *, 32> order_; ///< of the function: reverse post-order
  /// Loops that are being summed over, outermost first, and their counts.
  llvm::SmallVector<std::pair<llvm::Loop *, std::optional<Polynomial>>, 4> open_;
  std::map<Edge, Polynomial> edges_; ///< shares; looked up only
  llvm::SmallVector<std::string, 2> notes_;
  unsigned countedLoops_ = 0;
};

} // namespace gnomon::work
