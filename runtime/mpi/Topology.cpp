// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of grids, and balanced factorisation.
#include "mpi/Topology.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace gnomon::mpi {

int64_t CartesianGrid::nodes() const {
  int64_t product = 1;
  for (int size : dims)
    product *= size;
  return product;
}

void CartesianGrid::coordinates(int rank, std::span<int> coords) const {
  for (size_t d = dims.size(); d-- > 0;) {
    const int coordinate = rank % dims[d];
    rank /= dims[d];
    if (d < coords.size())
      coords[d] = coordinate;
  }
}

std::optional<int> CartesianGrid::rankAt(std::span<const int> coords) const {
  int rank = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    int coordinate = coords[d];
    if (coordinate < 0 || coordinate >= dims[d]) {
      if (!periodic[d])
        return std::nullopt;
      coordinate %= dims[d];
      if (coordinate < 0)
        coordinate += dims[d];
    }
    rank = rank * dims[d] + coordinate;
  }
  return rank;
}

std::optional<int> CartesianGrid::neighbor(int rank, int dimension, int displacement) const {
  std::vector<int> coords(dims.size());
  coordinates(rank, coords);
  const auto d = static_cast<size_t>(dimension);
  int64_t moved = int64_t{coords[d]} + displacement;
  if (periodic[d])
    moved = (moved % dims[d] + dims[d]) % dims[d];
  else if (moved < 0 || moved >= dims[d])
    return std::nullopt;
  coords[d] = static_cast<int>(moved);
  return rankAt(coords);
}

/// Writes into \p factors, which are not to increase nor exceed \p limit, the balanced
/// factorisation of \p n. The first success is the best: candidates for the largest factor are
/// tried from the smallest on.
static bool factorise(int n, int limit, std::span<int> factors) {
  if (factors.size() == 1) {
    factors[0] = n;
    return n <= limit;
  }
  for (int factor = 1; factor <= std::min(n, limit); ++factor) {
    if (n % factor != 0)
      continue;
    // The rest must fit into factors that are not larger than this one.
    int64_t room = 1;
    for (size_t i = 1; i < factors.size() && room < n / factor; ++i)
      room *= factor;
    if (room < n / factor)
      continue;
    factors[0] = factor;
    if (factorise(n / factor, factor, factors.subspan(1)))
      return true;
  }
  return false;
}

bool balanceDims(int nodes, std::span<int> dims) {
  int64_t given = 1;
  size_t open = 0;
  for (int size : dims) {
    if (size < 0)
      return false;
    if (size == 0)
      ++open;
    else
      given *= size;
  }
  if (open == 0)
    return given == nodes;
  if (given > nodes || nodes % given != 0)
    return false;
  std::vector<int> factors(open);
  const int rest = static_cast<int>(nodes / given);
  factorise(rest, rest, factors);
  auto next = factors.begin();
  for (int &size : dims)
    if (size == 0)
      size = *next++;
  return true;
}

} // namespace gnomon::mpi
