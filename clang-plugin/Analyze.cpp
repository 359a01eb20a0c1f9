// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gnomon-analyze, which `gnomon analyze` starts: every variable with static storage of the C and
// C++ files in compile_commands.json, and what becomes of it. From top to bottom: read the
// arguments, choose the files, parse each, settle, print.
//
// Exit codes: 0; 1 when a file does not parse (the rest is printed); 2 on bad input.

#include "Collect.h"
#include "Pragmas.h"
#include "Report.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <algorithm>

using namespace clang;
using namespace clang::tooling;

namespace gnomon {
namespace {

constexpr int ExitParse = 1, ExitInput = 2;

constexpr const char *Usage =
    "usage: gnomon analyze [-p DIR] [--json] [--system-headers] [FILE...]\n"
    "\n"
    "Lists every variable with static storage duration of the C and C++ files in\n"
    "DIR/compile_commands.json (or of the FILEs among them), and what a simulation\n"
    "makes of it: privatised (each rank has its own copy) or shared, and why.\n"
    "\n"
    "  -p DIR            build directory with compile_commands.json (default: .)\n"
    "  --json            JSON instead of a table\n"
    "  --system-headers  also variables of system headers\n";

[[noreturn]] void failInput(const llvm::Twine &message) {
  llvm::errs() << "gnomon analyze: error: " << message << '\n';
  std::exit(ExitInput);
}

struct Options {
  std::string buildDirectory = ".";
  bool json = false;
  bool systemHeaders = false;
  std::vector<std::string> files;
};

Options parseArguments(llvm::ArrayRef<const char *> arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    if (argument == "-h" || argument == "--help") {
      llvm::outs() << Usage;
      std::exit(0);
    } else if (argument == "--version") {
      llvm::outs() << "gnomon analyze " GNOMON_VERSION "\n";
      std::exit(0);
    } else if (argument == "--json") {
      options.json = true;
    } else if (argument == "--system-headers") {
      options.systemHeaders = true;
    } else if (argument == "-p" && i + 1 < arguments.size()) {
      options.buildDirectory = arguments[++i];
    } else if (argument.consume_front("-p=")) {
      options.buildDirectory = argument.str();
    } else if (argument.starts_with("-")) {
      failInput("unknown option '" + argument + "'; see 'gnomon analyze --help'");
    } else {
      options.files.push_back(argument.str());
    }
  }
  return options;
}

std::unique_ptr<CompilationDatabase> loadDatabase(const std::string &buildDirectory) {
  llvm::SmallString<256> path(buildDirectory);
  if (!llvm::sys::fs::is_directory(path))
    failInput("'" + buildDirectory + "' is not a directory");
  llvm::sys::path::append(path, "compile_commands.json");
  if (!llvm::sys::fs::exists(path))
    failInput(
        "no compile_commands.json in '" + buildDirectory +
        "'; have it written by cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or by 'bear -- make'");
  std::string error;
  std::unique_ptr<CompilationDatabase> database =
      JSONCompilationDatabase::loadFromFile(path, error, JSONCommandLineSyntax::AutoDetect);
  if (!database)
    failInput("'" + path.str() + "': " + llvm::StringRef(error).trim());
  database = expandResponseFiles(std::move(database), llvm::vfs::getRealFileSystem());
  return inferTargetAndDriverMode(std::move(database));
}

bool isCOrCxx(llvm::StringRef file) {
  static constexpr llvm::StringRef Extensions[] = {".c",  ".cc", ".cpp", ".cxx", ".c++", ".C",
                                                   ".CC", ".cp", ".CPP", ".i",   ".ii",  ".cppm"};
  return llvm::is_contained(Extensions, llvm::sys::path::extension(file));
}

std::vector<std::string> chooseFiles(const CompilationDatabase &database, const Options &options) {
  std::vector<std::string> files;
  for (const std::string &file : options.files) {
    llvm::SmallString<256> path(file);
    if (std::error_code error = llvm::sys::fs::make_absolute(path))
      failInput("'" + file + "': " + error.message());
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (!llvm::sys::fs::exists(path))
      failInput("no such file: '" + file + "'");
    if (database.getCompileCommands(path).empty())
      failInput("'" + file + "' has no entry in compile_commands.json");
    files.push_back(path.str().str());
  }
  if (options.files.empty()) {
    files = database.getAllFiles();
    size_t others = llvm::count_if(files, [](const std::string &file) { return !isCOrCxx(file); });
    if (others > 0)
      llvm::errs() << "gnomon analyze: note: " << others
                   << (others == 1 ? " file is" : " files are")
                   << " neither C nor C++ and not listed (in Fortran, module variables, SAVE and "
                      "COMMON are privatised)\n";
    llvm::erase_if(files, [](const std::string &file) { return !isCOrCxx(file); });
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  if (files.empty())
    failInput("no C or C++ file in '" + options.buildDirectory + "/compile_commands.json'");
  return files;
}

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &compiler, bool systemHeaders, Statics &statics)
      : pragmas_(compiler), systemHeaders_(systemHeaders), statics_(statics) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    pragmas_.apply(group);
    return true;
  }

  void HandleTranslationUnit(ASTContext &context) override {
    pragmas_.reportUnused();
    collectStatics(context, systemHeaders_, statics_);
  }

