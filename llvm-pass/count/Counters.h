// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts a function's raises into its code.
#pragma once

#include "count/Loops.h"
#include "count/Plan.h"
#include "count/Registers.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"

namespace gnomon::count {

class Counters {
public:
  /// \p counts: of the registers, computed.
  Counters(llvm::Function &function, const Loops &loops, const Registers &registers,
           const KnownCounts &counts, llvm::GlobalVariable &counter);

  /// The raises of `registers`, and \p base at the entry. The function's control flow is as it was
  /// when the loops were found.
  void place(int64_t base);
  /// Each block's length at its head, and nothing else.
  void placeInBlocks(llvm::ArrayRef<std::pair<llvm::BasicBlock *, int64_t>> lengths);
  /// True when the function has come to write the counter.
  bool wrote() const { return wrote_; }

private:
  struct Raise;
  Raise raiseOn(const Edge &edge) const;
  void addLoop(Raise &raise, const llvm::Loop &loop, std::optional<unsigned> known) const;
  llvm::Instruction *placeOn(const Edge &edge);
  llvm::Value *amountOf(const Raise &raise, llvm::IRBuilder<> &builder,
                        Asked asked = Asked::ByCode) const;
  Asked askedBy(const Raise &raise) const;
  llvm::Value *valueOf(const Amount &amount, llvm::IRBuilder<> &builder, Asked asked) const;
  llvm::Value *amountAhead(const llvm::CallBase &call, const Amount &shift,
                           llvm::IRBuilder<> &builder, Asked asked) const;
  void emit(const Raise &raise, llvm::IRBuilder<> &builder);
  void raiseBy(llvm::Value *amount, bool inRegister, llvm::IRBuilder<> &builder);
  const Induction *multiplied(const llvm::Loop *loop) const;
  bool mayJoin(const Raise &raise) const;
  void joinRaises(llvm::SmallVectorImpl<Raise> &raises);
  void placeMoves();
  void placeEmptyings();
  void placePending();
  void promote();

  llvm::Function &function_;
  const Loops &loops_;
  const Registers &registers_;
  const KnownCounts &counts_;
  llvm::GlobalVariable &counter_;
  llvm::AllocaInst *accumulator_ = nullptr; ///< what has been counted and is not yet in memory
  bool wrote_ = false;
};

} // namespace gnomon::count
