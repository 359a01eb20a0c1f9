// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls are built as finished AST nodes, for the parser is through with the statement when the
// attribute is applied; the statement's attribute keeps its place and gets a compound statement
//   { gnomon_mark_burst_begin(text, flops); statement; gnomon_mark_burst_end(); }
// below it. A template's pattern is treated once, and its instances copy what they find there.

#include "BurstStatements.h"
#include "Annotations.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace gnomon {
namespace {

bool anyStatement = false; // of the translation unit that this process compiles

constexpr llvm::StringLiteral BeginName = "gnomon_mark_burst_begin";
constexpr llvm::StringLiteral EndName = "gnomon_mark_burst_end";

/// What jumps into or out of a statement. `loops` and `switches`: those around it within the burst.
const char *jumpOf(const Stmt &statement, unsigned loops, unsigned switches) {
  if (isa<ReturnStmt, CoreturnStmt>(statement))
    return "return";
  if (isa<GotoStmt, IndirectGotoStmt>(statement))
    return "goto";
  if (isa<LabelStmt>(statement))
    return "a label";
  if (isa<BreakStmt>(statement) && loops + switches == 0)
    return "break";
  if (isa<ContinueStmt>(statement) && loops == 0)
    return "continue";
  if (isa<SwitchCase>(statement) && switches == 0)
    return "case";
  return nullptr;
}

bool check(DiagnosticsEngine &diagnostics, const Stmt &statement, unsigned loops,
           unsigned switches) {
  if (const char *jump = jumpOf(statement, loops, switches)) {
    report(diagnostics, statement.getBeginLoc(), DiagnosticId::BurstLeft) << jump;
    return false;
  }
  loops += isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement);
  switches += isa<SwitchStmt>(statement);
  for (const Stmt *child : statement.children())
    if (child && !isa<Expr>(child) && !check(diagnostics, *child, loops, switches))
      return false;
  return true;
}

/// The declaration of a marker; made at its first use, with C linkage in C++ too.
FunctionDecl *markerDecl(ASTContext &context, llvm::StringRef name,
                         llvm::ArrayRef<QualType> parameters) {
  TranslationUnitDecl *unit = context.getTranslationUnitDecl();
  IdentifierInfo &identifier = context.Idents.get(name);
  for (NamedDecl *known : unit->lookup(&identifier))
    if (auto *function = dyn_cast<FunctionDecl>(known))
      return function;
  FunctionProtoType::ExtProtoInfo info;
  info.ExceptionSpec.Type = context.getLangOpts().CPlusPlus ? EST_BasicNoexcept : EST_None;
  QualType type = context.getFunctionType(context.VoidTy, parameters, info);
  auto *function = FunctionDecl::Create(context, unit, {}, {}, &identifier, type, nullptr,
                                        SC_Extern, false, false, true);
  llvm::SmallVector<ParmVarDecl *, 2> declarations;
  for (QualType parameter : parameters)
    declarations.push_back(ParmVarDecl::Create(context, function, {}, {}, nullptr, parameter,
                                               nullptr, SC_None, nullptr));
  function->setParams(declarations);
  function->setImplicit();
  // The symbol is the name, mangled in no language.
  function->addAttr(AsmLabelAttr::CreateImplicit(context, name));
  function->addAttr(NoThrowAttr::CreateImplicit(context));
  // One begin keeps one end: nothing tears a statement apart before the pass has seen it.
  function->addAttr(NoDuplicateAttr::CreateImplicit(context));
  unit->addDecl(function);
  return function;
}

Expr *convert(ASTContext &context, Expr *from, QualType to, CastKind kind) {
  return ImplicitCastExpr::Create(context, to, kind, from, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *callOf(ASTContext &context, FunctionDecl *function, llvm::ArrayRef<Expr *> arguments,
             SourceLocation at) {
  function->setReferenced();
  function->markUsed(context);
  auto *name =
      DeclRefExpr::Create(context, {}, {}, function, false, at, function->getType(), VK_LValue);
  Expr *callee = convert(context, name, context.getPointerType(function->getType()),
                         CK_FunctionToPointerDecay);
  return CallExpr::Create(context, callee, arguments, context.VoidTy, VK_PRValue, at,
                          FPOptionsOverride());
}

Expr *textOf(ASTContext &context, llvm::StringRef text, SourceLocation at) {
  QualType array = context.getStringLiteralArrayType(context.CharTy, text.size());
  QualType pointer = context.getPointerType(context.CharTy.withConst());
  auto *literal =
      StringLiteral::Create(context, text, StringLiteralKind::Ordinary, false, array, at);
  QualType decayed = context.getPointerType(context.getAsArrayType(array)->getElementType());
  Expr *address = convert(context, literal, decayed, CK_ArrayToPointerDecay);
  return decayed == pointer ? address : convert(context, address, pointer, CK_NoOp);
}

Stmt *wrap(ASTContext &context, Stmt *statement, const AnnotateAttr &attribute) {
  const SourceLocation begin = statement->getBeginLoc(), end = statement->getEndLoc();
  QualType text = context.getPointerType(context.CharTy.withConst());
  llvm::StringRef words = attribute.getAnnotation();
  words.consume_front(annotationString(Annotation::Burst));
  Expr *flops = attribute.args_size() ? *attribute.args_begin()
                                      : FloatingLiteral::Create(context, llvm::APFloat(-1.0), true,
                                                                context.DoubleTy, begin);
  FunctionDecl *beginMark = markerDecl(context, BeginName, {text, context.DoubleTy});
  FunctionDecl *endMark = markerDecl(context, EndName, {});
  Stmt *parts[] = {callOf(context, beginMark, {textOf(context, words, begin), flops}, begin),
                   statement, callOf(context, endMark, {}, end)};
  return CompoundStmt::Create(context, parts, FPOptionsOverride(), begin, end);
}

bool isWrapped(const Stmt *statement) {
  const auto *parts = dyn_cast<CompoundStmt>(statement);
  const auto *call =
      parts && !parts->body_empty() ? dyn_cast<CallExpr>(*parts->body_begin()) : nullptr;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->getIdentifier() && callee->getName() == BeginName;
}

class Wrapper : public RecursiveASTVisitor<Wrapper> {
public:
  explicit Wrapper(ASTContext &context) : context_(context) {}

  bool VisitAttributedStmt(AttributedStmt *attributed) {
    for (const Attr *attribute : attributed->getAttrs())
      if (const auto *text = dyn_cast<AnnotateAttr>(attribute))
        if (text->getAnnotation().starts_with(annotationString(Annotation::Burst)) &&
            !isWrapped(attributed->getSubStmt()))
          *attributed->child_begin() = wrap(context_, attributed->getSubStmt(), *text);
    return true;
  }

private:
  ASTContext &context_;
};

} // namespace

bool checkBurstStatement(DiagnosticsEngine &diagnostics, const Stmt &statement) {
  return check(diagnostics, statement, 0, 0);
}

void noteBurstStatement() { anyStatement = true; }

void wrapBursts(ASTContext &context, DeclGroupRef group) {
  if (!anyStatement)
    return;
  Wrapper wrapper(context);
  for (Decl *decl : group)
    if (const auto *function = dyn_cast<FunctionDecl>(decl);
        !function || !function->isTemplateInstantiation())
      wrapper.TraverseDecl(decl);
}

} // namespace gnomon
