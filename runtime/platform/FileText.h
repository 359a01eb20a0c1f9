// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reading of a whole input file.
#pragma once

#include <string>

namespace gnomon::platform {

/// The contents of \p file, a regular file or a pipe. Throws InputError when it cannot be read, is
/// something else, is larger than 256 MiB, or when nobody writes into the pipe for 10 s.
std::string readText(const std::string &file);

} // namespace gnomon::platform
