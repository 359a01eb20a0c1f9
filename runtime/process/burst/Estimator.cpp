// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Estimator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace gnomon::process::burst {
namespace {

constexpr double FarFromMedian = 8;
constexpr double FarWhenDisturbed = 1.5;

double rateOf(const Sample &sample) { return sample.cost / sample.work; }

double median(const std::vector<Sample> &samples) {
  std::vector<double> rates;
  rates.reserve(samples.size());
  for (const Sample &sample : samples)
    rates.push_back(rateOf(sample));
  // Of an even number the lower one: of two samples, the slower is the suspect.
  auto middle = rates.begin() + static_cast<std::ptrdiff_t>((rates.size() - 1) / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

/// How many times as far as within a rank the ranks' means must lie apart.
constexpr double SurelyApart = 4;

} // namespace

void Estimator::append(const Sample &sample) {
  samples_.push_back(sample);
  if (sample.work <= 0)
    samples_.back().work = 1;
  trusted_ += !sample.doubtful;
  unsized_ |= sample.counted && !sample.sized;
}

void Estimator::add(const Sample &sample) {
  append(sample);
  // The figures of many samples hardly move; evaluating all of them each time would be quadratic.
  if (count() <= 128 || count() % 64 == 0)
    evaluate();
}

bool Estimator::isFar(const Sample &sample) const {
  return !sample.counted &&
         rateOf(sample) > middle_ * (sample.disturbed ? FarWhenDisturbed : FarFromMedian);
}

void Estimator::evaluate() {
  seen_ = count();
  if (trusted_ < Trusted || trusted_ == count())
    return evaluate(samples_);
  std::vector<Sample> trusted;
  for (const Sample &sample : samples_)
    if (!sample.doubtful)
      trusted.push_back(sample);
  evaluate(trusted);
}

void Estimator::evaluate(const std::vector<Sample> &samples) {
  middle_ = median(samples);
  std::vector<const Sample *> far, near;
  for (const Sample &sample : samples)
    (isFar(sample) ? far : near).push_back(&sample);
  const size_t allowed = std::max<size_t>(1, samples.size() / 5);
  if (far.size() > allowed) {
    near.insert(near.end(), far.begin(), far.end());
    middle_ = std::numeric_limits<double>::infinity();
  }

  double cost = 0, work = 0;
  for (const Sample *sample : near) {
    cost += sample->cost;
    work += sample->work;
  }
  rate_ = cost / work;
  double squares = 0;
  for (const Sample *sample : near)
    squares += (rateOf(*sample) - rate_) * (rateOf(*sample) - rate_);
  kept_ = static_cast<uint32_t>(near.size());
  spread_ = kept_ > 1 ? std::sqrt(squares / (kept_ - 1)) : 0;
}

double Estimator::relativeError() const {
  if (kept_ < 2)
    return std::numeric_limits<double>::infinity();
  return rate_ > 0 ? spread_ / std::sqrt(static_cast<double>(kept_)) / rate_ : 0;
}

/// A user who gives numbers means them.
bool Estimator::needsMore(const SamplePolicy &policy) const {
  return unsized_ && !policy.exact && policy.leastSamples < policy.mostSamples;
}

uint32_t Estimator::most(const SamplePolicy &policy) const {
  return policy.mostSamples * (needsMore(policy) ? MoreUnsized : 1);
}

bool Estimator::enough(const SamplePolicy &policy) const {
  if (count() >= most(policy))
    return true;
  const uint32_t least =
      needsMore(policy) ? std::max(policy.leastSamples, LeastUnsized) : policy.leastSamples;
  if (kept_ < least)
    return false;
  if (!policy.exact && trusted_ < Trusted && count() < Hope)
    return false;
  return kept_ == 1 || relativeError() <= policy.relativeError;
}

Estimator Estimator::of(uint32_t rank) const {
  Estimator mine;
  for (const Sample &sample : samples_)
    if (sample.rank == rank)
      mine.append(sample);
  if (!mine.samples_.empty())
    mine.evaluate();
  return mine;
}

Estimator Estimator::with(const Estimator &other) const {
  Estimator both = *this;
  for (const Sample &sample : other.samples_)
    both.append(sample);
  if (!both.samples_.empty())
    both.evaluate();
  return both;
}

namespace {

/// The standard deviation between ranks, relative to the mean.
double disagreement(const std::vector<RankValue> &values) {
  struct Group {
    double count = 0, sum = 0, squares = 0;
  };
  std::map<uint32_t, Group> groups;
  Group all;
  for (const RankValue &one : values)
    for (Group *group : {&groups[one.rank], &all}) {
      group->count += 1;
      group->sum += one.value;
      group->squares += one.value * one.value;
    }
  const auto k = static_cast<double>(groups.size());
  if (k < 2 || all.count <= k || all.sum <= 0)
    return 0;
  const double mean = all.sum / all.count;
  double between = 0, within = 0, countSquares = 0;
  for (const auto &[rank, group] : groups) {
    const double own = group.sum / group.count;
    between += group.count * (own - mean) * (own - mean) / (k - 1);
    within += std::max(0.0, group.squares - group.sum * own) / (all.count - k);
    countSquares += group.count * group.count;
  }
  if (between <= SurelyApart * within)
    return 0;
  const double perRank = (all.count - countSquares / all.count) / (k - 1);
  return std::sqrt((between - within) / perRank) / mean;
}

} // namespace

std::vector<RankValue> Estimator::ratesByRank() const {
  std::vector<RankValue> all;
  for (const Sample &sample : samples_)
    if (!isFar(sample))
      all.push_back({sample.rank, rateOf(sample)});
  return all;
}

/// The mean rate of each stretch.
std::vector<RankValue> Estimator::stretchesByRank() const {
  struct Sum {
    double rates = 0, count = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Sum> stretches;
  for (const Sample &sample : samples_)
    if (!isFar(sample)) {
      Sum &sum = stretches[{sample.rank, sample.stretch}];
      sum.rates += rateOf(sample);
      ++sum.count;
    }
  std::vector<RankValue> all;
  for (const auto &[place, sum] : stretches)
    all.push_back({place.first, sum.rates / sum.count});
  return all;
}

/// For a unit of work. Empty where those of some sample are not known.
std::vector<RankValue> Estimator::instructionsByRank() const {
  std::vector<RankValue> all;
  for (const Sample &sample : samples_) {
    if (sample.instructions <= 0)
      return {};
    all.push_back({sample.rank, sample.instructions / sample.work});
  }
  return all;
}

double Estimator::rankDisagreement() const {
  const double bySamples = disagreement(ratesByRank());
  if (bySamples == 0)
    return 0;
  const std::vector<RankValue> instructions = instructionsByRank();
  const bool same = !instructions.empty() && disagreement(instructions) <= SameWork;
  return same ? disagreement(stretchesByRank()) : bySamples;
}

} // namespace gnomon::process::burst
