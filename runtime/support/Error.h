// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bad input found before the simulation starts (platform file, host file, option). Thrown where it
/// is found, caught once in launch, which prints `file:line: text` and exits with
/// ExitCode::BadInput.
#pragma once

#include <stdexcept>
#include <string>

namespace gnomon {

class InputError : public std::runtime_error {
public:
  /// \p line is 1-based; 0 when the input has no lines (an option).
  InputError(std::string file, int line, const std::string &text);

  const std::string &file() const { return file_; }
  int line() const { return line_; }

private:
  std::string file_;
  int line_;
};

/// The process's exit codes that are Gnomon's own, as gnomon/ExitCodes.def explains them. Everything
/// else is the program's.
enum class ExitCode : int {
#define GNOMON_EXIT_CODE(name, code, word, happened, ofCheck) name = code,
#define GNOMON_EXIT_CODE_OTHER(code, word, happened)
#include "gnomon/ExitCodes.def"
#undef GNOMON_EXIT_CODE
#undef GNOMON_EXIT_CODE_OTHER
};

} // namespace gnomon
