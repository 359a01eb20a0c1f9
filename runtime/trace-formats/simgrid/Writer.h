// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes a trace as SimGrid's text, for `smpirun -replay`.
#pragma once

#include "trace-formats/Groups.h"
#include "trace-formats/Import.h"
#include "trace/Target.h"

namespace gnomon::trace::simgrid {

struct WriteOptions {
  /// For computations of which only seconds are known: operations a second of the host that SimGrid
  /// is told of. 0: none is given.
  double flopsPerSecond = 0;
  /// Nonblocking collectives, for which SimGrid has no words, become blocking ones; else they are
  /// refused.
  bool blockCollectives = false;
};

/// The text of one rank. \p path is the trace's, for messages. Throws InputError where SimGrid has
/// no words for a call: with function, rank, number of the record, and what to do.
void writeRank(const Source &source, const Groups &groups, const std::string &path, uint32_t rank,
               Target &target, const WriteOptions &options, Losses &losses);

/// All ranks in one file, rank after rank.
void write(const Source &source, const std::string &path, Target &target,
           const WriteOptions &options, Conversion &conversion);

} // namespace gnomon::trace::simgrid
