// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pragma forms of the attributes, for code that must stay portable C:
//   #pragma gnomon shared              the declaration that follows
//   #pragma gnomon shared(a, ns::b)    variables of these names defined further down
//   #pragma gnomon burst("name")       the function that follows
#pragma once

#include "clang/AST/DeclGroup.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace gnomon {

/// Marks the variables in `group` that a `shared(…)` pragma before them has named. Must see a
/// declaration before code generation does. Costs nothing when there is no such pragma.
void applySharedPragmas(clang::CompilerInstance &compiler, clang::DeclGroupRef group);

/// At the end of the translation unit: an error for each name of a `shared(…)` pragma that met no
/// variable.
void reportUnusedSharedPragmas(clang::CompilerInstance &compiler);

} // namespace gnomon
