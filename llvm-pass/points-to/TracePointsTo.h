// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-trace-points-to, for tests: prints the cells of each load and store under a
/// number, and makes the program say which loads see which stores. A load that sees a store with
/// which it shares no cell disproves the analysis (test/points-to has the other half).
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct TracePointsToPass : llvm::PassInfoMixin<TracePointsToPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
