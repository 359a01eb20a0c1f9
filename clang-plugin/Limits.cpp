// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over user code (templates once, as written; no implicit code), to find what Limits.h
// promises.

#include "Limits.h"
#include "Assembly.h"
#include "Diagnostics.h"
#include "Statics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace gnomon {
namespace {

std::optional<DiagnosticId> limitOf(llvm::StringRef function) {
  return llvm::StringSwitch<std::optional<DiagnosticId>>(function)
#define GNOMON_LIMIT(Function, Id) .Case(#Function, DiagnosticId::Id)
#include "Limits.def"
      .Default(std::nullopt);
}

class LimitsVisitor : public RecursiveASTVisitor<LimitsVisitor> {
public:
  LimitsVisitor(CompilerInstance &compiler, bool warnings, bool remarks)
      : context_(compiler.getASTContext()), diagnostics_(compiler.getDiagnostics()),
        warnings_(warnings), remarks_(remarks) {}

  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !callee->getDeclName().isIdentifier())
      return true;
    if (callee->isInStdNamespace() && callee->getName() == "async")
      return remarkOnThread(call->getBeginLoc(), "std::async");
    // A function of the program's own that happens to have the name is none of ours.
    bool linkersName = context_.getLangOpts().CPlusPlus ? callee->isExternC() : callee->isGlobal();
    if (!linkersName || callee->isDefined())
      return true;
    std::optional<DiagnosticId> limit = limitOf(callee->getName());
    if (limit == DiagnosticId::StartsThread)
      return remarkOnThread(call->getBeginLoc(), callee->getName());
    if (limit)
      warn(call->getBeginLoc(), *limit, callee->getName().str());
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construction) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    const CXXRecordDecl *type = constructor->getParent();
    if (constructor->getNumParams() == 0 || constructor->isCopyOrMoveConstructor() ||
        !type->isInStdNamespace() || !type->getIdentifier())
      return true;
    if (type->getName() == "thread" || type->getName() == "jthread")
      remarkOnThread(construction->getBeginLoc(), "std::" + type->getName().str());
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) {
    return warnOfAssembly(variablesUsedAsConstants(*assembly, context_), assembly->getAsmLoc());
  }

  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *assembly) {
    return warnOfAssembly(variablesUsedAsConstants(*assembly), assembly->getAsmLoc());
  }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *directive) {
    if (remarks_ && isOpenMPParallelDirective(directive->getDirectiveKind()))
      report(diagnostics_, directive->getBeginLoc(), DiagnosticId::OpenMPRegion);
    return true;
  }

private:
  bool warn(SourceLocation location, DiagnosticId id, const std::string &name) {
    if (warnings_ && warningsShownAt(diagnostics_, location))
      report(diagnostics_, location, id) << name;
    return true;
  }

  bool remarkOnThread(SourceLocation location, llvm::StringRef name) {
    if (remarks_)
      report(diagnostics_, location, DiagnosticId::StartsThread) << ("'" + name + "'").str();
    return true;
  }

  bool warnOfAssembly(llvm::ArrayRef<const VarDecl *> variables, SourceLocation location) {
    for (const VarDecl *variable : variables)
      if (mayBePrivatised(*variable))
        warn(location, DiagnosticId::AssemblyConstant, variable->getNameAsString());
    return true;
  }

  ASTContext &context_;
  DiagnosticsEngine &diagnostics_;
  bool warnings_, remarks_;
};

} // namespace

void reportLimits(CompilerInstance &compiler, llvm::ArrayRef<Decl *> decls, bool warnings,
                  bool remarks) {
  LimitsVisitor visitor(compiler, warnings, remarks);
  for (Decl *decl : decls)
    visitor.TraverseDecl(decl);
}

} // namespace gnomon
