// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-mpi-use: at the link, lists the MPI functions that the program uses and Gnomon
/// lacks, with the line of the first use. They link all the same; a run that calls one stops there
/// and names it.
///
/// The list is data of the installation, written by the generator of the MPI interface:
/// share/gnomon/mpi-unsupported.txt, seen from the plugin (lib/gnomon). The environment variable
/// GNOMON_MPI_UNSUPPORTED names another file, for tests.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct MpiUsePass : llvm::PassInfoMixin<MpiUsePass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
