// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who is told how much each rank computes, as the run is recorded for replay (room api). Room ranks
/// measures, and knows no trace.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace gnomon::process {

class Rank;

/// Of a part of a computation: a burst, or the code between bursts. What was skipped is in it as what
/// it would have taken.
struct Volume {
  double instructions = std::numeric_limits<double>::quiet_NaN(); ///< NaN: not counted
  double seconds = std::numeric_limits<double>::quiet_NaN(); ///< of this machine; NaN: not measured
};

class VolumeSink {
public:
  virtual ~VolumeSink() = default;
  /// The number of the burst of that name; 0 is the code between bursts.
  virtual uint32_t part(const std::string &name) = 0;
  /// The rank has computed \p volume, of \p part. It may be negative, where the part before got too
  /// much: code counts its instructions some way ahead. The sum is right when it is played.
  virtual void computed(const Rank &rank, uint32_t part, const Volume &volume) = 0;
  /// What it has computed takes simulated time now.
  virtual void played(const Rank &rank) = 0;
  /// The program has read a clock \p readings times since the last call of this.
  virtual void readClock(const Rank &rank, uint32_t readings) = 0;
  virtual void sleeps(const Rank &rank, double seconds) = 0;
};

/// Of the running simulation; null: the run is not recorded.
inline constinit VolumeSink *volumeSink = nullptr;

} // namespace gnomon::process
