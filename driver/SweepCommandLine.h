// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The command line of `gnomon sweep`: its own options (SweepOptions.def) among those of run and
/// replay.
#pragma once

#include "sweep/Axes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::driver {

struct SweepCommandLine {
  std::vector<std::string> options; ///< of run or replay, for all runs
  std::vector<std::string> program; ///< with its arguments, or a trace
  std::vector<sweep::Axis> axes;
  std::string csv, json, svg;
  uint32_t jobs = 0;   ///< 0: not said
  bool resume = false; ///< with what `json` has
  bool quiet = false;
  bool help = false;
};

/// \throws UsageError: an unknown option, a value that is missing or wrong, no trace or program,
/// nothing that is varied, or an option that makes no sense for many runs. With --help, `help` only.
SweepCommandLine parseSweepCommandLine(const std::vector<std::string> &arguments);

} // namespace gnomon::driver
