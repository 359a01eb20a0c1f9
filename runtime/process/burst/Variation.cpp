// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gnomon::process::burst {
namespace {

constexpr size_t MostKept = 64;
constexpr size_t LeastDrawnFrom = 8;
constexpr double FarFromMedian = 2;
constexpr uint32_t LeastOfRank = 4;
constexpr uint64_t LeastOfShape = 4;
/// Programs whose stretches never repeat are told apart by the first burst alone.
constexpr size_t MostShapes = 4096;

} // namespace

void Variation::addTo(Group &group, uint32_t first, double seconds, double latest,
                      std::span<const Term> terms) {
  if (group.latest.size() < MostKept)
    group.latest.push_back(latest);
  else
    group.latest[group.count % MostKept] = latest;
  group.first = first;
  ++group.count;
  group.seconds += seconds;
  for (const Term &term : terms)
    group.works[term.kind] += term.work;
}

void Variation::add(uint32_t rank, Kind kind, double seconds, double charged,
                    std::span<const Term> terms) {
  if (!(charged > 0) || !(seconds > 0))
    return;
  if (rank >= ranks_.size())
    ranks_.resize(rank + 1);
  OfRank &mine = ranks_[rank];
  ++mine.count;
  mine.seconds += seconds;
  mine.charged += charged;
  mine.squares += seconds * seconds;
  mine.products += seconds * charged;
  mine.chargedSquares += charged * charged;
  if (kind.first >= firsts_.size())
    firsts_.resize(kind.first + 1);
  const double latest = seconds / mine.factor;
  addTo(firsts_[kind.first], kind.first, seconds, latest, terms);
  if (shapes_.size() < MostShapes || shapes_.contains(kind.shape))
    addTo(shapes_[kind.shape], kind.first, seconds, latest, terms);
}

void Variation::weighShapes(const std::function<double(uint32_t)> &rateOf,
                            const std::function<double(uint32_t)> &restOf) {
  auto meanCharge = [&](const Group &group) {
    double charged = 0;
    for (const auto &[kind, work] : group.works)
      charged += rateOf(kind) * work;
    return group.count ? charged / static_cast<double>(group.count) : 0;
  };
  for (auto &[shape, group] : shapes_)
    weighShape(group, meanCharge(group), restOf(group.first));
  for (Group &group : firsts_)
    if (const double charged = meanCharge(group); charged > 0)
      group.factor =
          std::max(0.0, group.seconds / static_cast<double>(group.count) - restOf(group.first)) /
          charged;
}

/// \p charged: C of one stretch.
void Variation::weighShape(Group &group, double charged, double rest) {
  if (!(charged > 0))
    return;
  group.chances = group.latest;
  auto middle = group.chances.begin() + static_cast<std::ptrdiff_t>(group.chances.size() / 2);
  std::nth_element(group.chances.begin(), middle, group.chances.end());
  const double median = *middle;
  group.chances = group.latest;
  double sum = 0;
  for (double &seconds : group.chances) {
    if (seconds > FarFromMedian * median)
      seconds = median;
    sum += seconds;
  }
  const double mean = sum / static_cast<double>(group.chances.size());
  for (double &seconds : group.chances)
    seconds /= mean;
  group.factor = std::max(0.0, mean - rest) / charged;
}

void Variation::weighRanks() {
  struct Mean {
    OfRank *rank;
    double mean, variance;
  };
  std::vector<Mean> means;
  double sum = 0, noise = 0;
  for (OfRank &rank : ranks_) {
    if (rank.count < LeastOfRank || rank.charged <= 0)
      continue;
    const double m = rank.seconds / rank.charged;
    const double squares =
        std::max(0.0, rank.squares - 2 * m * rank.products + m * m * rank.chargedSquares);
    means.push_back({&rank, m, squares / (rank.charged * rank.charged)});
    sum += m;
    noise += means.back().variance;
  }
  if (means.size() < 2)
    return;
  const auto count = static_cast<double>(means.size());
  const double mean = sum / count;
  double squares = 0;
  for (const Mean &one : means)
    squares += (one.mean - mean) * (one.mean - mean);
  const double between = std::max(0.0, squares / (count - 1) - noise / count);
  for (const Mean &one : means) {
    const double all = between + one.variance;
    one.rank->factor = all > 0 ? 1 + between / all * (one.mean / mean - 1) : 1;
  }
}

double Variation::rankFactor(uint32_t rank) const {
  return rank < ranks_.size() ? ranks_[rank].factor : 1;
}

double Variation::draw(uint32_t rank, Kind kind) {
  const double factor = rankFactor(rank);
  const auto found = shapes_.find(kind.shape);
  if (found == shapes_.end() || found->second.count < LeastOfShape)
    return kind.first < firsts_.size() ? factor * firsts_[kind.first].factor : factor;
  Group &group = found->second;
  if (group.chances.size() < LeastDrawnFrom)
    return factor * group.factor;
  constexpr double GoldenRatio = 0.6180339887498949;
  const auto size = static_cast<double>(group.chances.size());
  double whole = 0;
  const double place = std::modf(static_cast<double>(++group.draws) * GoldenRatio, &whole) * size;
  return factor * group.factor * group.chances[static_cast<size_t>(place)];
}

} // namespace gnomon::process::burst
