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

using namespace clang;

namespace gnomon {
namespace {

using SharedNames = std::vector<Pragmas::SharedName>;

class GnomonPragma : public PragmaHandler {
public:
  explicit GnomonPragma(std::shared_ptr<SharedNames> names)
      : PragmaHandler("gnomon"), names_(std::move(names)) {}

  void HandlePragma(Preprocessor &pp, PragmaIntroducer introducer, Token &token) override {
    SourceLocation start = introducer.Loc;
    std::vector<Token> line;
    for (pp.Lex(token); token.isNot(tok::eod); pp.Lex(token))
      line.push_back(token);
    if (!handle(pp, line))
      report(pp.getDiagnostics(), line.empty() ? start : line.front().getLocation(),
             DiagnosticId::PragmaForm);
  }

private:
  bool handle(Preprocessor &pp, llvm::ArrayRef<Token> line) {
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
    return recordNames(line.slice(1));
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
  bool recordNames(llvm::ArrayRef<Token> line) {
    if (line.size() < 3 || line.front().isNot(tok::l_paren) || line.back().isNot(tok::r_paren))
      return false;
    SharedNames names(1);
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
    for (const Pragmas::SharedName &name : names)
      if (name.name.empty() || name.location.isInvalid())
        return false;
    names_->insert(names_->end(), names.begin(), names.end());
    return true;
  }

  std::shared_ptr<SharedNames> names_;
};

} // namespace

Pragmas::Pragmas(CompilerInstance &compiler)
    : compiler_(compiler), names_(std::make_shared<SharedNames>()) {
  compiler.getPreprocessor().AddPragmaHandler(
      new GnomonPragma(names_)); // which owns it from here on
}

void Pragmas::apply(DeclGroupRef group) {
  if (!names_->empty())
    for (Decl *decl : group)
      applyToDecl(decl);
}

void Pragmas::applyToDecl(Decl *decl) {
  if (auto *variable = dyn_cast<VarDecl>(decl))
    applyToVariable(*variable);
  else if (auto *variables = dyn_cast<VarTemplateDecl>(decl))
    applyToVariable(*variables->getTemplatedDecl());
  else if (auto *classes = dyn_cast<ClassTemplateDecl>(decl))
    applyToDecl(classes->getTemplatedDecl());
  else if (isa<NamespaceDecl, LinkageSpecDecl, TagDecl>(decl))
    for (Decl *inner : cast<DeclContext>(decl)->noload_decls())
      applyToDecl(inner);
}

void Pragmas::applyToVariable(VarDecl &variable) {
  if (!variable.hasGlobalStorage() || !variable.getDeclName().isIdentifier())
    return;
  for (SharedName &name : *names_) {
    if (variable.getName() != name.name && variable.getQualifiedNameAsString() != name.name)
      continue;
    name.met = true;
    if (variable.getTLSKind() != VarDecl::TLS_None)
      report(compiler_.getDiagnostics(), name.location, DiagnosticId::SharedThreadLocal)
          << "'#pragma gnomon shared'";
    else
      annotate(variable, Annotation::Shared, "", name.location);
  }
}

void Pragmas::reportUnused() {
  if (compiler_.getASTContext().TUKind != TU_Complete)
    return;
  for (const SharedName &name : *names_)
    if (!name.met)
      report(compiler_.getDiagnostics(), name.location, DiagnosticId::PragmaNoVariable)
          << name.name;
}

} // namespace gnomon
