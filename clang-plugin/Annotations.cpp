// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotations on declarations.

#include "Annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace gnomon {

llvm::StringRef annotationString(Annotation annotation) {
  static constexpr const char *Strings[] = {
#define GNOMON_ANNOTATION(Id, String, Meaning) String,
#include "gnomon/Annotations.def"
  };
  return Strings[static_cast<size_t>(annotation)];
}

void annotate(Decl &decl, Annotation annotation, llvm::StringRef argument, SourceRange range) {
  std::string text = (annotationString(annotation) + argument).str();
  for (const auto *attribute : decl.specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation() == text)
      return;
  decl.addAttr(AnnotateAttr::CreateImplicit(decl.getASTContext(), text, nullptr, 0, range));
}

bool isAnnotated(const Decl &decl, Annotation annotation) {
  for (const auto *attribute : decl.getMostRecentDecl()->specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation().starts_with(annotationString(annotation)))
      return true;
  for (const auto *attribute : decl.specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation().starts_with(annotationString(annotation)))
      return true;
  return false;
}

} // namespace gnomon
