// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A frame larger than the guard below a stack is entered in steps of that size, so that a rank
/// whose stack is too small meets its guard and is told so, instead of writing over the stack of
/// another rank far below.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Asks the code generator for inline stack probes (the function attribute `probe-stack`, what
/// -fstack-clash-protection gives in C) in every function, whatever language it came from. Frames
/// of less than GNOMON_STACK_GUARD_BYTES cost nothing.
class StackProbesPass : public llvm::PassInfoMixin<StackProbesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
