// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A line on the terminal at the real standard error that says how far the simulation is. The next
/// one takes its place, and whatever else is said there (printError, World.h).
#pragma once

#include <string_view>

namespace gnomon::process {

/// Shows \p line, which has no newline; empty: takes away what is shown.
void showStatus(std::string_view line);

} // namespace gnomon::process
