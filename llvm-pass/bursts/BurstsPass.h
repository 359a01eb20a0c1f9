// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon-bursts`: finds the program's CPU bursts, decides which of them may be skipped, and
/// changes the program so that the runtime can skip them.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

class BurstsPass : public llvm::PassInfoMixin<BurstsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace gnomon
