// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The thread's CPU seconds, cheaply. The kernel's clock of a thread is a system call: half a
/// microsecond on a virtual machine, as long as what many programs compute between two calls of MPI.
/// The processor's counter takes some ten nanoseconds, but goes on while another thread has the core.
/// So the meter goes by the counter from one reading to the next as long as they are near each
/// other, and is set by the thread's clock where they are not:
///
///   gap = counter's seconds since the latest reading
///   gap < LongestGap:
///     meter += gap − what a reading of the counter takes
///   else:
///     meter += what passed by the thread's clock since that was read − what of it the meter has already
///              counted − what a reading of the clock takes, if positive
///
/// A lost core is a gap, of a time slice. What readings of either clock take is in no difference of
/// two readings. The thread's clock is read every Trust, so that the two cannot part for long; what
/// the counter counted too much stays counted: the next stretch may be another rank's.
#pragma once

#include <cstdint>

namespace gnomon::process {

class ThreadMeter {
public:
  /// Losses of the core are longer: slices are of 0.7 ms and more.
  static constexpr double LongestGap = 20e-6;
  /// As long as the counter goes on by itself.
  static constexpr double Trust = 1e-3;

  /// Seconds. Never decreases.
  double read();

private:
  void countByThreadClock();
  void readThreadClock();

  double seconds_ = 0;     ///< the latest reading
  uint64_t ticks_ = 0;     ///< the counter then
  double clock_ = 0;       ///< the thread's clock when it was read
  double secondsThen_ = 0; ///< the meter then
  uint64_t ticksThen_ = 0; ///< the counter then
  bool set_ = false;       ///< the clock has been read
};

} // namespace gnomon::process
