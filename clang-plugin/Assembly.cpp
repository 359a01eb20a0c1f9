// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables in assembly.

#include "Assembly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace gnomon {
namespace {

using Variables = llvm::SmallVector<const VarDecl *, 2>;

bool isSymbolCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

// Names in assembly are the linker's, which for variables with C linkage are their own.
const VarDecl *variableNamed(llvm::StringRef name, ASTContext &context) {
  auto identifier = context.Idents.find(name);
  if (identifier == context.Idents.end())
    return nullptr;
  for (const NamedDecl *decl : context.getTranslationUnitDecl()->lookup(identifier->second))
    if (const auto *variable = dyn_cast<VarDecl>(decl))
      return variable;
  return nullptr;
}

// Symbols stand where AT&T syntax has operands: not the first word of a statement, not after '%',
// not a label.
void addNamed(llvm::StringRef text, ASTContext &context, Variables &variables) {
  bool statementStart = true;
  for (size_t i = 0; i < text.size();) {
    if (!isSymbolCharacter(text[i])) {
      statementStart |= text[i] == '\n' || text[i] == ';';
      ++i;
      continue;
    }
    llvm::StringRef word = text.substr(i).take_while(isSymbolCharacter);
    bool isRegister = i > 0 && text[i - 1] == '%';
    bool isLabel = text.substr(i + word.size()).starts_with(":");
    if (!statementStart && !isRegister && !isLabel)
      if (const VarDecl *variable = variableNamed(word, context))
        variables.push_back(variable);
    statementStart = isLabel;
    i += word.size();
  }
}

// None of the constraint's alternatives takes a register or memory.
bool takesOnlyConstants(llvm::StringRef constraint) {
  llvm::StringRef codes = constraint.trim("=+&%,");
  return !codes.empty() && codes.find_first_not_of("isneZ,") == llvm::StringRef::npos;
}

const VarDecl *addressed(const Expr *expression) {
  expression = expression->IgnoreParenCasts();
  const auto *address = dyn_cast<UnaryOperator>(expression);
  if (address && address->getOpcode() == UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  while (const auto *member = dyn_cast<MemberExpr>(expression))
    expression = member->getBase()->IgnoreParenCasts();
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
}

} // namespace

Variables variablesUsedAsConstants(const GCCAsmStmt &assembly, ASTContext &context) {
  Variables variables;
  addNamed(assembly.getAsmString(), context, variables);
  for (unsigned i = 0; i < assembly.getNumInputs(); ++i)
    if (takesOnlyConstants(assembly.getInputConstraint(i)))
      if (const VarDecl *variable = addressed(assembly.getInputExpr(i)))
        variables.push_back(variable);
  return variables;
}

Variables variablesUsedAsConstants(const FileScopeAsmDecl &assembly) {
  Variables variables;
  addNamed(assembly.getAsmString(), assembly.getASTContext(), variables);
  return variables;
}

} // namespace gnomon
