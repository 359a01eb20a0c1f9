// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strings by which source tells the pass something (gnomon/Annotations.def), put on
// declarations as clang's own `annotate` attribute: clang then writes them to
// llvm.global.annotations by itself.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class Decl;
class SourceRange;
} // namespace clang

namespace gnomon {

enum class Annotation {
#define GNOMON_ANNOTATION(Id, String, Meaning) Id,
#include "gnomon/Annotations.def"
};

/// The annotation's string, without its argument.
llvm::StringRef annotationString(Annotation annotation);

/// Marks `decl` with `annotation` and its argument, unless it is marked already.
void annotate(clang::Decl &decl, Annotation annotation, llvm::StringRef argument,
              clang::SourceRange range);

/// Whether `decl` (or an earlier declaration of the same entity) is marked with `annotation`.
bool isAnnotated(const clang::Decl &decl, Annotation annotation);

} // namespace gnomon
