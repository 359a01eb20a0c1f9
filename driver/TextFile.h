// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Outputs of subcommands that are one text: JSON, SVG, a table.
#pragma once

#include <string>

namespace gnomon::driver {

/// Writes \p text to \p file; when that fails, says so on stderr and gives false.
bool writeText(const std::string &file, const std::string &text);

} // namespace gnomon::driver
