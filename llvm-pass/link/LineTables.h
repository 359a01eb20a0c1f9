// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Code generation of programs with lines of source and no variables in their debug information, which
/// is what the flag asks for (-gline-tables-only).
#pragma once

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// Where no function of the module describes a variable, has LLVM use its older tracker of variables
/// (-mllvm -experimental-debug-variable-locations=false). The newer one computes what each register
/// and stack slot holds in every block of the program before it finds no variable to look for: a tenth
/// of AMG's link and 135 of its 377 MB. The code that comes out is the same. A user's own -mllvm
/// option, and a program with variables (-g), are left as they are.
struct LineTablesPass : llvm::PassInfoMixin<LineTablesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // also at -O0
};

} // namespace gnomon
