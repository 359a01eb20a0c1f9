// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The program that a user asks to simulate: where it is, and whether it can be simulated at all.
#pragma once

#include <string>
#include <vector>

namespace gnomon::driver {

/// What the headers of an ELF file tell.
struct ElfSummary {
  bool isElf = false;
  bool isNative = false;           ///< 64-bit, of this machine's architecture
  bool isDynamic = false;          ///< has a dynamic section
  std::vector<std::string> needed; ///< its direct dependencies (DT_NEEDED)
  std::string dynamicStrings;      ///< the string table of its dynamic symbols

  /// Whether a dynamic symbol (or a dependency) has this name.
  bool names(const std::string &symbol) const;
};

/// The file that execvp() would start for \p name: as it is when it has a slash, else the first
/// executable file of that name in PATH. \throws UsageError when there is none.
std::string findProgram(const std::string &name);

/// Reads the headers of \p path; never trusts an offset of the file. \throws UsageError when it
/// cannot be read.
ElfSummary readElf(const std::string &path);

/// \throws UsageError, saying what the program is and what to do, unless it was built with the
/// flag.
void checkProgram(const std::string &path);

} // namespace gnomon::driver