private:
  Pragmas pragmas_;
  bool systemHeaders_;
  Statics &statics_;
};

class Action : public ASTFrontendAction {
public:
  Action(bool systemHeaders, Statics &statics) : systemHeaders_(systemHeaders), statics_(statics) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<Consumer>(compiler, systemHeaders_, statics_);
  }

private:
  bool systemHeaders_;
  Statics &statics_;
};

class Factory : public FrontendActionFactory {
public:
  Factory(bool systemHeaders, Statics &statics)
      : systemHeaders_(systemHeaders), statics_(statics) {}
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<Action>(systemHeaders_, statics_);
  }

private:
  bool systemHeaders_;
  Statics &statics_;
};

// The flag's config file would load the plugin into this process, which has the analysis already:
// the file is left out, and what it adds to the search path is added here. Errors only: the user's
// compiler has warned.
ArgumentsAdjuster adjuster(const std::string &prefix) {
  return [prefix](const CommandLineArguments &arguments, llvm::StringRef) {
    CommandLineArguments adjusted;
    for (const std::string &argument : arguments) {
      llvm::StringRef text = argument;
      if (!text.starts_with("--config-user-dir=") && !text.starts_with("-fplugin") &&
          !text.starts_with("-fpass-plugin"))
        adjusted.push_back(argument);
    }
    CommandLineArguments extra = {"-w", "-resource-dir=" GNOMON_CLANG_RESOURCES, "-isystem",
                                  prefix + "/include/gnomon"};
    adjusted.insert(adjusted.begin() + !adjusted.empty(), extra.begin(), extra.end());
    return adjusted;
  };
}

std::string prefixOf(const char *program) {
  std::string self = llvm::sys::fs::getMainExecutable(program, reinterpret_cast<void *>(&prefixOf));
  llvm::StringRef path = self; // <prefix>/libexec/gnomon/gnomon-analyze
  for (int i = 0; i < 3; ++i)
    path = llvm::sys::path::parent_path(path);
  return path.str();
}

int analyze(const Options &options, const std::string &prefix) {
  std::unique_ptr<CompilationDatabase> database = loadDatabase(options.buildDirectory);
  std::vector<std::string> files = chooseFiles(*database, options);
  Statics statics;
  std::vector<std::string> failed;
  for (const std::string &file : files) {
    ClangTool tool(*database, {file});
    tool.setPrintErrorMessage(false);
    tool.appendArgumentsAdjuster(adjuster(prefix));
    Factory factory(options.systemHeaders, statics);
    if (tool.run(&factory) != 0)
      failed.push_back(file);
  }
  std::vector<StaticVariable> variables = settle(std::move(statics));
  if (options.json)
    printJson(llvm::outs(), variables, failed);
  else
    printTable(llvm::outs(), variables);
  llvm::outs().flush();
  if (llvm::outs().has_error())
    failInput("cannot write the output: " + llvm::outs().error().message());
  for (const std::string &file : failed)
    llvm::errs() << "gnomon analyze: error: '" << file
                 << "' does not parse; its variables may be missing above\n";
  return failed.empty() ? 0 : ExitParse;
}

} // namespace
} // namespace gnomon

int main(int argc, char **argv) {
  gnomon::Options options =
      gnomon::parseArguments(llvm::ArrayRef<const char *>(argv + 1, argc - 1));
  return gnomon::analyze(options, gnomon::prefixOf(argv[0]));
}
