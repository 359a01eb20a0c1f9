// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds every variable with static storage in a translation unit, those of template instantiations
// included.
#pragma once

#include "Statics.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace gnomon {

/// Adds what the translation unit of `context` holds to `statics`; not what stands in system
/// headers unless `systemHeaders`.
void collectStatics(clang::ASTContext &context, bool systemHeaders, Statics &statics);

} // namespace gnomon
