// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who is told how much each rank computes, as the run is recorded for replay (room api). Room ranks
/// measures, and knows no trace.
#pragma once

#include <cstdint>
#include <limits>

namespace gnomon::process {

class Rank;

/// Of a part of a computation. What was skipped is in it as what it would have taken.
struct Volume {
  double instructions = std::numeric_limits<double>::quiet_NaN(); ///< NaN: not counted
  double seconds = std::numeric_limits<double>::quiet_NaN(); ///< of this machine; NaN: not measured
};

class VolumeSink {
public:
  virtual ~VolumeSink() = default;
  /// The rank has computed \p volume since it last called the runtime. \p played: that, and what it
  /// computed before for too short a time, takes simulated time now.
  virtual void computed(const Rank &rank, const Volume &volume, bool played) = 0;
  /// The program has read a clock \p readings times since the last call of this.
  virtual void readClock(const Rank &rank, uint32_t readings) = 0;
  virtual void sleeps(const Rank &rank, double seconds) = 0;
};

/// Of the running simulation; null: the run is not recorded.
inline constinit VolumeSink *volumeSink = nullptr;

} // namespace gnomon::process
