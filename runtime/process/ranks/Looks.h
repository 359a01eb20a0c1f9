// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What looks at the core say over time (CoreSpeed.h): one excess over what is usual, now and over a
/// stretch of computation. A look is a mean of the latest ones, until one differs by more than a
/// kernel's noise. Over a stretch, speeds are averaged: looks come at equal distances of time, and a
/// core works 1 / (1 + excess) of what is usual in each.
///
/// Worked example: half of a stretch at 0, half at 0.5. Its speed is (1 + 1 / 1.5) / 2, its excess 0.2.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gnomon::process {

class Looks {
public:
  void note(double excess) {
    latest_ = std::abs(excess - latest_) < Noise ? latest_ + Weight * (excess - latest_) : excess;
    const double speed = 1 / (1 + latest_);
    lately_ += LatelyWeight * (speed - lately_);
    sum_ += speed;
    ++looks_;
  }
  /// What was seen until now is all that is known of the latest time.
  void begin() { lately_ = 1 / (1 + latest_); }
  /// A stretch begins: the latest look is its first.
  void leave() {
    sum_ = 1 / (1 + latest_);
    looks_ = 1;
  }
  double latest() const { return latest_; }
  /// Mean over the stretch, which has lasted so many \p periods of looks. Of less than one, what is
  /// known is the latest look. Looks are fewer than they should be where the program calls nothing
  /// and has no bursts; then the latest half second counts as up to two more.
  double over(double periods) const {
    constexpr double MostWeight = 2;
    if (periods < 1)
      return latest_;
    const double weight = std::clamp(periods - looks_, 0.0, MostWeight);
    return (looks_ + weight) / (sum_ + weight * lately_) - 1;
  }

private:
  static constexpr double Noise = 0.05, Weight = 1.0 / 8;
  static constexpr double LatelyWeight = 1.0 / 250; ///< half a second of looks

  double latest_ = 0;
  double lately_ = 1; ///< speed
  double sum_ = 1;    ///< of speeds over the looks in the stretch, the one before it included
  double looks_ = 1;  ///< in that sum
};

/// The least value that is not alone: a core's own state comes again, a disturbed reading does not.
/// Of three values that lie within a fiftieth, the least; where no three do, of two; else of all.
///
/// Worked example: of 1.49, 2.25, 2.27 and 2.26 it is 2.25.
class AgreedLeast {
public:
  void add(double value) {
    // Of the least ones; behind them lie all others.
    if (count_ == least_.size()) {
      if (value >= least_.back())
        return;
      --count_;
    }
    const auto end = least_.begin() + static_cast<std::ptrdiff_t>(count_++);
    const auto place = std::upper_bound(least_.begin(), end, value);
    std::move_backward(place, end, end + 1);
    *place = value;
  }
  /// 0: none was added.
  double value() const {
    constexpr double Near = 1.02;
    for (size_t agreeing : {3, 2})
      for (size_t i = 0; i + agreeing <= count_; ++i)
        if (least_[i + agreeing - 1] <= Near * least_[i])
          return least_[i];
    return least_[0];
  }

private:
  std::array<double, 16> least_{}; ///< ascending
  size_t count_ = 0;
};

/// Of the latest three readings, which one bad one does not move.
class MedianOfThree {
public:
  /// Returns the median of \p value and up to two before it; of two, the less.
  double add(double value) {
    latest_[count_++ % latest_.size()] = value;
    std::array<double, 3> sorted = latest_;
    const size_t known = std::min(count_, latest_.size());
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(known));
    return sorted[(known - 1) / 2];
  }

private:
  std::array<double, 3> latest_{};
  size_t count_ = 0;
};

} // namespace gnomon::process
