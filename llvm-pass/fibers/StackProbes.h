// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A frame larger than a page is entered page by page, so that a rank whose stack is too small
/// meets its guard page and is told so, instead of writing over the stack of another rank far
/// below.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Asks the code generator for inline stack probes (the function attribute `probe-stack`, what
/// -fstack-clash-protection gives in C) in every function, whatever language it came from. Frames
/// of less than a page cost nothing.
class StackProbesPass : public llvm::PassInfoMixin<StackProbesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
