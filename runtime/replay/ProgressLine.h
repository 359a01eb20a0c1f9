// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How far a replay is, on a line of a terminal:
///
///     gnomon replay: 37 %, 12.3456 s simulated, 3.41 M actions/s, 12 s left
///
/// The rate is that of the last half second. What is left is estimated from the mean rate since the
/// start: actions to come may cost more or less than those before them.
#pragma once

#include <cstdint>
#include <string>

namespace gnomon::replay {

class ProgressLine {
public:
  /// A replay of \p total actions that begins at \p now, a date of process::wallSeconds().
  ProgressLine(uint64_t total, double now) : total_(total), beganAt_(now), shownAt_(now) {}

  /// Shows the line, unless it was shown a moment ago.
  void show(uint64_t played);
  /// The line at \p now, after \p played actions and \p simulatedSeconds.
  std::string text(uint64_t played, double simulatedSeconds, double now);

private:
  static constexpr double IntervalSeconds = 0.5;

  uint64_t total_;
  double beganAt_, shownAt_;
  uint64_t shown_ = 0; ///< actions that the last line told
};

} // namespace gnomon::replay
