// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Variation.h"

#include <algorithm>
#include <cmath>

namespace gnomon::process::burst {
namespace {

constexpr size_t MostKept = 64;
constexpr size_t LeastDrawnFrom = 8;
constexpr uint32_t LeastOfRank = 4;

uint64_t keyOf(uint32_t first, int length) {
  return uint64_t{first} << 32 | static_cast<uint32_t>(length);
}

} // namespace

int Variation::lengthOf(double charged) { return std::ilogb(charged); }

void Variation::add(uint32_t rank, uint32_t first, double seconds, double charged) {
  if (!(charged > 0))
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
  Group &group = groups_[keyOf(first, lengthOf(charged))];
  if (group.ratios.size() < MostKept)
    group.ratios.resize(group.ratios.size() + 1);
  double &place = group.ratios[group.next];
  group.sum -= place;
  place = seconds / (charged * mine.factor);
  group.sum += place;
  group.next = (group.next + 1) % MostKept;
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

double Variation::draw(uint32_t rank, uint32_t first, double charged) {
  const double factor = rankFactor(rank);
  if (!(charged > 0))
    return factor;
  const auto found = groups_.find(keyOf(first, lengthOf(charged)));
  if (found == groups_.end() || found->second.ratios.size() < LeastDrawnFrom)
    return factor;
  constexpr double GoldenRatio = 0.6180339887498949;
  Group &group = found->second;
  const auto size = static_cast<double>(group.ratios.size());
  double whole = 0;
  const double place = std::modf(static_cast<double>(++group.draws) * GoldenRatio, &whole) * size;
  return factor * group.ratios[static_cast<size_t>(place)] * size / group.sum;
}

} // namespace gnomon::process::burst
