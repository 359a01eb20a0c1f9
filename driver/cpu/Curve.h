// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How fast k copies of a kernel run at once, for k from one to all cores.
///
///   rate(k)     work a copy does in a second of its CPU time, mean over the copies, median over
///               the repetitions
///   slowness(k) = rate(1) / rate(k): a burst takes so many times longer than alone
///
/// Example: memory moves 20 GB/s and one core alone can move 12. Then slowness(1) = 1,
/// slowness(2) = 1.2 and slowness(4) = 2.4.
#pragma once

#include "cpu/Processors.h"

#include <cstdint>
#include <vector>

namespace gnomon::cpu {

struct Point {
  int busy = 0;
  double rate = 0;
  double slowness = 0;
  double spread = 0;   ///< (greatest − least) / median over the repetitions
  double cpuShare = 0; ///< least of a copy's CPU seconds by the wall clock's: less than 1 where
                       ///< others took its core
};

struct Curve {
  size_t kernel = 0; ///< of Kernels
  uint64_t workingSetBytes = 0;
  std::vector<Point> points;
};

struct Plan {
  double sampleSeconds = 0.05;
  int repetitions = 5;
};

/// How many copies are tried: each number up to 16, then about 16 more up to \p cores.
std::vector<int> busyNumbers(int cores);

/// A curve for each of Kernels, over the cores; \p processors.cores of them. Throws InputError when
/// a thread cannot be started.
std::vector<Curve> measureCurves(const Processors &processors, const Plan &plan);

/// Of the reference kernel on one core, flop/s: the best of some tries, as runs measure it.
double nominalSpeed(double seconds);

} // namespace gnomon::cpu
