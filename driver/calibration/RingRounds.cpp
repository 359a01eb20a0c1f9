// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibration/RingRounds.h"

#include "support/Random.h"

#include <algorithm>

namespace gnomon::calibration {
namespace {

constexpr size_t MostRounds = 50; ///< more rounds take as long each
/// Of draws in all, for rings of any size; eight ranks and fifty rounds have the most trials.
constexpr size_t MostDraws = 400'000, FewestTrials = 20, MostTrials = 1000;
constexpr uint64_t Seed = 1;
constexpr int Halvings = 24;

} // namespace

RingRounds::RingRounds(size_t ranks, size_t rounds)
    : ranks_(std::max<size_t>(ranks, 1)), rounds_(std::clamp<size_t>(rounds, 1, MostRounds)),
      trials_(std::clamp(MostDraws / (ranks_ * rounds_), FewestTrials, MostTrials)),
      drawn_(trials_ * ranks_ * rounds_) {
  for (size_t i = 0; i < drawn_.size(); ++i)
    drawn_[i] = randomExponential(Seed, i);
}

double RingRounds::operator()(double sendSeconds, double messageSeconds,
                              double jitterSeconds) const {
  double sum = 0;
  std::vector<double> now(ranks_), next(ranks_);
  auto drawn = drawn_.begin();
  for (size_t trial = 0; trial < trials_; ++trial) {
    std::ranges::fill(now, 0.0);
    for (size_t round = 0; round < rounds_; ++round, std::swap(now, next))
      for (size_t rank = 0; rank < ranks_; ++rank) {
        const double left = now[rank > 0 ? rank - 1 : ranks_ - 1];
        next[rank] =
            sendSeconds + std::max(now[rank], left + messageSeconds + *drawn++ * jitterSeconds);
      }
    sum += *std::ranges::max_element(now);
  }
  return sum / static_cast<double>(trials_ * rounds_);
}

double RingRounds::jitterOf(double roundSeconds, double sendSeconds, double messageSeconds) const {
  double low = 0, high = roundSeconds; // a round takes J at least
  for (int i = 0; i < Halvings; ++i) {
    const double middle = (low + high) / 2;
    ((*this)(sendSeconds, messageSeconds, middle) < roundSeconds ? low : high) = middle;
  }
  return low;
}

} // namespace gnomon::calibration
