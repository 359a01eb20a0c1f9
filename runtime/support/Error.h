// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bad input found before the simulation starts (platform file, host file, option). Thrown where it
/// is found, caught once in launch, which prints `file:line: text` and exits with
/// ExitCode::BadInput.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace gnomon {

class InputError : public std::runtime_error {
public:
  /// \p line is 1-based; 0 when the input has no lines (an option).
  InputError(std::string file, int line, const std::string &text)
      : std::runtime_error(render(file, line, text)), file_(std::move(file)), line_(line) {}

  const std::string &file() const { return file_; }
  int line() const { return line_; }

private:
  static std::string render(const std::string &file, int line, const std::string &whole) {
    // A name in a damaged file may be as long as the file.
    constexpr size_t Longest = 1000;
    const std::string text = whole.size() > Longest ? whole.substr(0, Longest) + "…" : whole;
    if (line > 0)
      return file + ":" + std::to_string(line) + ": " + text;
    return file.empty() ? text : file + ": " + text;
  }
  std::string file_;
  int line_;
};

/// The process's exit codes that are Gnomon's own. Everything else is the program's.
enum class ExitCode : int {
  Success = 0,
  MpiError =
      1, ///< an MPI error under MPI_ERRORS_ARE_FATAL, or a rank that left without MPI_Finalize
  BadInput = 2,   ///< platform, host file, option, program
  Deadlock = 3,   ///< no event left while ranks wait
  NoProgress = 4, ///< --timeout, a rank that spins, an output that cannot be written
  Crash =
      139, ///< a rank's segmentation fault or stack overflow (128 + signal, as a shell prints it)
};

} // namespace gnomon
