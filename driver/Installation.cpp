// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The installation's places, and the flags behind the flag.
#include "Installation.h"

#include "Message.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace gnomon::driver {

static const Compiler compilers[] = {
    {Language::C, "clang-22", "GNOMON_CC", "clang.cfg"},
    {Language::Cxx, "clang++-22", "GNOMON_CXX", "clang++.cfg"},
    {Language::Fortran, "flang-22", "GNOMON_FC", "flang.cfg"},
};

Installation Installation::ofThisProgram() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    fail("cannot find the installation: /proc/self/exe: {}", error.message());
  // <prefix>/bin/gnomon
  return Installation(program.parent_path().parent_path());
}

std::string Installation::flag() const {
  return "--config-user-dir=" + configurationDirectory().string();
}

std::string Installation::traceFlag() const {
  return "--config-user-dir=" + (prefix_ / "share/gnomon/clang-trace").string();
}

static void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// Makes <prefix>/share/gnomon/clang/../../../lib the path that a person (and CMake) would write.
static std::string normalized(const std::string &flag) {
  for (const char *lead : {"-I", "-L", "-Wl,-rpath,", "-Wl,--load-pass-plugin=", "-fplugin=",
                           "-fpass-plugin=", "-fintrinsic-modules-path="}) {
    const std::string prefix = lead;
    if (flag.compare(0, prefix.size(), prefix) == 0)
      return prefix + std::filesystem::path(flag.substr(prefix.size())).lexically_normal().string();
  }
  return flag;
}

std::vector<std::string> Installation::expandedFlags(const Compiler &compiler) const {
  const std::filesystem::path file = configurationDirectory() / compiler.configuration;
  std::ifstream stream(file);
  if (!stream)
    fail("cannot read '{}': the installation is incomplete; install it again", file.string());
  std::vector<std::string> flags;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word.front() == '#')
        break;
      if (word.front() == '$')
        word.erase(0, 1);
      replaceAll(word, "<CFGDIR>", configurationDirectory().string());
      flags.push_back(normalized(word));
    }
  }
  return flags;
}

const Compiler &compilerOf(Language language) { return compilers[static_cast<int>(language)]; }

std::string programOf(const Compiler &compiler) {
  const char *chosen = std::getenv(compiler.environment);
  return chosen && *chosen ? chosen : compiler.program;
}

} // namespace gnomon::driver
