// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads SimGrid's time-independent traces: text, `rank action arguments`, as `smpirun -trace-ti`
/// writes and `smpirun -replay` reads them.
///
/// The file is either the text of all ranks, or lists files: one of all ranks, or one a rank in the
/// order of ranks. Names in a list are looked for from here, then beside the list.
#pragma once

#include "trace-formats/Import.h"

namespace gnomon::trace::simgrid {

/// Streams: memory grows with ranks and open requests only. Throws InputError with file and line.
void read(const std::string &path, const OpenSink &open, Conversion &conversion);

} // namespace gnomon::trace::simgrid
