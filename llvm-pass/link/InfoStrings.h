// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strings that are there to be read out of the linked file. Build systems learn what a compiler does
/// from a program that they build and never run: CMake's FortranCInterface reads which of the names
/// that Fortran may give a procedure was linked in.
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Keeps every constant string `INFO:word[text]`, CMake's form of what a built program tells, in the
/// linked file. The function that returns such a string is inlined at the link, and the string that
/// nobody looks at would go; without link-time optimisation both stay.
class InfoStringsPass : public llvm::PassInfoMixin<InfoStringsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace gnomon
