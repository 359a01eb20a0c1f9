// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loops of a function, as the counters see them: in which of them no call looks at the
/// counter, and how each of those tells the number of its iterations.
#pragma once

#include "count/Quiet.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

namespace gnomon::count {

struct Edge;

/// From the loop's latch to its head.
bool isBackEdge(const Edge &edge, const llvm::Loop &loop);

/// A variable of a loop's header that starts at `start` and grows by `step` an iteration.
struct Induction {
  llvm::PHINode *variable = nullptr;
  llvm::Value *start = nullptr;
  int64_t step = 0;
  bool looked = false; ///< calls in the loop look at the counter
};

class Loops {
public:
  Loops(llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution, const Quiet &quiet);

  /// No call in the loop looks at the counter, but for hooks of bursts, which are told.
  bool isQuiet(const llvm::Loop *loop) const { return quiet_.contains(loop); }
  /// Null when the loop has no such variable, or is left where it cannot be asked.
  const Induction *induction(const llvm::Loop *loop) const;
  llvm::Loop *around(const llvm::BasicBlock *block) const { return loops_.getLoopFor(block); }
  llvm::ArrayRef<llvm::Loop *> outermost() const { return loops_.getTopLevelLoops(); }

private:
  void findInduction(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

  llvm::LoopInfo &loops_;
  llvm::DenseSet<const llvm::Loop *> quiet_;                 ///< looked up only
  llvm::DenseMap<const llvm::Loop *, Induction> inductions_; ///< looked up only
};

/// Who asks for a number of iterations: the program's own code, or what is seldom come to, such as a
/// hook.
enum class Asked { ByCode, Seldom };

/// How often the loop's back edge has been taken when its variable has the value it has, as an i64.
llvm::Value *iterations(const Induction &induction, llvm::IRBuilder<> &builder,
                        Asked asked = Asked::ByCode);

/// The same value, of which the optimiser does not see where it comes from: it would keep multiples
/// of it in the loop, or before it, so that they are at hand in a place that is seldom reached.
llvm::Value *opaque(llvm::Value *value, llvm::IRBuilder<> &builder);

} // namespace gnomon::count
