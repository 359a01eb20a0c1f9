// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pass gnomon-entry: hands the start of the program, and of each rank, to the runtime.
///
///     main               becomes gnomon.main; the new main calls
///                        gnomon_start(&record, argc, argv, envp)
///     constructors and   leave llvm.global_ctors and llvm.global_dtors for tables in the record,
///     destructors        because they run once per rank; libc calls only gnomon.register
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

struct EntryPass : llvm::PassInfoMixin<EntryPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
