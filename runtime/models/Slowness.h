// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How busy cores of a host slow each other down: they share memory's bandwidth and caches.
///     "2:1.2;4:2.4"    with 2 busy cores bursts take 1.2 times as long, with 4 cores 2.4 times
/// Between two points it is linear, from (1, 1) on; beyond the last one it stays. `gnomon calibrate
/// cpu` measures the curve, of kernels that only move memory. Of a burst that moves memory in a
/// share m of its time, and is as fast as ever in the rest, it is 1 + m (slowness - 1).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gnomon::models {

class Slowness {
public:
  /// None: cores do not disturb each other.
  Slowness() = default;
  /// Throws NumberError: cores must rise from 2 on, factors be 1 or more.
  static Slowness parse(std::string_view text);

  bool isOne() const { return points_.empty(); }
  /// Of a burst that moves memory in a part \p share of its time.
  double operator()(size_t busyCores, double share) const;

  double memoryShare = 1; ///< m, 0 to 1, of bursts of which nothing else is known

private:
  struct Point {
    double cores, factor;
  };
  std::vector<Point> points_; ///< by cores
};

} // namespace gnomon::models
