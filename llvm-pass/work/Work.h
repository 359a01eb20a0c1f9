// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of a burst: how many instructions an instance will execute, known before it runs.
///
/// Trip counts from ScalarEvolution times the lengths of blocks, as IR in front of the burst. It is
/// the scaling function of Adve et al. (JPDC 62(3), 2002): the cost of an instance is the measured
/// cost per unit of work times the work of this instance, so that multigrid levels, triangular
/// loops and unequal ranks are told apart. It is an estimate: a wrong value costs accuracy, never
/// correctness, and whatever it reads is readable whether or not the burst runs.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <string>

namespace gnomon {

/// The works of whole functions, as expressions of their arguments and of globals. Computed when
/// first asked for and kept: ask (summarise) before a function's body is changed.
class FunctionWork {
public:
  explicit FunctionWork(llvm::FunctionAnalysisManager &analyses);
  ~FunctionWork();
  /// Computes the works of all of the module's functions. The analyses know nothing of loops' counts
  /// any more where \p isAskedAgain does not hold: in a large program that is a fifth of the memory.
  void summarise(llvm::Module &module,
                 llvm::function_ref<bool(const llvm::Function &)> isAskedAgain);

  struct Summaries;

private:
  friend class WorkBuilder;
  std::unique_ptr<Summaries> summaries_;
};

/// The work of an instance, where it begins.
struct InstanceWork {
  llvm::Value *number = nullptr;                   ///< an i64; null: not known, or by a formula
  llvm::GlobalVariable *formula = nullptr;         ///< of the runtime; null: none
  llvm::SmallVector<llvm::Value *, 4> inputs = {}; ///< of the formula, each an i64

  explicit operator bool() const { return number || formula; }
};

/// Estimated instructions of a region, before `position`: at most 2^62, at least 1. Counts that are
/// negative are taken as 0.
class WorkBuilder {
public:
  /// How what is no constant is said: all in IR, or as a formula if it fits into one.
  enum class Form : uint8_t { Code, Formula };

  /// Without \p callees a call of a defined function weighs as much as a call of an unknown one.
  WorkBuilder(llvm::Function &function, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution,
              llvm::DominatorTree &dominators, Form form, FunctionWork *callees = nullptr);
  ~WorkBuilder();

  /// The whole nest, entered from its preheader; \p position dominates the loop's header and is
  /// outside of it. Nothing when no count of its loops can be computed there.
  InstanceWork ofNest(llvm::Loop &loop, llvm::Instruction *position);

  /// Of all these nests together; \p position dominates the headers of all. Some may not be executed: they count.
  InstanceWork ofNests(llvm::ArrayRef<llvm::Loop *> loops, llvm::Instruction *position);

  /// One iteration of the loop's body; \p position is inside, behind the header's phis.
  InstanceWork ofIteration(llvm::Loop &loop, llvm::Instruction *position);

  /// A call of a defined function: its work as an expression of arguments and globals. Nothing when it
  /// is not defined, or when nothing but a constant that leaves loops out can be said.
  InstanceWork ofCall(llvm::CallBase &call, llvm::Instruction *position);

  /// What the last of the above left out: “the trip count of the loop at f.c:12 is not known before
  /// it runs”; empty when nothing was.
  std::string whyNot() const;
  /// The last of the above in words: “12 + 5*%n”. For tests:
  /// a value without a name costs a walk over the whole module.
  std::string expression() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// `gnomon-print-work`: prints, for each outermost loop, its body and each call of a defined
/// function, the work as an expression. For tests and for the curious.
class PrintWorkPass : public llvm::PassInfoMixin<PrintWorkPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gnomon
