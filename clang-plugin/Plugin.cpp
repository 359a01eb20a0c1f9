// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GnomonClangPlugin.so: registration only. clang.cfg and clang++.cfg load it into every compilation
// with the flag, so it must be silent and cheap on any input. The attributes and pragmas register
// themselves (Attributes.cpp, Pragmas.cpp). The action runs before code generation, because a
// `shared(…)` pragma must mark a variable before it is emitted; its warnings come at the end of the
// translation unit, and only if that is free of errors.
//
// Arguments (-fplugin-arg-gnomon-<argument>):
//   no-warnings  none of the warnings; GNOMON_WARNINGS=0 in the environment does the same
//   remarks      also what is only worth a remark
//   statics      a remark on what becomes of each variable with static storage

#include "BurstStatements.h"
#include "Collect.h"
#include "Diagnostics.h"
#include "Limits.h"
#include "Pragmas.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <cstdlib>

using namespace clang;

namespace gnomon {
namespace {

struct Settings {
  bool warnings = true;
  bool remarks = false;
  bool statics = false;
};

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &compiler, Settings settings)
      : compiler_(compiler), settings_(settings), pragmas_(compiler) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    pragmas_.apply(group);
    wrapBursts(compiler_.getASTContext(), group);
    if (settings_.warnings || settings_.remarks)
      for (Decl *decl : group)
        if (!compiler_.getSourceManager().isInSystemHeader(decl->getLocation()))
          userDecls_.push_back(decl);
    return true;
  }

  void HandleTranslationUnit(ASTContext &context) override {
    pragmas_.reportUnused();
    if (compiler_.getDiagnostics().hasUncompilableErrorOccurred())
      return;
    reportLimits(compiler_, userDecls_, settings_.warnings, settings_.remarks);
    if (settings_.statics)
      reportStatics(context);
  }

private:
  void reportStatics(ASTContext &context) {
    Statics statics;
    collectStatics(context, /*systemHeaders=*/false, statics);
    SourceManager &sources = compiler_.getSourceManager();
    for (const StaticVariable &variable : settle(std::move(statics))) {
      SourceLocation place;
      if (auto file = compiler_.getFileManager().getOptionalFileRef(variable.file))
        place = sources.translateFileLineCol(*file, variable.line, variable.column);
      report(compiler_.getDiagnostics(), place, DiagnosticId::StaticFate)
          << variable.name << fateWords(variable.fate) << variable.reason;
    }
  }

  CompilerInstance &compiler_;
  Settings settings_;
  Pragmas pragmas_;
  std::vector<Decl *> userDecls_;
};

class Action : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

protected:
  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    if (const char *value = std::getenv("GNOMON_WARNINGS"))
      settings_.warnings = llvm::StringRef(value) != "0";
    for (llvm::StringRef argument : arguments) {
      if (argument == "no-warnings")
        settings_.warnings = false;
      else if (argument == "remarks")
        settings_.remarks = true;
      else if (argument == "statics")
        settings_.statics = true;
      else {
        report(compiler.getDiagnostics(), {}, DiagnosticId::UnknownArgument) << argument;
        return false;
      }
    }
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    prepareDiagnostics(compiler.getDiagnostics());
    return std::make_unique<Consumer>(compiler, settings_);
  }

private:
  Settings settings_;
};

FrontendPluginRegistry::Add<Action> action("gnomon", "what a simulation makes of this program");

} // namespace
} // namespace gnomon
