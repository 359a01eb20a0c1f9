// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A clock of a test's own in place of the thread's CPU time.
#pragma once

namespace gnomon::process {

/// What threadCpuSeconds gives from now on; null: the thread's time again.
void setThreadClockForTest(double (*clock)());

} // namespace gnomon::process
