// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes a trace as LogGOPSim's GOAL text (Hoefler, Siebert, Lumsdaine: Group Operation Assembly
/// Language, ICPP 2009): per rank operations with labels, and which require which.
///
/// Each operation requires the one before it: finished (`requires`) if that is a blocking call,
/// started (`irequires`) if it is a nonblocking one. What a wait waited for, the next operation
/// requires.
#pragma once

#include "trace-formats/Import.h"
#include "trace/Target.h"

namespace gnomon::trace::goal {

struct WriteOptions {
  /// Operations a second, by which counted instructions become time; 0: measured seconds are taken.
  double flopsPerSecond = 0;
  /// Collectives become messages (goal/Collectives.h); else they are refused.
  bool expandCollectives = false;
};

/// Throws InputError where GOAL has no words for a call: with function, rank, number of the record,
/// and what to do.
void write(const Source &source, const std::string &path, Target &target,
           const WriteOptions &options, Conversion &conversion);

} // namespace gnomon::trace::goal
