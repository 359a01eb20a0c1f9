// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arithmetic of grids, neighbours, and balanced factorisation.
#include "mpi/comm/Topology.h"

#include "mpi.h"
#include "mpi/comm/Comm.h"

#include <algorithm>
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

std::span<const int> Graph::neighbors(int rank) const {
  const auto r = static_cast<size_t>(rank);
  const int begin = r == 0 ? 0 : index[r - 1];
  return std::span(edges).subspan(static_cast<size_t>(begin),
                                  static_cast<size_t>(index[r] - begin));
}

Neighbors Topology::neighbors(int rank) const {
  if (distributed_)
    return {distributed_->sources, distributed_->destinations};
  Neighbors result;
  if (graph_) {
    const auto all = graph_->neighbors(rank);
    result.sources.assign(all.begin(), all.end());
  } else {
    for (int d = 0; d < grid_->dimensions(); ++d)
      for (int displacement : {-1, 1})
        result.sources.push_back(grid_->neighbor(rank, d, displacement).value_or(MPI_PROC_NULL));
  }
  result.destinations = result.sources;
  return result;
}

int Topology::sourceCount(int rank) const {
  if (distributed_)
    return static_cast<int>(distributed_->sources.size());
  return graph_ ? static_cast<int>(graph_->neighbors(rank).size()) : 2 * grid_->dimensions();
}

int Topology::destinationCount(int rank) const {
  return distributed_ ? static_cast<int>(distributed_->destinations.size()) : sourceCount(rank);
}

int sourceCount(const Comm &comm) {
  return comm.topology ? comm.topology->sourceCount(comm.rank()) : 0;
}

int destinationCount(const Comm &comm) {
  return comm.topology ? comm.topology->destinationCount(comm.rank()) : 0;
}

namespace {

/// Searches the factorisations of a number into factors that do not increase.
class Balance {
public:
  Balance(int n, size_t factors) : current_(factors), divisors_(divisorsOf(n)) { extend(0, n, n); }
  const std::vector<int> &best() const { return best_; }

private:
  static std::vector<int> divisorsOf(int n) {
    std::vector<int> low, high;
    for (int d = 1; int64_t{d} * d <= n; ++d) {
      if (n % d != 0)
        continue;
      low.push_back(d);
      if (d != n / d)
        high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
  }
  /// base to the power of count, or any number above \p limit.
  static int64_t powerUpTo(int64_t base, size_t count, int64_t limit) {
    int64_t power = 1;
    for (size_t i = 0; i < count && power <= limit; ++i)
      power *= base;
    return power;
  }
  /// The closest together wins; of those the one with the largest last factor, then the smallest
  /// first.
  bool better() const {
    const int spread = current_.front() - current_.back(), old = best_.front() - best_.back();
    if (spread != old)
      return spread < old;
    return std::lexicographical_compare(best_.rbegin(), best_.rend(), current_.rbegin(),
                                        current_.rend());
  }
  void extend(size_t index, int rest, int limit) {
    const size_t open = current_.size() - index;
    if (open == 1) {
      if (rest > limit)
        return;
      current_[index] = rest;
      if (best_.empty() || better())
        best_ = current_;
      return;
    }
    // No factor may be so far below the first that the best spread is missed.
    const int least =
        best_.empty() || index == 0 ? 1 : current_.front() - (best_.front() - best_.back());
    if (least > 1 && powerUpTo(least, open, rest) > rest)
      return;
    for (int factor : divisors_) {
      if (factor > limit || factor > rest)
        break;
      if (rest % factor != 0 || factor < least || powerUpTo(factor, open, rest) < rest)
        continue; // the rest must fit into factors that are not larger than this one
      current_[index] = factor;
      extend(index + 1, rest / factor, factor);
    }
  }

  std::vector<int> current_, best_;
  std::vector<int> divisors_;
};

} // namespace

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
  const Balance balance(static_cast<int>(nodes / given), open);
  auto next = balance.best().begin();
  for (int &size : dims)
    if (size == 0)
      size = *next++;
  return true;
}

} // namespace gnomon::mpi
