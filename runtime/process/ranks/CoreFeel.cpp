// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CoreFeel.h"

#include "process/ranks/EqualWork.h"

#include <algorithm>
#include <cmath>

namespace gnomon::process {
namespace {

/// A first use of pages or a cold cache is no slope: a stretch counts as at most so many times as
/// long, or as short, as its work's mean.
constexpr double MostDeviation = 1.6;
constexpr uint64_t EnoughStretches = 4;
/// The kernel's own noise: of less than that nothing is learned.
constexpr double LeastExcess = 0.02;
/// A core that two threads share equally takes twice as long at most, and most work less.
constexpr double MostExcess = 1;
/// A clock that is twice as high as usual is none.
constexpr double MostSpeedUp = 0.5;
/// Single looks are rough: a shared core's neighbour comes and goes. A stretch with so many weighs 1, a longer one more.
constexpr double LooksOfOne = 10;

} // namespace

double CoreFeel::of(uint64_t instructions) const {
  if (instructions == 0)
    return program_;
  const auto found = works_.find(workOf(instructions));
  if (found == works_.end())
    return program_;
  const Work &work = found->second;
  return std::clamp((work.slope + prior_.workDoubt * program_) / (work.xx + prior_.workDoubt), 0.0,
                    prior_.most);
}

CoreFeel::Learned CoreFeel::learned() const {
  return {xx_ > 0 ? std::clamp(slope_ / xx_, 0.0, prior_.most) : 0, xx_};
}

void CoreFeel::learn(uint64_t instructions, double seconds, double excess, double looks) {
  if (instructions == 0)
    return;
  excess = std::abs(excess) < LeastExcess ? 0 : std::clamp(excess, -MostSpeedUp, MostExcess);
  Work &work = works_[workOf(instructions)];
  double y = seconds / static_cast<double>(instructions);
  if (work.stretches >= EnoughStretches)
    y = std::clamp(y, work.y / MostDeviation, work.y * MostDeviation);
  xx_ -= work.xx;
  slope_ -= work.slope;
  const double weight = looks / LooksOfOne;
  ++work.stretches;
  work.weight += weight;
  const double dx = excess - work.x, dy = y - work.y;
  work.x += dx * weight / work.weight;
  work.y += dy * weight / work.weight;
  work.xx += weight * dx * (excess - work.x);
  work.xy += weight * dx * (y - work.y);
  // What the work takes where x is 0, by its own line.
  const double own = work.xx > 0 ? work.y - work.x * work.xy / work.xx : work.y;
  work.slope = work.y > 0 ? work.xy / std::max(own, work.y / MostDeviation) : 0;
  xx_ += work.xx;
  slope_ += work.slope;
  program_ = std::clamp((slope_ + prior_.programDoubt * prior_.usual) / (xx_ + prior_.programDoubt),
                        0.0, prior_.most);
}

} // namespace gnomon::process
