// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads traces of the simulator Dimemas (`.dim`), as its prv2dim and Extrae's merger write them:
/// text that begins with `#DIMEMAS:`, then a line for each burst, message, collective and event of
/// a task.
#pragma once

#include "trace-formats/Import.h"

namespace gnomon::trace::dimemas {

/// Reads the file twice: only a collective's root knows that it is. Memory grows with the tasks and
/// with the collectives that have a root. Throws InputError with file and line.
void read(const std::string &path, const OpenSink &open, Conversion &conversion);

} // namespace gnomon::trace::dimemas
