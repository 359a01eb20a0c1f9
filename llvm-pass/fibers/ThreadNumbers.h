// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank that comes back from MPI outside of parallel regions may be another thread to OpenMP's
/// runtime than before (process/ranks/OpenMp.h). Compilers ask for the number of the thread once, at the
/// begin of a function, and hand it to the runtime with the clauses num_threads and if, and with
/// critical sections and loops: those would act on the region of another rank.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Asks for the number (__kmpc_global_thread_num) anew wherever it is used. Runs last, or the
/// optimiser would take the calls together again.
class ThreadNumbersPass : public llvm::PassInfoMixin<ThreadNumbersPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
