// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Traces of every format that Gnomon knows: opened to be read record by record, and written.
#pragma once

#include "trace-formats/Import.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::traces {

enum class Format : uint8_t { Gnomon, Simgrid, Goal, Dimemas };

/// As `--from` and `--to` have it. Throws InputError that lists the names.
Format formatNamed(const std::string &name);
/// What a file of that name is: .goal, .dim, .txt, .tit, .idx; else Gnomon's own.
Format formatOf(const std::string &path);

struct Input {
  std::string path;
  std::optional<Format> format; ///< nothing: by the name
  std::string reader;           ///< a shared object that reads it; empty: Gnomon itself
};

/// The trace, as records. One of another format is converted to a file first, which has gone when
/// this returns. Throws InputError.
std::unique_ptr<trace::Source> open(const Input &input, trace::Conversion &conversion);

/// The records of a rank from \p first on; by the index where there is one.
std::unique_ptr<trace::Cursor> openAt(const trace::Source &source, uint32_t rank, uint64_t first);

struct Output {
  std::string path;
  std::optional<Format> format;
  double flopsPerSecond = 0;
  bool expandCollectives = false;
  bool singleFile = false;       ///< SimGrid: one file of all ranks, and no list of files
  bool blockCollectives = false; ///< SimGrid: nonblocking collectives become blocking ones
};

/// Copies a trace. What went wrong with the output; empty on success. Throws InputError.
std::string convert(const Input &input, const Output &output, trace::Conversion &conversion);

} // namespace gnomon::traces
