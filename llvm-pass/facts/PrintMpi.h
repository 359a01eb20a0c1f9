// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-print-mpi: prints what MpiRoles says of each MPI call of the module. For tests,
/// and for whoever wonders why a call is taken for what it is.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct PrintMpiPass : llvm::PassInfoMixin<PrintMpiPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also on functions marked optnone
};

} // namespace gnomon
