// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the running `gnomon` is installed. Nothing is compiled in: the prefix is found from the
/// program's own file, so that an installation can be moved and the build tree's staging prefix
/// works like an installed one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gnomon::driver {

enum class Language { C, Cxx, Fortran };

/// What the driver knows of one language: which compiler, which variable overrides it, which file
/// of the configuration directory that compiler reads.
struct Compiler {
  Language language;
  const char *program;       ///< as found in PATH
  const char *environment;   ///< overrides `program` when set and not empty
  const char *configuration; ///< file name in configurationDirectory()
};

class Installation {
public:
  /// Finds the prefix from /proc/self/exe. \throws UsageError when that cannot be read.
  static Installation ofThisProgram();

  explicit Installation(std::filesystem::path prefix) : prefix_(std::move(prefix)) {}

  const std::filesystem::path &prefix() const { return prefix_; }
  std::filesystem::path configurationDirectory() const { return prefix_ / "share/gnomon/clang"; }
  std::filesystem::path includeDirectory() const { return prefix_ / "include/gnomon"; }
  std::filesystem::path helperDirectory() const { return prefix_ / "libexec/gnomon"; }

  /// The one compiler flag.
  std::string flag() const;
  /// The flag of programs that a real MPI runs and that are traced there.
  std::string traceFlag() const;

  /// The flags that the flag stands for, as the configuration file of \p compiler lists them:
  /// comments dropped, <CFGDIR> expanded, link-only marks ('$') taken off.
  std::vector<std::string> expandedFlags(const Compiler &compiler) const;

private:
  std::filesystem::path prefix_;
};

const Compiler &compilerOf(Language language);

/// The program to start for \p compiler: its environment variable or its name.
std::string programOf(const Compiler &compiler);

} // namespace gnomon::driver
