// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The compilers with the flag, under Gnomon's names (cc, cxx, fc) and under MPI's (mpicc, mpicxx,
/// mpifort…).
///
/// Build systems ask MPI's wrappers what they would do, in Open MPI's words (-showme:compile) or
/// MPICH's
/// (-compile-info, -show), and look for -I, -L and -l in the answer: so the answers carry what the
/// flag stands for, read from the same configuration file that the compiler reads.
#include "Documents.h"
#include "Execute.h"
#include "Message.h"
#include "Subcommands.h"

#include <cstdio>
#include <functional>

namespace gnomon::driver {

static int compile(Language language, const Arguments &arguments) {
  const Compiler &compiler = compilerOf(language);
  const std::string program = programOf(compiler);
  Arguments line = {program, Installation::ofThisProgram().flag()};
  line.insert(line.end(), arguments.begin(), arguments.end());
  become(program, line, fmt::format("install it or set {}", compiler.environment));
}

int compileC(const Arguments &arguments) { return compile(Language::C, arguments); }
int compileCxx(const Arguments &arguments) { return compile(Language::Cxx, arguments); }
int compileFortran(const Arguments &arguments) { return compile(Language::Fortran, arguments); }

static bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

static bool isLinkFlag(const std::string &flag) {
  return startsWith(flag, "-L") || startsWith(flag, "-l") || startsWith(flag, "-Wl,") ||
         startsWith(flag, "-fuse-ld=");
}

static bool isCompileFlag(const std::string &flag) { return !isLinkFlag(flag); }

// Link-time optimisation and the linker are chosen with -f options; the rest of -f is for
// compiling.
static bool isForLinkLine(const std::string &flag) { return isLinkFlag(flag) || flag == "-flto"; }

using Filter = std::function<bool(const std::string &)>;

static std::string joined(const Arguments &flags, const Filter &wanted, size_t skip = 0) {
  std::string text;
  for (const std::string &flag : flags)
    if (wanted(flag))
      text += (text.empty() ? "" : " ") + flag.substr(skip);
  return text;
}

static Filter withPrefix(const std::string &prefix) {
  return [prefix](const std::string &flag) { return startsWith(flag, prefix); };
}

static bool everything(const std::string &) { return true; }

/// The answer to \p query, or false when it is no query but an option of the compiler's.
static bool answer(const std::string &query, const std::string &program, const Arguments &flags,
                   const Arguments &rest) {
  std::string text;
  if (query == "-show" || query == "-showme" || query == "-compile-info" || query == "-link-info") {
    text = program + " " + joined(flags, everything);
    for (const std::string &argument : rest)
      text += " " + argument;
  } else if (query == "-showme:command")
    text = program;
  else if (query == "-showme:compile")
    text = joined(flags, isCompileFlag);
  else if (query == "-showme:link")
    text = joined(flags, isForLinkLine);
  else if (query == "-showme:incdirs")
    text = joined(flags, withPrefix("-I"), 2);
  else if (query == "-showme:libdirs")
    text = joined(flags, withPrefix("-L"), 2);
  else if (query == "-showme:libs")
    text = joined(flags, withPrefix("-l"), 2);
  else if (query == "-showme:version")
    text = versionLine();
  else
    return false;
  std::printf("%s\n", text.c_str());
  return true;
}

int wrapCompiler(const std::string &wrapper, const Compiler &compiler, const Arguments &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool isQuery = startsWith(arguments[i], "-show") || arguments[i] == "-compile-info" ||
                         arguments[i] == "-link-info";
    if (!isQuery)
      continue;
    Arguments rest = arguments;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
    if (answer(arguments[i], programOf(compiler),
               Installation::ofThisProgram().expandedFlags(compiler), rest))
      return 0;
    fail("{}: unknown query '{}'; -show, -showme and "
         "-showme:{{compile,link,command,incdirs,libdirs,libs,"
         "version}} are known",
         wrapper, arguments[i]);
  }
  return compile(compiler.language, arguments);
}

int analyze(const Arguments &arguments) {
  const std::string program =
      (Installation::ofThisProgram().helperDirectory() / "gnomon-analyze").string();
  Arguments line = {program};
  line.insert(line.end(), arguments.begin(), arguments.end());
  become(program, line, "the installation is incomplete");
}

} // namespace gnomon::driver
