// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that a sweep writes. CSV and JSON are written again as results come, so that a sweep
/// that is killed, or whose machine is, has left them what was known; they say INCOMPLETE until all
/// is. Whoever reads one meanwhile finds it whole: a new one replaces it in one step.
#pragma once

#include "SweepCommandLine.h"
#include "sweep/Table.h"

#include <chrono>

namespace gnomon::driver {

class SweepOutputs {
public:
  /// \p line outlives it. Throws UsageError where an output has no folder that can be written to:
  /// before hours have passed.
  explicit SweepOutputs(const SweepCommandLine &line);

  /// A result has come.
  void changed() { changed_ = true; }
  /// Writes what has come, if it is time: in a sweep of very many short runs, writing takes a
  /// twentieth of the time. Returns after how many ms it wants to be asked again, at the latest; -1:
  /// when another result has come.
  int writeIfDue(const sweep::Table &table);
  /// Writes all. What goes wrong is told on stderr; false then.
  bool finish(const sweep::Table &table) const;

private:
  using Clock = std::chrono::steady_clock;
  const SweepCommandLine &line_;
  bool changed_ = false, told_ = false;
  Clock::time_point due_; ///< long ago: the first result is written at once
};

} // namespace gnomon::driver
