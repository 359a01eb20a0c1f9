// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings of what a simulation cannot do: processes and threads of a rank's own, inline assembly
// that names a variable of which each rank has its own copy.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class CompilerInstance;
class Decl;
} // namespace clang

namespace gnomon {

/// Reports what `decls`, top-level declarations of user code, contain: what is worth a warning, and
/// what is only worth a remark (OpenMP regions).
void reportLimits(clang::CompilerInstance &compiler, llvm::ArrayRef<clang::Decl *> decls,
                  bool warnings, bool remarks);

} // namespace gnomon
