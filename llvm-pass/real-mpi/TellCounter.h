// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What becomes of the counter of instructions (count/Count.h) in a program that is linked with a
/// real MPI to be traced (`gnomon --trace-flag`): a constructor tells its address to the library
/// that traces, a destructor takes it back. The library may be preloaded or not be there at all, so
/// both look for it by name when they run (dlsym), and do nothing when they do not find it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// After all optimisations, behind ShowRaisesPass.
class TellCounterPass : public llvm::PassInfoMixin<TellCounterPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
