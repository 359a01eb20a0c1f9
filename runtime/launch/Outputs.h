// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that a run writes at its end. They are opened before the start, so that a run of hours
/// does not end with a name that cannot be written, and none of them is a file that the run reads.
#pragma once

#include "launch/Options.h"
#include "output/CallFile.h"
#include "output/OutputFile.h"
#include "platform/Platform.h"
#include "trace/TraceWriter.h"

#include <memory>

namespace gnomon::launch {

/// A file each that was asked for; null: not asked for.
struct Outputs {
  std::unique_ptr<output::OutputFile> json, bursts, recordProfile, recordDecisions, collMessages;
  std::unique_ptr<output::CallFile> commTrace; ///< lines from the start on
  std::unique_ptr<trace::TraceWriter> trace;   ///< records from the start on
};

/// Opens them. Throws InputError when one cannot be written, or is the program, a library, an input,
/// a standard stream or another one of them.
Outputs openOutputs(const Options &options, const platform::Platform &platform, size_t ranks);

} // namespace gnomon::launch
