// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk behind collectStatics().

#include "Collect.h"
#include "Assembly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace gnomon {
namespace {

class StaticsVisitor : public RecursiveASTVisitor<StaticsVisitor> {
public:
  StaticsVisitor(ASTContext &context, bool systemHeaders, Statics &statics)
      : context_(context), systemHeaders_(systemHeaders), statics_(statics) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitVarDecl(VarDecl *variable) {
    if (!systemHeaders_ && context_.getSourceManager().isInSystemHeader(variable->getLocation()))
      return true;
    if (isDescribed(*variable))
      statics_.variables.push_back(describe(*variable));
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) {
    for (const VarDecl *variable : variablesUsedAsConstants(*assembly, context_))
      statics_.usedByAssembly.insert(keyOf(*variable));
    return true;
  }

  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *assembly) {
    for (const VarDecl *variable : variablesUsedAsConstants(*assembly))
      statics_.usedByAssembly.insert(keyOf(*variable));
    return true;
  }

  // The instances of a generic lambda's body are not children of the expression.
  bool VisitLambdaExpr(LambdaExpr *lambda) {
    if (FunctionTemplateDecl *pattern = lambda->getLambdaClass()->getDependentLambdaCallOperator())
      for (FunctionDecl *instance : pattern->specializations())
        TraverseDecl(instance);
    return true;
  }

private:
  ASTContext &context_;
  bool systemHeaders_;
  Statics &statics_;
};

} // namespace

void collectStatics(ASTContext &context, bool systemHeaders, Statics &statics) {
  StaticsVisitor(context, systemHeaders, statics).TraverseDecl(context.getTranslationUnitDecl());
}

} // namespace gnomon
