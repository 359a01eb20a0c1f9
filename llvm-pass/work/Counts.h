// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What can be said, at one position of a function, of values that the program computes behind it:
/// trip counts, bounds behind pointers, conditions. SCEV expressions and values become polynomials
/// of what is available at the position.
#pragma once

#include "work/Algebra.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace gnomon::work {

/// The analyses of one function.
struct Analyses {
  llvm::Function &function;
  llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
  llvm::DominatorTree &dominators;
};

class Counts {
public:
  /// \p forCallers: leaves may be what only a caller can say (needsCaller).
  Counts(Algebra &algebra, Analyses analyses, llvm::Instruction *position, bool forCallers = false);

  /// How often the body of the loop runs each time it is entered, from the last computable exit
  /// that bounds it; nothing when none is. May mention the iterations of loops that are open.
  std::optional<Polynomial> ofLoop(llvm::Loop &loop);
  /// \p scope: the loop in which the value is used, null outside of all.
  std::optional<Polynomial> ofValue(llvm::Value *value, const llvm::Loop *scope);
  /// 1 when a condition holds, 0 otherwise.
  std::optional<Polynomial> ofCondition(llvm::Value *condition, const llvm::Loop *scope);

  /// A callee's atom that needsCaller, as something of this function where it calls. Nothing when
  /// it cannot be had at the position.
  std::optional<Polynomial> ofCalleesLeaf(const Atom &atom, llvm::CallBase &call,
                                          const llvm::Loop *scope);

  /// Between the two, iterations of the loop may appear in polynomials.
  void open(llvm::Loop &loop) { open_.push_back(&loop); }
  void close() { open_.pop_back(); }

private:
  std::optional<Polynomial> ofScev(const llvm::SCEV *expression, const llvm::Loop *scope);
  std::optional<Polynomial> translate(const llvm::SCEV *expression, const llvm::Loop *scope);
  std::optional<Polynomial> ofOperands(const llvm::SCEV *expression, const llvm::Loop *scope);
  std::optional<Polynomial> ofRecurrence(const llvm::SCEVAddRecExpr &recurrence,
                                         const llvm::Loop *scope);
  std::optional<Polynomial> ofIteration(const llvm::Loop &loop);
  std::optional<Polynomial> ofUnknown(llvm::Value *value, const llvm::Loop *scope);
  std::optional<Polynomial> ofInstruction(llvm::Instruction &instruction, const llvm::Loop *scope);
  std::optional<Polynomial> ofPhi(llvm::PHINode &phi);
  std::optional<Polynomial> ofExit(llvm::Loop &loop, llvm::BasicBlock *exiting);
  std::optional<Polynomial> ofDoublingExit(llvm::Loop &loop, llvm::BasicBlock &exiting);

  const Atom *load(llvm::Value *pointer, int64_t offset, llvm::Type *type,
                   llvm::Instruction &reader, bool certain);
  const Atom *loadOfElement(llvm::Value *pointer, llvm::Type *type, const llvm::Loop *scope);
  const Atom *pointer(llvm::Value *value, llvm::Instruction &reader);
  const Atom *loadForCaller(const Atom &atom, llvm::CallBase &call, int64_t offset,
                            llvm::function_ref<llvm::Value *(const Atom &)> actual);
  /// What \p value is known by at the position; null: it is not known there.
  llvm::Value *available(llvm::Value *value) const;
  bool isReadable(const Atom &base, int64_t offset, uint64_t bytes);
  bool mustExecute(llvm::Instruction &instruction) const;

  Algebra &algebra_;
  Analyses analyses_;
  llvm::Instruction *position_;
  llvm::SmallVector<const llvm::Loop *, 4> open_;
  llvm::SmallPtrSet<const llvm::PHINode *, 4> phis_; ///< on the way
  unsigned depth_ = 0;                               ///< of recursion
  bool forCallers_;
};

/// Whether an atom means something in its function only: its arguments, loads of what they point
/// to, and loads through pointers that were loaded.
bool needsCaller(const Atom &atom);

} // namespace gnomon::work
