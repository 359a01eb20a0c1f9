// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How often the ranks' memory is looked at. Of the thread's CPU time, looks take the share
///   s = g within [LeastShare, MostShare]
/// where g is the smoothed part of the pages that were looked at which merged (less those that were
/// split meanwhile): a look that took t seconds is followed by a pause of t (1 − s) / s. Where nothing
/// merges, 14 looks bring s from a half to a hundredth; one that merges all brings it back to a fourth.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gnomon::process::merge {

class Pace {
public:
  static constexpr double LeastShare = 0.01, MostShare = 0.5;

  /// Seconds that are left of the pause \p seconds after its beginning; 0: a look is due.
  double left(double seconds) const { return std::max(0.0, pauseSeconds_ - seconds); }

  /// A look took \p seconds for \p pages pages, of which \p gained merged.
  void took(double seconds, uint64_t pages, int64_t gained) {
    if (pages > 0) {
      const double part = static_cast<double>(gained) / static_cast<double>(pages);
      gain_ += Weight * (std::clamp(part, 0.0, 1.0) - gain_);
    }
    const double most = pages > 0 ? MostShare : ShareForNothing;
    const double share = std::clamp(gain_, LeastShare, most);
    pauseSeconds_ = seconds * (1 - share) / share;
  }

private:
  static constexpr double Weight = 0.25;
  /// Where no rank has memory that could be looked at.
  static constexpr double ShareForNothing = 0.05;
  double gain_ = MostShare;
  double pauseSeconds_ = 0;
};

} // namespace gnomon::process::merge
