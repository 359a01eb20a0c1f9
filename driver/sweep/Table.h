// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What came of a sweep: a row for each combination, in their order, however many ran at a time. But
/// for `host` in the JSON, nothing depends on when and where the runs ran.
#pragma once

#include "sweep/Axes.h"
#include "sweep/Origin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::sweep {

struct Row {
  std::vector<std::string> values; ///< of the axes
  std::optional<int> exitCode;     ///< nothing: it has not run, or not to its end
  struct Result {
    double simulatedSeconds = 0;
    uint64_t ranks = 0, messages = 0, bytes = 0;
  };
  std::optional<Result> result; ///< of a run with exit code 0 that has said it
  std::string error;            ///< of another, its own first words
};

struct Table {
  std::string input; ///< the trace or the program, as it was given
  bool isTrace = true;
  Origin origin;
  std::vector<Axis> axes;
  std::vector<Row> rows;
  uint32_t jobs = 0;      ///< at a time
  double wallSeconds = 0; ///< of this machine

  /// Rows that have run.
  size_t known() const;
  bool complete() const { return known() == rows.size(); }
  bool allSucceeded() const;
  /// The time in relation to the first row's; nothing where either is unknown, or the first's is 0.
  std::optional<double> ratio(const Row &row) const;
};

/// A row as one line of text: "griffon.xml, 2x: 7.13 s".
std::string renderLine(const Row &row);
/// Columns of text, for a terminal. What has not run is left out, and "INCOMPLETE" says so.
std::string renderText(const Table &table);
/// RFC 4180; a number that is not known is empty. A sweep that was cut short ends in a line of its own.
std::string renderCsv(const Table &table);
/// share/gnomon/schema/sweep.json.
std::string renderJson(const Table &table);

} // namespace gnomon::sweep
