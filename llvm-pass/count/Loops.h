// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loops of a function, as the counters see them: in which of them counting in a register will
/// do, and how each tells the number of its iterations.
#pragma once

#include "count/Quiet.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

namespace gnomon::count {

/// A variable of a loop's header that starts at `start` and grows by `step` an iteration.
struct Induction {
  llvm::PHINode *variable = nullptr;
  llvm::Value *start = nullptr;
  int64_t step = 0;
};

class Loops {
public:
  Loops(llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, const Quiet &quiet);

  /// The outermost loop around a block in which no call looks at the counter; null when there is
  /// none.
  llvm::Loop *quietAround(const llvm::BasicBlock *block) const;
  /// Null when the loop is not quiet or has no such variable.
  const Induction *induction(const llvm::Loop *loop) const;
  llvm::Loop *around(const llvm::BasicBlock *block) const { return loops_.getLoopFor(block); }

private:
  void findInduction(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

  llvm::LoopInfo &loops_;
  llvm::DenseSet<const llvm::Loop *> quiet_;                 ///< looked up only
  llvm::DenseMap<const llvm::Loop *, Induction> inductions_; ///< looked up only
};

/// How often the loop's back edge has been taken when its variable has the value it has, as an i64.
llvm::Value *iterations(const Induction &induction, llvm::IRBuilder<> &builder);

} // namespace gnomon::count
