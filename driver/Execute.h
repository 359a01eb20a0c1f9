// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Becoming another program, and asking one for its output; no shell in between.
#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <sys/types.h>
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

/// A process that runs beside this one. It gets SIGTERM when this one ends.
struct Child {
  pid_t process = -1;
  int errors = -1; ///< what it writes to stderr; to read without waiting, and to close
};

/// Starts \p program (a path) with \p arguments, whose first is argv[0], and the signals of \p mask
/// blocked. It reads nothing, and its standard output goes nowhere. \throws UsageError.
Child beginChild(const std::string &program, const std::vector<std::string> &arguments,
                 const sigset_t &mask);

} // namespace gnomon::driver
