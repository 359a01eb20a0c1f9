// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// [[gnomon::shared]], __attribute__((gnomon_shared)) on a variable: one copy for all ranks.

#include "Attributes.h"
#include "Annotations.h"
#include "Diagnostics.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace gnomon {

bool isOthers(Sema &sema, const ParsedAttr &attribute) {
  if (!attribute.isStandardAttributeSyntax() || attribute.hasScope())
    return false;
  sema.Diag(attribute.getLoc(), diag::warn_unknown_attribute_ignored)
      << attribute << attribute.getRange();
  return true;
}

namespace {

struct SharedAttribute : public ParsedAttrInfo {
  SharedAttribute() {
    static constexpr Spelling Names[] = {
        {ParsedAttr::AS_GNU, "gnomon_shared"},  {ParsedAttr::AS_CXX11, "gnomon::shared"},
        {ParsedAttr::AS_C23, "gnomon::shared"}, {ParsedAttr::AS_CXX11, "shared"},
        {ParsedAttr::AS_C23, "shared"},
    };
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *decl) const override {
    if (isOthers(sema, attribute))
      return false;
    const auto *variable = dyn_cast<VarDecl>(decl);
    if (!variable || !variable->hasGlobalStorage()) {
      report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::SharedNotStatic) << attribute;
      return false;
    }
    if (variable->getTLSKind() != VarDecl::TLS_None) {
      report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::SharedThreadLocal)
          << attribute;
      return false;
    }
    return true;
  }

  AttrHandling handleDeclAttribute(Sema &, Decl *decl, const ParsedAttr &attribute) const override {
    annotate(*decl, Annotation::Shared, "", attribute.getRange());
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<SharedAttribute> shared("gnomon_shared",
                                                    "one copy of the variable for all ranks");

} // namespace
} // namespace gnomon
