// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Moments.h"

#include "support/Random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gnomon::process::burst {
namespace {

constexpr size_t MostMoments = 64, MostOwn = 32;
/// Fewer chances are none.
constexpr size_t LeastChances = 8;
/// A part of a mean that differs from it by less is the mean.
constexpr double LeastApart = 0.01;
constexpr uint64_t WhichMoments = 0x6d6f6d656e7473; ///< a stream of random numbers

double averageOf(const std::vector<double> &all) {
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

/// With a mean of 1; none where all are that, or where they have none.
void makeParts(std::vector<double> &all) {
  const double mean = averageOf(all);
  for (double &part : all)
    part /= mean;
  const bool differ =
      std::ranges::any_of(all, [](double part) { return std::abs(part - 1) >= LeastApart; });
  if (!differ || !std::isfinite(mean) || !(mean > 0))
    all.clear();
}

double medianOf(std::vector<double> some) {
  std::ranges::sort(some);
  const size_t middle = some.size() / 2;
  return some.size() % 2 ? some[middle] : (some[middle - 1] + some[middle]) / 2;
}

/// The middle between the tenth quickest and the tenth slowest of a hundred; infinity where they are of one speed.
double betweenSpeeds(std::vector<double> all) {
  constexpr double AnotherSpeed = 1.25;
  std::ranges::sort(all);
  const double quick = all[all.size() / 10], slow = all[all.size() - 1 - all.size() / 10];
  return slow >= AnotherSpeed * quick ? (quick + slow) / 2
                                      : std::numeric_limits<double>::infinity();
}

/// The means of evenly many of them.
std::vector<double> quantilesOf(std::vector<double> all, size_t most) {
  std::ranges::sort(all);
  const size_t count = std::min(all.size(), most);
  std::vector<double> means;
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = i * all.size() / count, end = (i + 1) * all.size() / count;
    means.push_back(std::accumulate(all.begin() + static_cast<ptrdiff_t>(begin),
                                    all.begin() + static_cast<ptrdiff_t>(end), 0.0) /
                    static_cast<double>(end - begin));
  }
  return means;
}

} // namespace

void MomentRecorder::add(uint32_t rank, double secondsPerWork, uint64_t number) {
  if (times_ % Together == 0)
    begin(times_ / Together, number);
  ++times_;
  if (!kept_)
    return;
  Moment &last = moments_.back();
  last.singles[last.count++] = {rank, secondsPerWork};
}

/// A moment begins; whether it is kept.
void MomentRecorder::begin(uint64_t moment, uint64_t number) {
  if (moments_.size() == MostMoments) {
    // Of what is kept, every other one.
    for (size_t i = 0; i < MostMoments / 2; ++i)
      moments_[i] = moments_[2 * i];
    moments_.resize(MostMoments / 2);
    stride_ *= 2;
  }
  // One of so many. Ranks come in turn: the first one would always be the same ranks'.
  kept_ = moment % stride_ == randomBits(WhichMoments, moment / stride_) % stride_;
  if (kept_)
    moments_.push_back({.number = number});
}

void MomentRecorder::merge(const MomentRecorder &other) {
  times_ += other.times_;
  moments_.insert(moments_.end(), other.moments_.begin(), other.moments_.end());
  std::ranges::sort(moments_, {}, &Moment::number);
}

/// The c of each moment; of at most so many moments as are written.
MomentRecorder::Parts MomentRecorder::partsOf(std::span<const double> meanOf) const {
  Parts all;
  const size_t count = std::min(moments_.size(), MostMoments);
  for (size_t i = 0; i < count; ++i) {
    const Moment &moment = moments_[i * moments_.size() / count];
    std::vector<double> &parts = all.emplace_back();
    for (const Single &single : std::span(moment.singles).first(moment.count))
      parts.push_back(single.secondsPerWork / meanOf[single.rank]);
  }
  return all;
}

Chances MomentRecorder::chances(std::span<const double> meanOf) const {
  Chances chances;
  const Parts all = partsOf(meanOf);
  size_t known = 0;
  for (const std::vector<double> &parts : all)
    known += parts.size();
  if (known < LeastChances)
    return chances;
  const bool each = known == times_ && times_ <= MostMoments;
  if (each)
    for (const std::vector<double> &parts : all)
      chances.moments.insert(chances.moments.end(), parts.begin(), parts.end());
  else
    tellOwn(all, chances);
  if (const double mean = averageOf(chances.moments); mean > 0)
    chances.slowFrom /= mean;
  makeParts(chances.moments);
  return chances;
}

/// What moments are, and what their stretches are beside them.
void MomentRecorder::tellOwn(const Parts &all, Chances &chances) {
  std::vector<double> &moments = chances.moments;
  for (const std::vector<double> &parts : all)
    moments.push_back(medianOf(parts));
  const double slowFrom = betweenSpeeds(moments);
  std::array<std::vector<double>, 2> own; // of quick moments, and of slow ones
  for (size_t i = 0; i < all.size(); ++i)
    for (double part : all[i])
      if (moments[i] > 0)
        own[moments[i] >= slowFrom].push_back(part / moments[i]);
  if (std::ranges::any_of(own, [](const auto &some) { return some.size() < LeastChances; })) {
    own[0].insert(own[0].end(), own[1].begin(), own[1].end());
    own[1].clear();
  }
  // A moment is its stretches' mean, in sum: quick ones are slower than their median where a few are slow.
  chances.slowFrom = std::numeric_limits<double>::infinity();
  if (!own[1].empty())
    for (double &moment : moments) {
      const bool slow = moment >= slowFrom;
      moment *= averageOf(own[slow]);
      if (slow)
        chances.slowFrom = std::min(chances.slowFrom, moment);
    }
  std::erase_if(moments, [](double moment) { return !(moment > 0); });
  // As many numbers in the file, whatever they are of.
  const size_t most = own[1].empty() ? MostOwn : MostOwn / 2;
  chances.own = quantilesOf(std::move(own[0]), most);
  chances.ownOfSlow = quantilesOf(std::move(own[1]), most);
  makeParts(chances.own);
  makeParts(chances.ownOfSlow);
}

double chanceOf(const Chances &chances, uint64_t kind, uint64_t times, uint64_t before) {
  const std::vector<double> &moments = chances.moments;
  double chance = 1;
  if (!moments.empty())
    chance = moments[before % times * moments.size() / times];
  const std::vector<double> &own = chance >= chances.slowFrom ? chances.ownOfSlow : chances.own;
  if (!own.empty())
    chance *= own[randomBits(kind, before) % own.size()];
  return chance;
}

} // namespace gnomon::process::burst
