// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts a function's raises into its code.
#pragma once

#include "count/Loops.h"
#include "count/Plan.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"

namespace gnomon::count {

class Counters {
public:
  Counters(llvm::Function &function, const Loops &loops, llvm::GlobalVariable &counter);

  /// Raises on edges, and \p base at the entry. The function's control flow is as it was when the
  /// loops were found.
  void place(llvm::ArrayRef<Edge> edges, int64_t base);
  /// Each block's length at its head, and nothing else.
  void placeInBlocks(llvm::ArrayRef<std::pair<llvm::BasicBlock *, int64_t>> lengths);
  /// True when the function has come to write the counter.
  bool wrote() const { return wrote_; }

private:
  struct Raise;
  Raise raiseOn(const Edge &edge, llvm::ArrayRef<Edge> edges) const;
  llvm::Instruction *placeOn(const Edge &edge);
  void emit(const Raise &raise, llvm::IRBuilder<> &builder);
  void raiseBy(llvm::Value *amount, bool inRegister, llvm::IRBuilder<> &builder);
  void placeMoves(bool inRegisters);
  void promote();

  llvm::Function &function_;
  const Loops &loops_;
  llvm::GlobalVariable &counter_;
  llvm::AllocaInst *accumulator_ = nullptr; ///< what quiet loops have counted and not yet added
  bool wrote_ = false;
};

/// What a memcpy or the like is counted for beyond its length: known when it is compiled.
int64_t constantMove(const llvm::CallBase &call);

} // namespace gnomon::count
