// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In front of the optimiser of a compile step: what array of a structure an index chooses from is written into a type
/// that lasts until the link (facts/MemberArrays.h). Only of memory of which the link knows no type: variables keep theirs.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

class MarkArraysPass : public llvm::PassInfoMixin<MarkArraysPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace gnomon
