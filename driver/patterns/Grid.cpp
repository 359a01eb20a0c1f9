// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/Grid.h"

#include "trace-formats/Import.h"
#include "trace-formats/LineReader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace gnomon::patterns {

Grid::Grid(std::vector<uint32_t> extents) : extents_(std::move(extents)) {
  for (const uint32_t extent : extents_)
    ranks_ *= extent;
}

Point Grid::point(uint32_t rank) const {
  Point point{};
  for (size_t d = dimensions(); d-- > 0; rank /= extents_[d])
    point[d] = rank % extents_[d];
  return point;
}

uint32_t Grid::rank(const Point &point) const { return placeAlong(all(), point); }

std::string Grid::text() const { return fmt::format("{}", fmt::join(extents_, "x")); }

uint32_t Grid::countAlong(uint32_t along) const {
  uint32_t count = 1;
  for (size_t d = 0; d < dimensions(); ++d)
    count *= (along >> d & 1) != 0 ? extents_[d] : 1;
  return count;
}

uint32_t Grid::placeAlong(uint32_t along, const Point &point) const {
  uint32_t place = 0;
  for (size_t d = 0; d < dimensions(); ++d)
    if ((along >> d & 1) != 0)
      place = place * extents_[d] + point[d];
  return place;
}

Point Grid::atPlace(uint32_t along, uint32_t place, Point point) const {
  for (size_t d = dimensions(); d-- > 0;)
    if ((along >> d & 1) != 0) {
      point[d] = place % extents_[d];
      place /= extents_[d];
    }
  return point;
}

std::optional<Grid> gridNamed(const std::string &text) {
  std::vector<uint32_t> extents;
  uint64_t ranks = 1;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('x', at), text.size());
    int64_t extent = 0;
    if (extents.size() == MostDimensions ||
        !trace::readInteger(text.substr(at, end - at), 1, int64_t{trace::MostRanks}, extent))
      return std::nullopt;
    extents.push_back(static_cast<uint32_t>(extent));
    ranks *= static_cast<uint64_t>(extent);
    if (ranks > trace::MostRanks)
      return std::nullopt;
    at = end + 1;
  }
  return Grid(std::move(extents));
}

std::vector<Grid> gridsOf(uint32_t ranks, size_t dimensions) {
  std::vector<Grid> grids;
  std::vector<uint32_t> extents;
  const std::function<void(uint32_t)> extend = [&](uint32_t rest) {
    if (extents.size() + 1 == dimensions) {
      if (rest < 2)
        return;
      extents.push_back(rest);
      grids.emplace_back(extents);
      extents.pop_back();
      return;
    }
    for (uint32_t extent = 2; extent <= rest / 2; ++extent) {
      if (rest % extent != 0)
        continue;
      extents.push_back(extent);
      extend(rest / extent);
      extents.pop_back();
    }
  };
  extend(ranks);
  return grids;
}

Grid balancedGrid(uint32_t ranks, size_t dimensions) {
  std::vector<uint32_t> best(dimensions, 1);
  best[0] = ranks;
  for (const Grid &grid : gridsOf(ranks, dimensions)) {
    std::vector<uint32_t> extents = grid.extents();
    if (!std::is_sorted(extents.rbegin(), extents.rend()))
      continue;
    const auto spread = [](const std::vector<uint32_t> &of) { return of.front() - of.back(); };
    if (std::pair(spread(extents), extents) < std::pair(spread(best), best))
      best = std::move(extents);
  }
  return Grid(std::move(best));
}

} // namespace gnomon::patterns
