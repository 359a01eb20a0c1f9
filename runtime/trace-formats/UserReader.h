// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs a reader that the user has written: a shared object with gnomon_read_trace
/// (gnomon/TraceReader.h). What it gives is checked before it is believed.
#pragma once

#include "trace-formats/Import.h"

struct gnomon_trace_sink;

namespace gnomon::trace::user {

using ReadTrace = int (*)(const char *path, const gnomon_trace_sink *sink);

/// Loads \p object and reads \p path by it. Throws InputError that names the trace for what the
/// reader finds wrong in it, and the object for what is wrong with the reader.
void read(const std::string &object, const std::string &path, const OpenSink &open);

/// The same by a function that is there already.
void read(ReadTrace readTrace, const std::string &object, const std::string &path,
          const OpenSink &open);

} // namespace gnomon::trace::user
