// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank's CPU bursts. With c the CPU seconds that the thread spent between leaveRuntime and
/// enterRuntime,
///   simulated seconds of the burst = c × host speed / target speed      (Settings::hostSpeedFlops,
///   Host::speedFlops)
/// played as c × host speed flops of the rank's simulated host by the compute model. Bursts below
/// the threshold add up until together they reach it. Readings of clocks cost fixed simulated
/// seconds on top.
#pragma once

#include <cstdint>

namespace gnomon::process {

/// MXCSR of a new process: all exceptions masked, none signalled, round to nearest.
inline constexpr uint32_t DefaultFloatControl = 0x1f80;

struct BurstClock {
  uint32_t floatControl = DefaultFloatControl; ///< the rank's MXCSR while the runtime runs
  uint32_t depth = 0;                          ///< of enterRuntime; 0: the user's code runs
  double startedAt = 0;                        ///< thread CPU seconds when the burst began
  double carriedSeconds = 0;  ///< CPU seconds of bursts below the threshold, not yet charged
  double pendingSeconds = 0;  ///< simulated seconds of clock readings, not yet charged
  double computedSeconds = 0; ///< simulated, charged so far
  double lastReading = 0;     ///< of the rank's clock: readings never decrease
  bool running = false;       ///< whether the rank has a clock (ranks of some unit tests have none)
};

/// CPU seconds of this thread.
double threadCpuSeconds();

/// Flop/s of one core of this machine: a chain of fused multiply-adds, best of several short runs
/// (at most about 30 ms together). Measured at the first call.
double measuredHostSpeed();

} // namespace gnomon::process
