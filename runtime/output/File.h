// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whole files: written beside their place first, renamed when they are complete.
#pragma once

#include <string>
#include <string_view>

namespace gnomon::output {

/// Writes \p text to \p path. What went wrong ("cannot write out.json: No space left on device");
/// empty on success.
std::string writeFile(const std::string &path, std::string_view text);

/// The file's text. Throws InputError.
std::string readFile(const std::string &path);

} // namespace gnomon::output
