// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fortran passes an internal procedure that uses its host's variables as the address of a few
/// instructions, which the compiler has the program write onto its stack. A rank's stack is not
/// executable, and lld refuses code that wants it to be.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Has the runtime make the instructions, in memory of its own. Runs last: the optimiser turns what
/// it can into plain calls.
class TrampolinesPass : public llvm::PassInfoMixin<TrampolinesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
