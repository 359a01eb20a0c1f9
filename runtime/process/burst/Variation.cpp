// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

namespace gnomon::process::burst {
namespace {

constexpr size_t MostKept = 64;
constexpr size_t LeastDrawnFrom = 8;
/// Of what a later run draws from.
constexpr size_t Quantiles = 16;
constexpr double FarFromMedian = 2;
constexpr uint32_t LeastOfRank = 4;
constexpr uint64_t LeastOfShape = 4;
/// Programs whose stretches never repeat are told apart by the first burst alone.
constexpr size_t MostShapes = 4096;

} // namespace

void Variation::Sums::add(double took, double cost) {
  ++count;
  seconds += took;
  charged += cost;
  squares += took * took;
  products += took * cost;
  chargedSquares += cost * cost;
}

void Variation::Sums::addEqual(const Sums &work, double took) {
  count += work.count;
  seconds += took * work.count;
  charged += work.charged;
  squares += took * took * work.count;
  products += took * work.charged;
  chargedSquares += work.chargedSquares;
}

void Variation::addTo(Group &group, uint32_t first, double seconds, Seen latest,
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
                    std::span<const Term> terms, double volume, uint32_t equalWork) {
  if (!(charged > 0) || !(seconds > 0))
    return;
  if (rank >= ranks_.size())
    ranks_.resize(rank + 1);
  OfRank &mine = ranks_[rank];
  if (equalWork != 0) {
    mine.equal[equalWork].add(seconds, charged);
    equal_[equalWork].add(seconds, charged);
  } else {
    mine.own.add(seconds, charged);
  }
  if (kind.first >= firsts_.size())
    firsts_.resize(kind.first + 1);
  const Seen latest{seconds / mine.factor / volume, equalWork};
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
  for (auto &[number, shape] : shapes_)
    evenOut(shape);
}

void Variation::evenOut(Group &shape) const {
  const double all = firsts_[shape.first].factor;
  if (std::abs(shape.factor - all) < evenOut_ * all)
    shape.factor = all;
}

/// In the order in which they were added.
std::vector<Variation::Seen> Variation::oldestFirst(const Group &group) {
  std::vector<Seen> all = group.latest;
  if (group.count > all.size())
    std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(group.count % all.size()),
                all.end());
  return all;
}

/// What is the same work takes its mean.
void Variation::evenOut(std::vector<Seen> &latest) {
  struct Sum {
    double seconds = 0, count = 0;
  };
  std::map<uint32_t, Sum> works;
  for (const Seen &one : latest) {
    Sum &sum = works[one.equalWork];
    sum.seconds += one.seconds;
    ++sum.count;
  }
  for (Seen &one : latest)
    if (one.equalWork != 0)
      one.seconds = works[one.equalWork].seconds / works[one.equalWork].count;
}

/// Their parts of their mean; what was interrupted counts as the median.
std::vector<double> Variation::chances(std::vector<Seen> latest, double &mean) {
  std::vector<double> all;
  for (const Seen &one : latest)
    all.push_back(one.seconds);
  auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  const double median = *middle;
  for (Seen &one : latest)
    if (one.seconds > FarFromMedian * median)
      one.seconds = median;
  evenOut(latest);
  mean = 0;
  for (const Seen &one : latest)
    mean += one.seconds / static_cast<double>(latest.size());
  all.clear();
  for (const Seen &one : latest)
    all.push_back(one.seconds / mean);
  return all;
}

/// \p charged: C of one stretch.
void Variation::weighShape(Group &group, double charged, double rest) {
  if (!(charged > 0))
    return;
  double mean = 0;
  group.chances = chances(oldestFirst(group), mean);
  group.factor = std::max(0.0, mean - rest) / charged;
}

std::vector<double> Variation::chancesOf(uint32_t first) const {
  std::vector<double> all;
  // In an order that no hash decides.
  for (const auto &[shape, group] : std::map(shapes_.begin(), shapes_.end()))
    if (group.first == first && group.latest.size() >= LeastDrawnFrom) {
      double mean = 0;
      const std::vector<double> some = chances(group.latest, mean);
      all.insert(all.end(), some.begin(), some.end());
    }
  if (all.empty())
    return all;
  std::sort(all.begin(), all.end());
  std::vector<double> quantiles;
  for (size_t i = 0; i < Quantiles; ++i)
    quantiles.push_back(all[(2 * i + 1) * all.size() / (2 * Quantiles)]);
  const double sum = std::accumulate(quantiles.begin(), quantiles.end(), 0.0);
  for (double &chance : quantiles)
    chance *= static_cast<double>(Quantiles) / sum;
  return quantiles;
}

void Variation::giveChances(uint32_t first, std::vector<double> chances) {
  if (first >= firsts_.size())
    firsts_.resize(first + 1);
  firsts_[first].chances = std::move(chances);
}

/// Equal work has taken its mean.
Variation::Sums Variation::sumsOf(const OfRank &rank) const {
  Sums sums = rank.own;
  for (const auto &[number, work] : rank.equal) {
    const Sums &all = equal_.at(number);
    sums.addEqual(work, all.seconds / all.count);
  }
  return sums;
}

void Variation::weighRanks() {
  struct Mean {
    OfRank *rank;
    double mean, variance;
  };
  std::vector<Mean> means;
  double sum = 0, noise = 0;
  for (OfRank &rank : ranks_) {
    const Sums its = sumsOf(rank);
    if (its.count < LeastOfRank || its.charged <= 0)
      continue;
    const double m = its.seconds / its.charged;
    const double squares =
        std::max(0.0, its.squares - 2 * m * its.products + m * m * its.chargedSquares);
    means.push_back({&rank, m, squares / (its.charged * its.charged)});
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

/// Those that were seen here, in their order, over and over.
double Variation::nextOf(Group &group) {
  return group.chances[group.draws++ % group.chances.size()];
}

/// Quantiles: evenly, by the golden ratio's multiples.
double Variation::drawFrom(Group &group) {
  constexpr double GoldenRatio = 0.6180339887498949;
  const auto size = static_cast<double>(group.chances.size());
  double whole = 0;
  const double place = std::modf(static_cast<double>(++group.draws) * GoldenRatio, &whole) * size;
  return group.chances[static_cast<size_t>(place)];
}

double Variation::draw(uint32_t rank, Kind kind) {
  const double factor = rankFactor(rank);
  const auto found = shapes_.find(kind.shape);
  const bool known = found != shapes_.end() && found->second.count >= LeastOfShape;
  if (!known && kind.first >= firsts_.size())
    return factor;
  Group &group = known ? found->second : firsts_[kind.first];
  if (group.chances.size() < LeastDrawnFrom)
    return factor * group.factor;
  return factor * group.factor * (known ? nextOf(group) : drawFrom(group));
}

} // namespace gnomon::process::burst
