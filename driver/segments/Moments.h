// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Weighted moments of points (b, t) as they are added one by one, and the line of least squares
/// that follows from them. Deviations are from the running means, so that nothing is lost between
/// sizes of one byte and of a gigabyte (Welford 1962, West 1979).
#pragma once

#include "segments/Segments.h"

namespace gnomon::segments {

struct Moments {
  double weight = 0, meanBytes = 0, meanSeconds = 0;
  double bytesBytes = 0, bytesSeconds = 0, secondsSeconds = 0; ///< sums of products of deviations

  void add(double bytes, double seconds, double w);
  /// The least-squares line without conditions; level where all sizes are one.
  StraightLine freeLine() const;
  /// The least-squares line with p >= 0 and a >= \p addedBytes p.
  StraightLine line(double addedBytes) const;
  /// The sum of weighted squares that \p line leaves.
  double residual(const StraightLine &line) const;
  /// The correlation coefficient of size and time; 0 where one of them does not vary.
  double correlation() const;
};

} // namespace gnomon::segments
