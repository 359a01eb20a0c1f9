// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks as points of a grid, in the order of MPI_Cart_create: the last coordinate varies fastest.
/// A ring or a chain is a grid of one dimension.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::patterns {

inline constexpr size_t MostDimensions = 6;
using Point = std::array<uint32_t, MostDimensions>;

class Grid {
public:
  explicit Grid(std::vector<uint32_t> extents);

  uint32_t ranks() const { return ranks_; }
  size_t dimensions() const { return extents_.size(); }
  uint32_t extent(size_t dimension) const { return extents_[dimension]; }
  const std::vector<uint32_t> &extents() const { return extents_; }
  Point point(uint32_t rank) const;
  uint32_t rank(const Point &point) const;
  std::string text() const; ///< "4x8"

  /// A set of dimensions has a bit for each. Points that differ in these dimensions only are
  /// numbered as ranks are.
  uint32_t all() const { return (1U << dimensions()) - 1; }
  uint32_t countAlong(uint32_t along) const;
  uint32_t placeAlong(uint32_t along, const Point &point) const;
  /// \p point with the coordinates of that place.
  Point atPlace(uint32_t along, uint32_t place, Point point) const;

  bool operator==(const Grid &) const = default;

private:
  std::vector<uint32_t> extents_;
  uint32_t ranks_ = 1;
};

/// "4x8"; nothing where the text is no grid of at most 2^24 ranks.
std::optional<Grid> gridNamed(const std::string &text);

/// All grids of so many ranks and dimensions whose extents are 2 at least.
std::vector<Grid> gridsOf(uint32_t ranks, size_t dimensions);

/// The grid that MPI_Dims_create gives: extents as close to each other as they can be, the largest
/// one first.
Grid balancedGrid(uint32_t ranks, size_t dimensions);

} // namespace gnomon::patterns
