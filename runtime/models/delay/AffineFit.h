// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The line alpha + b / beta that is nearest to measured times, in the mean logarithmic error:
///     alpha, beta = argmin  mean over points of | ln(alpha + b / beta) - ln t |
/// For a given h = alpha beta the best 1 / beta is the median of t / (h + b) (exactly: the error is
/// a sum of absolute values in ln(1 / beta)); h itself is found by a search over its logarithm.
///
/// Source of the criterion: Clauss et al. 2011, section 7.1 (error) and 7.1.1 ("best-fit affine").
/// Costs O(points log points) for each of some hundred steps.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace gnomon::models {

struct TimedSize {
  double bytes, seconds;
};

struct AffineLine {
  double latencySeconds = 0; ///< alpha
  double bandwidth = 0;      ///< beta, bytes/s
  double seconds(double bytes) const { return latencySeconds + bytes / bandwidth; }
};

/// \p points: two or more different sizes, times above 0.
AffineLine fitAffine(std::span<const TimedSize> points);

/// The mean of | ln of the line's time - ln of the point's time |.
double meanLogError(const AffineLine &line, std::span<const TimedSize> points);

/// A file of measured one-way times: lines `BYTES SECONDS`, units allowed, `#` for comments. Throws
/// InputError with file and line.
std::vector<TimedSize> readTimedSizes(const std::string &file);

} // namespace gnomon::models
