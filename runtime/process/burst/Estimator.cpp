// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Estimator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>

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

/// The rate above which \p samples hold outliers and nothing but outliers.
double outlierLimit(const Sample &sample, double middle) {
  return middle * (sample.disturbed ? FarWhenDisturbed : FarFromMedian);
}

} // namespace

void Estimator::add(const Sample &sample) {
  samples_.push_back(sample);
  if (sample.work <= 0)
    samples_.back().work = 1;
  // The figures of many samples hardly move; evaluating all of them each time would be quadratic.
  if (count() <= 128 || count() % 64 == 0)
    evaluate();
}

void Estimator::evaluate() {
  const double middle = median(samples_);
  std::vector<const Sample *> far, near;
  for (const Sample &sample : samples_)
    (rateOf(sample) > outlierLimit(sample, middle) ? far : near).push_back(&sample);
  const size_t allowed = std::max<size_t>(1, samples_.size() / 5);
  if (far.size() > allowed)
    near.insert(near.end(), far.begin(), far.end());

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

bool Estimator::enough(const SamplePolicy &policy) const {
  if (count() >= policy.mostSamples)
    return true;
  if (kept_ < policy.leastSamples)
    return false;
  return kept_ == 1 || relativeError() <= policy.relativeError;
}

Estimator Estimator::of(uint32_t rank) const {
  Estimator mine;
  for (const Sample &sample : samples_)
    if (sample.rank == rank)
      mine.samples_.push_back(sample);
  if (!mine.samples_.empty())
    mine.evaluate();
  return mine;
}

Estimator Estimator::with(const Estimator &other) const {
  Estimator both = *this;
  both.samples_.insert(both.samples_.end(), other.samples_.begin(), other.samples_.end());
  if (!both.samples_.empty())
    both.evaluate();
  return both;
}

uint32_t Estimator::ranks() const {
  std::set<uint32_t> seen;
  for (const Sample &sample : samples_)
    seen.insert(sample.rank);
  return static_cast<uint32_t>(seen.size());
}

double Estimator::rankDisagreement() const {
  std::set<uint32_t> seen;
  for (const Sample &sample : samples_)
    seen.insert(sample.rank);
  if (seen.size() < 2 || rate_ <= 0)
    return 0;
  double squares = 0;
  for (uint32_t rank : seen) {
    const Estimator mine = of(rank);
    // One sample of a rank says nothing of its own error: that of all samples stands in.
    const double deviation = mine.kept_ > 1 ? mine.spread_ : spread_;
    const double away = mine.rate_ - rate_;
    squares += std::max(0.0, away * away - deviation * deviation / std::max(1u, mine.kept_));
  }
  return std::sqrt(squares / static_cast<double>(seen.size())) / rate_;
}

} // namespace gnomon::process::burst
