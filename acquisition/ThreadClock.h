// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The CPU seconds of a thread, cheaply. The kernel's clock of a thread is a system call: some
/// microseconds on a virtual machine, more than many programs compute between two calls of MPI. The
/// monotonic clock is none, but goes on while another thread has the core. So this goes by the
/// monotonic clock between readings that are near each other (a lost core is a gap, of a time
/// slice), and is set by the thread's where they are not:
///
///   gap = seconds since the latest reading
///   gap < LongestGap, and the thread's clock was read less than Trust ago:
///     clock += gap
///   else:
///     clock += what passed by the thread's clock since that was read, less what of it has been
///              counted already, if positive
#pragma once

namespace gnomon::acquisition {

class ThreadClock {
public:
  static constexpr double LongestGap = 20e-6, Trust = 1e-3;

  /// Seconds; never decreases.
  double read();

private:
  double seconds_ = 0;     ///< the latest reading
  double monotonic_ = 0;   ///< the monotonic clock then
  double thread_ = 0;      ///< the thread's clock when it was read
  double secondsThen_ = 0; ///< the reading then
  double monotonicThen_ = -1;
};

} // namespace gnomon::acquisition
