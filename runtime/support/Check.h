// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// CHECK(condition, "what was expected"): an invariant of Gnomon itself. Always on. A failure is
/// our bug, never the user's: it prints the place, the simulated time and the rank, and ends the
/// process.
#pragma once

#include <string>

namespace gnomon {

/// Describes the simulation's state for failed checks ("at 1.5 s, rank 3"); set once by launch.
using StateDescriber = std::string (*)();
void setStateDescriber(StateDescriber describe);

[[noreturn]] void checkFailed(const char *file, int line, const char *condition, const char *text);

} // namespace gnomon

#define CHECK(condition, text)                                                                     \
  (__builtin_expect(!!(condition), 1)                                                              \
       ? static_cast<void>(0)                                                                      \
       : ::gnomon::checkFailed(__FILE__, __LINE__, #condition, text))
