// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that the source calls bursts. In the IR such a statement stands between two calls,
//   gnomon_mark_burst_begin("skip;samples=3;name=stencil", flops)
//   gnomon_mark_burst_end()
// which the pass reads and removes (llvm-pass/overrides/Overrides). Flops below zero: none given.
#pragma once

#include "clang/AST/DeclGroup.h"

namespace clang {
class ASTContext;
class DiagnosticsEngine;
class Stmt;
} // namespace clang

namespace gnomon {

/// Whether the statement is entered and left at its ends only; reports where it is not.
bool checkBurstStatement(clang::DiagnosticsEngine &diagnostics, const clang::Stmt &statement);

/// Tells that the translation unit has such a statement: until then wrapBursts does nothing.
void noteBurstStatement();

/// Puts the calls around each of the group's statements that carry the attribute.
void wrapBursts(clang::ASTContext &context, clang::DeclGroupRef group);

} // namespace gnomon
