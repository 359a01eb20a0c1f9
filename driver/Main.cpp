// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The `gnomon` command: which of its names it was called by, which subcommand, and the one place
/// where a bad command line is reported.
#include "Documents.h"
#include "Message.h"
#include "Subcommands.h"

#include "support/Names.h"

#include <cstdio>
#include <filesystem>
#include <optional>

namespace gnomon::driver {
namespace {

struct CompilerWrapper {
  const char *name;
  Language language;
};

// Links in libexec/gnomon/bin point to this program under these names.
const CompilerWrapper compilerWrappers[] = {
    {"mpicc", Language::C},        {"mpicxx", Language::Cxx},      {"mpic++", Language::Cxx},
    {"mpiCC", Language::Cxx},      {"mpifort", Language::Fortran}, {"mpif90", Language::Fortran},
    {"mpif77", Language::Fortran},
};

std::optional<int> asWrapper(const std::string &name, const Arguments &arguments) {
  for (const CompilerWrapper &wrapper : compilerWrappers)
    if (name == wrapper.name)
      return wrapCompiler(name, compilerOf(wrapper.language), arguments);
  if (name == "mpiexec" || name == "mpirun")
    return wrapLauncher(arguments);
  return std::nullopt;
}

std::optional<int> asSubcommand(const std::string &name, const Arguments &arguments) {
#define GNOMON_SUBCOMMAND(subcommand, function, usage, help)                                       \
  if (name == #subcommand)                                                                         \
    return function(arguments);
#define GNOMON_LATER(subcommand, help)                                                             \
  if (name == #subcommand)                                                                         \
    fail("'gnomon " #subcommand "' (" help ") is not available in this version");
#include "Subcommands.def"
#undef GNOMON_SUBCOMMAND
#undef GNOMON_LATER
  return std::nullopt;
}

int print(const std::string &text) {
  std::printf("%s\n", text.c_str());
  return 0;
}

std::optional<int> asOption(const std::string &option) {
  if (option == "--flag")
    return print(Installation::ofThisProgram().flag());
  if (option == "--trace-flag")
    return print(Installation::ofThisProgram().traceFlag());
  if (option == "--prefix")
    return print(Installation::ofThisProgram().prefix().string());
  if (option == "--version" || option == "-V")
    return printVersion();
  if (option == "--help" || option == "-h")
    return printHelp(false);
  if (option == "--help-all")
    return printHelp(true);
  // For the build only: the documents that are made from the tables.
  if (option == "--man-page")
    return printManPage();
  if (option == "--bash-completion")
    return printBashCompletion();
  return std::nullopt;
}

std::vector<std::string_view> firstWords() {
  return {
#define GNOMON_SUBCOMMAND(name, function, arguments, help) #name,
#define GNOMON_LATER(name, help) #name,
#include "Subcommands.def"
#undef GNOMON_SUBCOMMAND
#undef GNOMON_LATER
      "--flag", "--trace-flag", "--prefix", "--version", "--help", "--help-all"};
}

int dispatch(const std::string &calledAs, const Arguments &arguments) {
  if (const auto code = asWrapper(calledAs, arguments))
    return *code;
  if (arguments.empty()) {
    printHelp(false);
    return static_cast<int>(ExitCode::BadInput);
  }
  const std::string &word = arguments.front();
  if (const auto code = asOption(word))
    return *code;
  if (const auto code = asSubcommand(word, Arguments(arguments.begin() + 1, arguments.end())))
    return *code;
  fail("unknown {} '{}'{}", word[0] == '-' ? "option" : "subcommand", word,
       didYouMean(word, firstWords()));
}

} // namespace
} // namespace gnomon::driver

int main(int argc, char **argv) {
  using namespace gnomon;
  const std::string calledAs = std::filesystem::path(argc > 0 ? argv[0] : "gnomon").filename();
  try {
    const int code = driver::dispatch(calledAs, driver::Arguments(argv + 1, argv + argc));
    // A document that did not reach its file is an error, as with any other output.
    return std::fflush(stdout) == 0 ? code : static_cast<int>(ExitCode::NoOutput);
  } catch (const InputError &error) {
    std::fflush(stdout);
    std::fprintf(stderr, "gnomon: error: %s\n", error.what());
    return static_cast<int>(ExitCode::BadInput);
  }
}
