// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refuses, by name, what would link and then go wrong without a word that helps.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// The whole program: sanitizers whose runtime must own the process, and -static.
struct RefuseUnsupportedPass : llvm::PassInfoMixin<RefuseUnsupportedPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

/// Every module of a link with -flto=thin, in which there is no moment at which the whole program
/// is one module. (At -O0 its pipeline has no extension point at all; then the runtime finds no
/// record and says so.)
struct RefuseThinLtoPass : llvm::PassInfoMixin<RefuseThinLtoPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gnomon
