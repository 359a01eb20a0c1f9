// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time-independent traces: the file of --trace that a run writes, and the trace that a replay plays.
#pragma once

#include "gnomon/Module.h"
#include "launch/Options.h"
#include "output/OutputFile.h"
#include "replay/Replay.h"
#include "trace/TraceWriter.h"

#include <memory>
#include <string>

namespace gnomon::launch {

/// The file of --trace, opened; the ranks' records go into it from the start on.
std::unique_ptr<trace::TraceWriter> openTrace(std::unique_ptr<output::OutputFile> file,
                                              size_t ranks);
/// All that was recorded becomes part of the file, which gets its name. Returns what went wrong;
/// empty on success.
std::string finishTrace(trace::TraceWriter &writer, bool complete);

/// Makes the playing of a trace the program of this process, whose record is \p player.
void registerPlayer(gnomon_module &player);
/// The trace that the run plays in place of a program; null: it has a program. Throws InputError
/// when it cannot be read, or has no volumes of the kind asked for.
std::unique_ptr<replay::Replay> openReplay(const Options &options);

} // namespace gnomon::launch
