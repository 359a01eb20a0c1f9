// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writing to a descriptor from inside the user's process, where libgnomon's own write() belongs to
/// the ranks.
#pragma once

#include <string_view>

namespace gnomon {

/// Writes all of \p text by system calls; also fit for a signal handler. False with errno when it
/// could not.
bool writeFully(int descriptor, std::string_view text);

} // namespace gnomon
