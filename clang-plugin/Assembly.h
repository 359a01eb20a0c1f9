// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables assembly reaches by their link-time address: an address that cannot depend on the
// rank. The pass keeps such a variable shared (llvm-pass/privatise/AsmUses.h), by the same rules as here.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class FileScopeAsmDecl;
class GCCAsmStmt;
class VarDecl;
} // namespace clang

namespace gnomon {

/// Variables that the text names, or whose address is an operand that must be a constant.
llvm::SmallVector<const clang::VarDecl *, 2>
variablesUsedAsConstants(const clang::GCCAsmStmt &assembly, clang::ASTContext &context);
llvm::SmallVector<const clang::VarDecl *, 2>
variablesUsedAsConstants(const clang::FileScopeAsmDecl &assembly);

} // namespace gnomon
