// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-privatize: one copy of every mutable global per rank.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct PrivatizePass : llvm::PassInfoMixin<PrivatizePass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
