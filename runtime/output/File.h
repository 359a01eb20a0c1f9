// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of whole files.
#pragma once

#include <string>

namespace gnomon::output {

/// The file's text. Throws InputError.
std::string readFile(const std::string &path);

} // namespace gnomon::output
