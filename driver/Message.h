// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the driver says: always to stderr, always with the program's name in front, worded like
/// clang's diagnostics (lower case, no full stop).
#pragma once

#include <fmt/format.h>

#include "support/Error.h"

#include <cstdio>
#include <utility>

namespace gnomon::driver {

/// A command line or a program that cannot be run: thrown where it is found, printed once in Main,
/// exit 2.
using UsageError = InputError;

template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args &&...args) {
  throw UsageError("", 0, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args> void note(fmt::format_string<Args...> format, Args &&...args) {
  fmt::print(stderr, "gnomon: note: {}\n", fmt::format(format, std::forward<Args>(args)...));
}

} // namespace gnomon::driver
