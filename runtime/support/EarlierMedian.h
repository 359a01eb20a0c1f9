// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The median of what earlier runs found and of what this one finds, while this one goes on: without those kept.
///
/// Worked example: earlier runs found 0.8, 0.9 and 1.1. With 1.0 the median of all is 0.95, with 1.2 it is 1, with 0.5 it
/// is 0.85.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gnomon {

class EarlierMedian {
public:
  /// Beyond that, as a ratio to the earlier runs' median, this run is of something else, and they say nothing.
  static constexpr double MostChanged = 2;

  /// Of no runs.
  EarlierMedian() = default;
  /// \p runs: what each found, above 0.
  explicit EarlierMedian(std::vector<double> runs) : runs_(static_cast<uint32_t>(runs.size())) {
    std::ranges::sort(runs);
    const size_t half = runs.size() / 2;
    const size_t above = half + runs.size() % 2;
    low_ = half > 0 ? runs[half - 1] : 0;
    high_ = above < runs.size() ? runs[above] : std::numeric_limits<double>::infinity();
    middle_ = isOdd() ? runs[half] : (low_ + high_) / 2;
  }
  bool isKnown() const { return runs_ > 0; }
  /// The median of all, as a ratio to what this run finds: \p own, above 0. 1 where earlier runs say nothing.
  double by(double own) const {
    if (runs_ == 0 || own > MostChanged * middle_ || middle_ > MostChanged * own)
      return 1;
    const double between = std::clamp(own, low_, high_);
    return (isOdd() ? (middle_ + between) / 2 : between) / own;
  }

private:
  bool isOdd() const { return runs_ % 2 != 0; }

  uint32_t runs_ = 0;
  double low_ = 0, middle_ = 0,
         high_ = 0; ///< the median of the runs, and between what one more may move it
};

} // namespace gnomon
