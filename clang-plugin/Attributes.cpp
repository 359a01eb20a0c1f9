// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes by which a user overrides an automatic decision:
//   [[gnomon::shared]]       __attribute__((gnomon_shared))         on a variable: one copy for all
//   ranks
//   [[gnomon::burst("name")]] __attribute__((gnomon_burst("name")))  on a function: its body is
//   this burst
// A compiler without the plugin ignores them, with its warning on unknown attributes.

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
namespace {

// Clang asks for an attribute by its name without the scope before it parses its arguments. So each
// attribute has spellings without a scope too, and one of that name that is not ours gets clang's
// own warning here.
bool isOthers(Sema &sema, const ParsedAttr &attribute) {
  if (!attribute.isStandardAttributeSyntax() || attribute.hasScope())
    return false;
  sema.Diag(attribute.getLoc(), diag::warn_unknown_attribute_ignored)
      << attribute << attribute.getRange();
  return true;
}

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

struct BurstAttribute : public ParsedAttrInfo {
  BurstAttribute() {
    OptArgs = 15; // any number: a wrong one gets our message
    static constexpr Spelling Names[] = {
        {ParsedAttr::AS_GNU, "gnomon_burst"},  {ParsedAttr::AS_CXX11, "gnomon::burst"},
        {ParsedAttr::AS_C23, "gnomon::burst"}, {ParsedAttr::AS_CXX11, "burst"},
        {ParsedAttr::AS_C23, "burst"},
    };
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *decl) const override {
    if (isOthers(sema, attribute))
      return false;
    if (isa<FunctionDecl>(decl))
      return true;
    report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::BurstNotFunction) << attribute;
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attribute) const override {
    const StringLiteral *name = nullptr;
    if (attribute.getNumArgs() == 1 && attribute.isArgExpr(0))
      name = dyn_cast<StringLiteral>(attribute.getArgAsExpr(0)->IgnoreParenCasts());
    if (!name || !name->isOrdinary() || name->getString().empty()) {
      report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::BurstName) << attribute;
      return AttributeNotApplied;
    }
    annotate(*decl, Annotation::Burst, name->getString(), attribute.getRange());
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<SharedAttribute> shared("gnomon_shared",
                                                    "one copy of the variable for all ranks");
ParsedAttrInfoRegistry::Add<BurstAttribute> burst("gnomon_burst",
                                                  "names the function's body as a burst");

} // namespace
} // namespace gnomon
