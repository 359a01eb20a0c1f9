// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// While the link optimises, each function reaches the counter by a pointer of its own.
///
/// LLVM's promotion of memory to registers (LICM) walks over all uses of a pointer for each loop that
/// writes through it, those in other functions included. The counter is written in most loops of the
/// module, so this walk was quadratic: two thirds of the link of a library of 200,000 lines. A pointer
/// in the function has the function's uses only. It is what llvm.threadlocal.address gives, since
/// alias analysis sees through that and nothing folds it away; no thread-local variable is left.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// After the counters are placed, before any optimisation.
class GiveCounterPointersPass : public llvm::PassInfoMixin<GiveCounterPointersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// After all optimisations, before anything asks where the counter is.
class TakeCounterPointersPass : public llvm::PassInfoMixin<TakeCounterPointersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
