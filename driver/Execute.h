// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Becoming another program, and asking one for its output; no shell in between.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gnomon::driver {

/// Replaces this process by \p program (searched in PATH when it has no slash) with \p arguments,
/// whose first is argv[0]. \throws UsageError with \p remedy when the program cannot be started.
[[noreturn]] void become(const std::string &program, const std::vector<std::string> &arguments,
                         const std::string &remedy);

struct Outcome {
  int status = -1;    ///< exit code; 128 + signal; -1: could not be started
  std::string output; ///< stdout and stderr together
};

/// Runs \p arguments to its end and returns what it wrote.
Outcome capture(const std::vector<std::string> &arguments);

} // namespace gnomon::driver
