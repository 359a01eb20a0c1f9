// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of a whole input file.
#pragma once

#include <string>

namespace gnomon::platform {

/// The contents of \p file. Throws InputError when it cannot be read, is no regular file, or is
/// larger than 1 GiB.
std::string readText(const std::string &file);

} // namespace gnomon::platform
