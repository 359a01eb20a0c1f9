// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reads LogGOPSim's GOAL text. A rank's operations are a graph there and a sequence here: they are
/// taken in an order that the graph allows. A message is blocking where all that follows requires
/// it, else it is nonblocking, and waited for before the first operation that requires it.
///
/// Where parts of a graph are independent, one sequence cannot say what the graph says: what waits
/// for one part keeps the other waiting too.
#pragma once

#include "trace-formats/Import.h"

namespace gnomon::trace::goal {

/// Holds the graph of a rank at a time. Throws InputError with file and line.
void read(const std::string &path, const OpenSink &open, Conversion &conversion);

} // namespace gnomon::trace::goal
