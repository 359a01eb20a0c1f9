// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-print-overrides: reads what users say of bursts (Overrides.h), which cuts marked
/// statements out, and prints it. For tests.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct PrintOverridesPass : llvm::PassInfoMixin<PrintOverridesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also on functions marked optnone
};

} // namespace gnomon
