// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// [[gnomon::burst("name", clauses…)]], __attribute__((gnomon_burst("name", clauses…))): a
// function's body, or a statement, is one CPU burst. Clauses:
//   "skip"                   it may be skipped, whatever the analysis finds
//   "run"                    it is always run
//   "samples=N"              instances to execute, the others are skipped
//   "flops", expression      what one instance costs
// The name may be empty beside clauses. `#pragma gnomon burst` becomes this attribute
// (Pragmas.cpp).
//
// On a function the words become annotations; its flops must be constant. On a statement they
// become an `annotate` attribute of the statement, whose only argument is the flops as a double;
// that is turned into calls around the statement before code is generated (BurstStatements.cpp).

#include "Annotations.h"
#include "Attributes.h"
#include "BurstStatements.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

using namespace clang;

namespace gnomon {
namespace {

struct Words {
  llvm::StringRef name;
  std::string clauses; // "skip;samples=3"
  Expr *flops = nullptr;
};

const StringLiteral *stringAt(const ParsedAttr &attribute, unsigned index) {
  if (index >= attribute.getNumArgs() || !attribute.isArgExpr(index))
    return nullptr;
  const auto *text = dyn_cast<StringLiteral>(attribute.getArgAsExpr(index)->IgnoreParenCasts());
  return text && text->isOrdinary() ? text : nullptr;
}

void addClause(Words &words, const llvm::Twine &clause) {
  if (!words.clauses.empty())
    words.clauses += ';';
  words.clauses += clause.str();
}

bool isSamples(llvm::StringRef clause) {
  unsigned number;
  return clause.consume_front("samples=") && !clause.getAsInteger(10, number);
}

/// The attribute's arguments; nothing after a diagnostic.
std::optional<Words> wordsOf(Sema &sema, const ParsedAttr &attribute) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  const StringLiteral *name = stringAt(attribute, 0);
  if (!name || (name->getString().empty() && attribute.getNumArgs() == 1)) {
    report(diagnostics, attribute.getLoc(), DiagnosticId::BurstName) << attribute;
    return std::nullopt;
  }
  Words words{name->getString(), {}, nullptr};
  bool skip = false, run = false;
  for (unsigned i = 1; i < attribute.getNumArgs(); ++i) {
    const StringLiteral *text = stringAt(attribute, i);
    llvm::StringRef clause = text ? text->getString() : "";
    skip |= clause == "skip";
    run |= clause == "run";
    if (clause == "flops" && i + 1 < attribute.getNumArgs() && attribute.isArgExpr(i + 1)) {
      words.flops = attribute.getArgAsExpr(++i);
    } else if (clause == "skip" || clause == "run" || isSamples(clause)) {
      addClause(words, clause);
    } else {
      report(diagnostics, attribute.getLoc(), DiagnosticId::BurstClause) << attribute << clause;
      return std::nullopt;
    }
  }
  if (!skip || !run)
    return words;
  report(diagnostics, attribute.getLoc(), DiagnosticId::BurstSkipRun) << attribute;
  return std::nullopt;
}

/// Whether the expression is arithmetic that can be evaluated beside the statement: no calls, and
/// no variable that a lambda would have to capture.
bool isArithmetic(const Sema &sema, const Expr *expression) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable && variable->isLocalVarDeclOrParm() &&
        variable->getDeclContext() != sema.CurContext)
      return false;
    return isa<VarDecl, EnumConstantDecl>(reference->getDecl());
  }
  if (isa<CallExpr, LambdaExpr, StmtExpr, CXXConstructExpr, CXXNewExpr>(expression))
    return false;
  for (const Stmt *child : expression->children())
    if (const auto *inner = dyn_cast_or_null<Expr>(child); inner && !isArithmetic(sema, inner))
      return false;
  return !expression->HasSideEffects(sema.Context);
}

/// The value of a constant number; nothing when it is none.
std::optional<double> constantOf(const Sema &sema, const Expr *expression) {
  Expr::EvalResult result;
  if (expression->isValueDependent() || !expression->EvaluateAsRValue(result, sema.Context))
    return std::nullopt;
  if (result.Val.isInt())
    return result.Val.getInt().roundToDouble();
  if (result.Val.isFloat())
    return result.Val.getFloat().convertToDouble();
  return std::nullopt;
}

/// The flops as an expression of type double; null after a diagnostic.
Expr *flopsOf(Sema &sema, Expr *expression) {
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  ASTContext &context = sema.Context;
  if (std::optional<double> value = constantOf(sema, expression))
    return FloatingLiteral::Create(context, llvm::APFloat(*value), true, context.DoubleTy,
                                   expression->getExprLoc());
  if (sema.CurContext->isDependentContext()) {
    report(diagnostics, expression->getBeginLoc(), DiagnosticId::BurstFlopsConstant) << 1;
    return nullptr;
  }
  ExprResult value = sema.DefaultLvalueConversion(expression);
  const bool number = value.isUsable() && value.get()->getType()->isRealType();
  if (!number || !isArithmetic(sema, expression)) {
    report(diagnostics, expression->getBeginLoc(), DiagnosticId::BurstFlops);
    return nullptr;
  }
  const bool integer = value.get()->getType()->isIntegerType();
  return sema
      .ImpCastExprToType(value.get(), context.DoubleTy,
                         integer ? CK_IntegralToFloating : CK_FloatingCast)
      .get();
}

struct BurstAttribute : public ParsedAttrInfo {
  BurstAttribute() {
    OptArgs = 15; // any number: a wrong one gets our message
    IsStmt = 1;
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
    report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::BurstPlace) << attribute;
    return false;
  }

  bool diagAppertainsToStmt(Sema &sema, const ParsedAttr &attribute,
                            const Stmt *statement) const override {
    if (isOthers(sema, attribute))
      return false;
    if (!isa<DeclStmt>(statement))
      return true;
    report(sema.getDiagnostics(), attribute.getLoc(), DiagnosticId::BurstPlace) << attribute;
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attribute) const override {
    std::optional<Words> words = wordsOf(sema, attribute);
    if (!words)
      return AttributeNotApplied;
    if (words->flops) {
      std::optional<double> flops = constantOf(sema, words->flops);
      if (!flops) {
        report(sema.getDiagnostics(), words->flops->getBeginLoc(), DiagnosticId::BurstFlopsConstant)
            << 0;
        return AttributeNotApplied;
      }
      llvm::SmallString<40> clause;
      llvm::raw_svector_ostream(clause) << "flops=" << llvm::format("%.17g", *flops);
      addClause(*words, clause);
    }
    if (!words->name.empty())
      annotate(*decl, Annotation::Burst, words->name, attribute.getRange());
    if (!words->clauses.empty())
      annotate(*decl, Annotation::BurstClauses, words->clauses, attribute.getRange());
    return AttributeApplied;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *statement, const ParsedAttr &attribute,
                                   Attr *&result) const override {
    std::optional<Words> words = wordsOf(sema, attribute);
    if (!words || !checkBurstStatement(sema.getDiagnostics(), *statement))
      return AttributeNotApplied;
    Expr *flops = words->flops ? flopsOf(sema, words->flops) : nullptr;
    if (words->flops && !flops)
      return AttributeNotApplied;
    addClause(*words, "name=" + words->name);
    result = AnnotateAttr::Create(sema.Context,
                                  (annotationString(Annotation::Burst) + words->clauses).str(),
                                  &flops, flops ? 1 : 0, attribute);
    noteBurstStatement();
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<BurstAttribute> burst("gnomon_burst",
                                                  "a function or statement is one CPU burst");

} // namespace
} // namespace gnomon
