// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-print-points-to, for tests and for who wonders: each instruction that touches
/// memory with its cells, each call with its callees.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct PrintPointsToPass : llvm::PassInfoMixin<PrintPointsToPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
