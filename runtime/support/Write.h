// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writing to a descriptor from inside the user's process, where libgnomon's own write() belongs to
/// the ranks.
#pragma once

#include <cstdint>
#include <string_view>

namespace gnomon {

/// Writes all of \p text by system calls; also fit for a signal handler. False with errno when it
/// could not.
bool writeFully(int descriptor, std::string_view text);

/// The same from \p offset of the file on, wherever its position is.
bool writeFullyAt(int descriptor, std::string_view text, uint64_t offset);

/// Whether this thread is in one of these functions: a signal that comes then (SIGPIPE, SIGXFSZ) is
/// about Gnomon's own output, and not about what the program wrote.
bool writesItself();

} // namespace gnomon
