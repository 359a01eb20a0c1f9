// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #pragma gnomon. The forms without names put the tokens of the GNU attribute before the
// declaration that follows, so that the attribute's own checks and messages serve both.

#include "Pragmas.h"
#include "Annotations.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace gnomon {
namespace {

struct SharedName {
  std::string name;
  SourceLocation location;
  bool met = false;
};

// What the pragmas of one preprocessor have named. A table by preprocessor, because clang gives a
// pragma's handler and an AST consumer nothing else in common.
llvm::DenseMap<const Preprocessor *, std::vector<SharedName>> &namesByPreprocessor() {
  static llvm::DenseMap<const Preprocessor *, std::vector<SharedName>> names;
  return names;
}

class GnomonPragma : public PragmaHandler {
public:
  GnomonPragma() : PragmaHandler("gnomon") {}
  ~GnomonPragma() override {
    if (preprocessor_)
      namesByPreprocessor().erase(preprocessor_);
  }

  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &token) override {
    preprocessor_ = &pp;
    SourceLocation start = introducer.Loc;
    std::vector<Token> line;
    for (pp.Lex(token); token.isNot(tok::eod); pp.Lex(token))
      line.push_back(token);
    if (!handle(pp, line))
      report(pp.getDiagnostics(), line.empty() ? start : line.front().getLocation(),
             DiagnosticId::PragmaForm);
  }

private:
  static bool handle(Preprocessor &pp, llvm::ArrayRef<Token> line) {
    if (line.empty() || !line[0].getIdentifierInfo())
      return false;
    llvm::StringRef verb = line[0].getIdentifierInfo()->getName();
    if (verb == "burst" && line.size() == 4 && line[1].is(tok::l_paren) &&
        line[2].is(tok::string_literal) && line[3].is(tok::r_paren)) {
      enterAttribute(pp, line[0], "gnomon_burst", line.slice(1));
      return true;
    }
    if (verb != "shared")
      return false;
    if (line.size() == 1) {
      enterAttribute(pp, line[0], "gnomon_shared", {});
      return true;
    }
    return recordNames(pp, line.slice(1));
  }

  // __attribute__((name arguments))
  static void enterAttribute(Preprocessor &pp, const Token &at, llvm::StringRef name,
                             llvm::ArrayRef<Token> arguments) {
    std::vector<Token> tokens;
    auto add = [&](tok::TokenKind kind, IdentifierInfo *identifier = nullptr) {
      Token token;
      token.startToken();
      token.setKind(kind);
      token.setLocation(at.getLocation());
      token.setLength(at.getLength());
      if (identifier)
        token.setIdentifierInfo(identifier);
      tokens.push_back(token);
    };
    add(tok::kw___attribute, pp.getIdentifierInfo("__attribute__"));
    add(tok::l_paren);
    add(tok::l_paren);
    add(tok::identifier, pp.getIdentifierInfo(name));
    tokens.insert(tokens.end(), arguments.begin(), arguments.end());
    add(tok::r_paren);
    add(tok::r_paren);
    auto owned = std::make_unique<Token[]>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), owned.get());
    pp.EnterTokenStream(std::move(owned), tokens.size(), /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/false);
  }

  // (name, ns::name, …)
  static bool recordNames(Preprocessor &pp, llvm::ArrayRef<Token> line) {
    if (line.size() < 3 || line.front().isNot(tok::l_paren) || line.back().isNot(tok::r_paren))
      return false;
    std::vector<SharedName> names(1);
    for (const Token &token : line.drop_front().drop_back()) {
      if (token.is(tok::comma)) {
        names.emplace_back();
      } else if (token.is(tok::coloncolon)) {
        names.back().name += "::";
      } else if (const IdentifierInfo *identifier = token.getIdentifierInfo()) {
        if (names.back().name.empty())
          names.back().location = token.getLocation();
        names.back().name += identifier->getName();
      } else {
        return false;
      }
    }
    for (const SharedName &name : names)
      if (name.name.empty() || name.location.isInvalid())
        return false;
    std::vector<SharedName> &all = namesByPreprocessor()[&pp];
    all.insert(all.end(), names.begin(), names.end());
    return true;
  }

  const Preprocessor *preprocessor_ = nullptr;
};

PragmaHandlerRegistry::Add<GnomonPragma> pragma("gnomon", "overrides of what Gnomon decides");

void applyToDecl(std::vector<SharedName> &names, Decl *decl);

void applyToVariable(std::vector<SharedName> &names, VarDecl &variable) {
  if (!variable.hasGlobalStorage() || !variable.getDeclName().isIdentifier())
    return;
  for (SharedName &name : names) {
    if (variable.getName() != name.name && variable.getQualifiedNameAsString() != name.name)
      continue;
    name.met = true;
    if (variable.getTLSKind() != VarDecl::TLS_None)
      report(variable.getASTContext().getDiagnostics(), name.location,
             DiagnosticId::SharedThreadLocal)
          << "'#pragma gnomon shared'";
    else
      annotate(variable, Annotation::Shared, "", name.location);
  }
}

void applyToDecl(std::vector<SharedName> &names, Decl *decl) {
  if (auto *variable = dyn_cast<VarDecl>(decl))
    applyToVariable(names, *variable);
  else if (auto *variables = dyn_cast<VarTemplateDecl>(decl))
    applyToVariable(names, *variables->getTemplatedDecl());
  else if (auto *classes = dyn_cast<ClassTemplateDecl>(decl))
    applyToDecl(names, classes->getTemplatedDecl());
  else if (isa<NamespaceDecl, LinkageSpecDecl, TagDecl>(decl))
    for (Decl *inner : cast<DeclContext>(decl)->noload_decls())
      applyToDecl(names, inner);
}

} // namespace

void applySharedPragmas(CompilerInstance &compiler, DeclGroupRef group) {
  auto names = namesByPreprocessor().find(&compiler.getPreprocessor());
  if (names == namesByPreprocessor().end())
    return;
  for (Decl *decl : group)
    applyToDecl(names->second, decl);
}

void reportUnusedSharedPragmas(CompilerInstance &compiler) {
  auto names = namesByPreprocessor().find(&compiler.getPreprocessor());
  if (names == namesByPreprocessor().end() || compiler.getASTContext().TUKind != TU_Complete)
    return;
  for (const SharedName &name : names->second)
    if (!name.met)
      report(compiler.getDiagnostics(), name.location, DiagnosticId::PragmaNoVariable) << name.name;
}

} // namespace gnomon
