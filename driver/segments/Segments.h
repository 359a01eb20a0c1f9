// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Piece-wise lines through measured times, with breakpoints that the data choose.
///
/// Given times t_i of sizes b_i, rising, with relative standard errors e_i. A segmentation cuts them
/// into K runs of three sizes or more, and a run k has the line
///     f_k(b) = a_k + p_k b,      p_k >= 0,  a_k >= c p_k      (startup, seconds per byte)
/// (c: bytes that the model adds to each message, so that no factor of it comes out negative). Lines
/// are least squares in relative terms, because times span many orders of magnitude:
///     cost of a run = min over a, p of  sum of ((f(b_i) - t_i) / (e_i t_i))^2
///
/// Method `Bic` takes the segmentation of the least cost for each K, by dynamic programming over
/// the sorted sizes (Bellman 1961), and of these the one with the least
///     n ln(cost / n) + penalty (4 K - 2) ln n                 (Schwarz 1978)
/// K lines of two parameters; a breakpoint counts as two as well, because it is searched for, and
/// so fits noise more readily than a slope does (Zhang and Siegmund 2007). cost / n counts as 1/4 at
/// least: nobody measures what is left then.
/// Method `Correlation` is that of Clauss et al. 2011, section 4.1: the product over the runs of the
/// correlation coefficients of b and t is the greatest, found by the same dynamic programming, for
/// K = 3, as the paper has it in practice. (Over any K it is nearly always greatest for K = 1: the
/// greatest sizes alone make the coefficient of all the data 0.9999, and a product of several
/// coefficients is less.) Its lines are those above, because plain linear regression looks at the
/// greatest sizes only.
///
/// Cost: O(n^2) lines and O(K n^2) steps for n sizes.
///
/// Worked example: t = 10 us + b / (1 GB/s) up to 1000 bytes, 20 us + b / (2 GB/s) above, at 16
/// sizes: K = 1 misses some of them by 30 %, K = 2 none, K = 3 costs ln 16 three times for nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::segments {

struct Datum {
  double bytes = 0, seconds = 0;
  double relativeError = 0; ///< standard error of `seconds`, as a part of it; 0: not known
};

struct StraightLine {
  double startupSeconds = 0, perByteSeconds = 0;
  double operator()(double bytes) const { return startupSeconds + perByteSeconds * bytes; }
};

/// A run of the data with its line.
struct Segment {
  size_t first = 0, last = 0; ///< of the data, both included
  double fromBytes = 0;       ///< sizes above this, or all from 0 on
  double toBytes = 0;         ///< up to and with this; infinite in the last one
  StraightLine line;
  double startupError = 0, perByteError = 0; ///< standard errors
  /// The times do not grow with the size beyond their scatter: the line is level.
  bool isLevel = false;
  /// Whether the startup is more than what the model adds anyway (c p), beyond its error.
  bool showsStartup = true;
  /// By which part the times fall over the run, beyond their scatter; 0: they do not. The line is
  /// level then, too.
  double fall = 0;
};

struct Segmentation {
  std::vector<Segment> segments;

  const Segment &at(double bytes) const;
  double operator()(double bytes) const { return at(bytes).line(bytes); }
};

enum class Method : uint8_t { Bic, Correlation };

struct Choice {
  Method method = Method::Bic;
  double penalty = 1;
  double addedBytes = 0; ///< c above
  /// Sizes at which the protocol is known to change: a breakpoint between the same two data lies
  /// there.
  std::vector<double> thresholds;
  /// How many segments; 0: as many as the method finds, at most 12 and a fourth of the data.
  size_t segments = 0;
};

/// More different sizes are not needed by anybody, and cost a minute.
inline constexpr size_t MostSizes = 1500;

/// \p data: rising in the size, times above 0, one to MostSizes.
Segmentation segment(std::span<const Datum> data, const Choice &choice);

/// Which of \p data are outliers: far from what all its neighbours lead one to expect, where they
/// agree. A retransmission after a timeout is one, a step is none. In the order of \p data.
std::vector<bool> outliers(std::span<const Datum> data);

/// The mean of |ln(f(b) / t)| over the data, and the greatest with its place (Clauss et al. 2011,
/// section 7.1). 0 where there are none.
struct LogError {
  double mean = 0, worst = 0;
  double worstBytes = 0;
  size_t count = 0;

  void add(double bytes, double predicted, double measured);
};
LogError logError(const Segmentation &segmentation, std::span<const Datum> data);

} // namespace gnomon::segments
