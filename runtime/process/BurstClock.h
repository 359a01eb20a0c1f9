// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank's computation. The meter counts what the rank's own code does between leaveRuntime and
/// enterRuntime: CPU seconds of the thread, or instructions that the modules count. With m the
/// meter's difference, o what the hooks of bursts themselves took of it, k the cost of one unit of
/// the meter, and s what skipped bursts would have cost,
///   cost = k (m − o) + s
///   simulated seconds = cost × f / target speed                        (Host::speedFlops)
/// and by --compute
///   measured   m in seconds, k = 1, f = host speed                      (Settings::hostSpeedFlops)
///   counted    m in instructions, k = 1, f = Settings::flopsPerInstruction
///   profile    m in instructions, k = seconds per instruction of the running code, f = host speed
///              of the recording
/// played as cost × f flops of the rank's simulated host by the compute model. Computations below
/// the threshold add up until together they reach it. Readings of clocks cost fixed simulated
/// seconds on top.
#pragma once

#include <cstdint>

namespace gnomon::process {

namespace burst {
struct RankState;
}

/// MXCSR of a new process: all exceptions masked, none signalled, round to nearest.
inline constexpr uint32_t DefaultFloatControl = 0x1f80;

struct BurstClock {
  uint32_t floatControl = DefaultFloatControl; ///< the rank's MXCSR while the runtime runs
  uint32_t depth = 0;                          ///< of enterRuntime; 0: the user's code runs
  double startedAt = 0;                        ///< reading of the meter when the computation began
  double own = 0;            ///< of the meter since then: the hooks', not the program's
  double costPerReading = 1; ///< of the meter, for the code that runs
  double carried = 0; ///< cost below the threshold, or of code at another rate: not yet charged
  double skipped = 0; ///< cost of skipped instances of bursts, not yet charged
  double pendingSeconds = 0;  ///< simulated seconds of clock readings, not yet charged
  double computedSeconds = 0; ///< simulated, charged so far
  double lastReading = 0;     ///< of the rank's clock: readings never decrease
  bool running = false;       ///< whether the rank has a clock (ranks of some unit tests have none)
  uint32_t entries = 0;       ///< how often the rank has entered the runtime
  burst::RankState *bursts = nullptr; ///< null: bursts are left alone
};

/// CPU seconds of this thread.
double threadCpuSeconds();

/// Whether computation takes simulated time in this run.
bool computationCosts();
/// The meter of the running simulation: seconds or instructions. 0 where computation costs nothing.
double meterReading();
/// What one unit of cost is worth in flop.
double flopsPerCost();
/// From now on a unit of the meter costs \p costPerReading on this rank.
void changeRate(BurstClock &clock, double costPerReading);

/// Flop/s of one core of this machine: a chain of fused multiply-adds, best of several short runs
/// (at most about 30 ms together). Measured at the first call.
double measuredHostSpeed();

} // namespace gnomon::process
