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
    if (verb == "burst") {
      std::vector<Token> arguments;
      if (burstArguments(pp, line, arguments))
        enterAttribute(pp, line[0], "gnomon_burst", arguments);
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

  static Token tokenAt(const Token &at, tok::TokenKind kind) {
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(at.getLocation());
    token.setLength(at.getLength());
    return token;
  }

  static void addString(Preprocessor &pp, const Token &at, const llvm::Twine &text,
                        std::vector<Token> &to) {
    to.push_back(tokenAt(at, tok::comma));
    Token token = tokenAt(at, tok::string_literal);
    pp.CreateString(("\"" + text + "\"").str(), token, at.getLocation(), at.getLocation());
    to.push_back(token);
  }

  // The tokens between the parentheses that open at line[at], with `at` moved behind them; empty
  // when there are none.
  static llvm::ArrayRef<Token> parenthesised(llvm::ArrayRef<Token> line, size_t &at) {
    if (at >= line.size() || line[at].isNot(tok::l_paren))
      return {};
    const size_t first = at + 1;
    for (unsigned depth = 0; at < line.size(); ++at) {
      depth += line[at].is(tok::l_paren);
      depth -= line[at].is(tok::r_paren);
      if (depth == 0)
        return line.slice(first, at++ - first);
    }
    return {};
  }

  // Clauses in any order become ("name", "skip", "samples=N", "flops", (expression)).
  static bool burstArguments(Preprocessor &pp, llvm::ArrayRef<Token> line,
                             std::vector<Token> &arguments) {
    std::vector<Token> clauses;
    Token name = tokenAt(line[0], tok::string_literal);
    pp.CreateString("\"\"", name, name.getLocation(), name.getLocation());
    for (size_t at = 1; at < line.size();) {
      const Token &first = line[at];
      const IdentifierInfo *identifier = first.getIdentifierInfo();
      // ("name") stands for name("name") at the begin.
      llvm::StringRef clause = identifier ? identifier->getName() : "";
      at += clause.empty() ? 0 : 1;
      if (clause == "skip" || clause == "run") {
        addString(pp, first, clause, clauses);
        continue;
      }
      const bool bare = clause.empty() && at == 1;
      llvm::ArrayRef<Token> inside = parenthesised(line, at);
      if ((bare || clause == "name") && inside.size() == 1 && inside[0].is(tok::string_literal)) {
        name = inside[0];
      } else if (clause == "samples" && inside.size() == 1 && inside[0].is(tok::numeric_constant)) {
        addString(pp, first, "samples=" + pp.getSpelling(inside[0]), clauses);
      } else if (clause == "flops" && !inside.empty()) {
        addString(pp, first, clause, clauses);
        clauses.push_back(tokenAt(first, tok::comma));
        clauses.push_back(tokenAt(first, tok::l_paren));
        clauses.insert(clauses.end(), inside.begin(), inside.end());
        clauses.push_back(tokenAt(first, tok::r_paren));
      } else {
        report(pp.getDiagnostics(), first.getLocation(), DiagnosticId::PragmaBurst);
        return false;
      }
    }
    arguments.push_back(tokenAt(name, tok::l_paren));
    arguments.push_back(name);
    arguments.insert(arguments.end(), clauses.begin(), clauses.end());
    arguments.push_back(tokenAt(name, tok::r_paren));
    return true;
  }

  // __attribute__((name arguments))
  static void enterAttribute(Preprocessor &pp, const Token &at, llvm::StringRef name,
                             llvm::ArrayRef<Token> arguments) {
    std::vector<Token> tokens;
    auto add = [&](tok::TokenKind kind, IdentifierInfo *identifier = nullptr) {
      Token token = tokenAt(at, kind);
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
