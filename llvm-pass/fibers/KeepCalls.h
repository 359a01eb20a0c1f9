// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two identical MPI calls in one function stay two calls, so that reports of deadlocks and crashes
/// name the line of the one that was made.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Marks every call of an MPI function `nomerge`: the optimiser and the code generator's branch
/// folding then keep it apart from its equals. In C and C++ mpi.h says so from the start; Fortran
/// has no such word, so what its compile step has already merged stays merged.
class KeepCallsPass : public llvm::PassInfoMixin<KeepCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
