// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: Dims_create balances, respects what is given, refuses what does not divide; grids number
// their ranks row-major and wrap only where they are periodic; neighbours come in MPI's order.
#include "mpi/comm/Topology.h"

#include "mpi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gnomon::mpi {
namespace {

std::vector<int> balanced(int nodes, std::vector<int> dims) {
  EXPECT_TRUE(balanceDims(nodes, dims));
  return dims;
}

TEST(Dims, AreBalanced) {
  using V = std::vector<int>;
  EXPECT_EQ(balanced(6, {0, 0}), (V{3, 2})); // the standard's examples, 8.5.2
  EXPECT_EQ(balanced(7, {0, 0}), (V{7, 1}));
  EXPECT_EQ(balanced(6, {0, 3, 0}), (V{2, 3, 1}));
  EXPECT_EQ(balanced(1, {0, 0, 0}), (V{1, 1, 1}));
  EXPECT_EQ(balanced(12, {0, 0}), (V{4, 3}));
  EXPECT_EQ(balanced(16, {0, 0, 0}), (V{4, 2, 2}));
  EXPECT_EQ(balanced(24, {0, 0, 0}), (V{4, 3, 2}));
  EXPECT_EQ(balanced(48, {0, 0, 0}), (V{4, 4, 3}));
  EXPECT_EQ(balanced(1024, {0, 0}), (V{32, 32}));
  EXPECT_EQ(balanced(1024, {0, 0, 0}), (V{16, 8, 8}));
  EXPECT_EQ(balanced(16384, {0, 0, 0, 0}), (V{16, 16, 8, 8}));
  EXPECT_EQ(balanced(5040, {0, 0, 0}), (V{21, 16, 15}));
  EXPECT_EQ(balanced(7488, {0, 0, 0}), (V{26, 18, 16}));
  EXPECT_EQ(balanced(720720, {0, 0, 0, 0, 0}), (V{20, 18, 14, 13, 11}));
  EXPECT_EQ(balanced(999983, {0, 0}), (V{999983, 1})); // a prime
}

TEST(Dims, AreTheBestForAllSmallNumbers) {
  for (int n = 1; n <= 400; ++n) {
    const auto three = balanced(n, {0, 0, 0});
    EXPECT_EQ(three[0] * three[1] * three[2], n);
    EXPECT_TRUE(three[0] >= three[1] && three[1] >= three[2]);
    int best = n;
    for (int a = 1; a <= n; ++a)
      for (int b = 1; n % a == 0 && b <= n / a; ++b)
        if (n / a % b == 0)
          best = std::min(best, std::max({a, b, n / a / b}) - std::min({a, b, n / a / b}));
    EXPECT_EQ(three[0] - three[2], best) << n;
  }
}

TEST(Dims, RefuseWhatDoesNotDivide) {
  std::vector<int> dims{0, 3, 0};
  EXPECT_FALSE(balanceDims(7, dims));
  dims = {-1, 0};
  EXPECT_FALSE(balanceDims(4, dims));
  dims = {2, 3};
  EXPECT_FALSE(balanceDims(7, dims));
  EXPECT_TRUE(balanceDims(6, dims));
}

TEST(Grid, NumbersRanksRowMajor) {
  const CartesianGrid grid{{2, 3, 4}, {0, 1, 0}};
  for (int rank = 0; rank < 24; ++rank) {
    int coords[3];
    grid.coordinates(rank, coords);
    EXPECT_EQ(coords[0] * 12 + coords[1] * 4 + coords[2], rank);
    EXPECT_EQ(grid.rankAt(coords), rank);
  }
}

TEST(Grid, WrapsOnlyPeriodicDimensions) {
  const CartesianGrid grid{{2, 3, 4}, {0, 1, 0}};
  EXPECT_EQ(grid.neighbor(0, 0, -1), std::nullopt);
  EXPECT_EQ(grid.neighbor(0, 0, 1), 12);
  EXPECT_EQ(grid.neighbor(0, 1, -1), 8);
  EXPECT_EQ(grid.neighbor(0, 1, 7), 4);
  EXPECT_EQ(grid.neighbor(0, 1, -7), 8);
  EXPECT_EQ(grid.neighbor(3, 2, 1), std::nullopt);
  const int outside[] = {0, -4, 0}, beyond[] = {2, 0, 0};
  EXPECT_EQ(grid.rankAt(outside), 8);
  EXPECT_EQ(grid.rankAt(beyond), std::nullopt);
  EXPECT_EQ((CartesianGrid{{}, {}}.rankAt({})), 0);
}

TEST(Neighbors, OfGridsAreBelowAndAboveInEachDimension) {
  const Topology open(CartesianGrid{{2, 3}, {0, 1}});
  const int None = MPI_PROC_NULL;
  EXPECT_EQ(open.neighbors(0).sources, (std::vector<int>{None, 3, 2, 1}));
  EXPECT_EQ(open.neighbors(5).destinations, (std::vector<int>{2, None, 4, 3}));
  EXPECT_EQ(open.sourceCount(4), 4);
  const Topology alone(CartesianGrid{{1}, {1}});
  EXPECT_EQ(alone.neighbors(0).sources, (std::vector<int>{0, 0}));
}

TEST(Neighbors, OfGraphsKeepTheirOrder) {
  const Topology graph(Graph{{2, 2, 4}, {2, 1, 1, 0}});
  EXPECT_EQ(graph.neighbors(0).sources, (std::vector<int>{2, 1}));
  EXPECT_TRUE(graph.neighbors(1).destinations.empty());
  EXPECT_EQ(graph.neighbors(2).destinations, (std::vector<int>{1, 0}));
  EXPECT_EQ(graph.destinationCount(1), 0);
  EXPECT_EQ(graph.sourceCount(2), 2);
}

TEST(Neighbors, OfDistributedGraphsDifferByDirection) {
  DistributedGraph own;
  own.sources = {4, 4, 1};
  own.destinations = {2};
  const Topology topology(own);
  EXPECT_EQ(topology.neighbors(0).sources, own.sources);
  EXPECT_EQ(topology.neighbors(0).destinations, own.destinations);
  EXPECT_EQ(topology.sourceCount(0), 3);
  EXPECT_EQ(topology.destinationCount(0), 1);
}

} // namespace
} // namespace gnomon::mpi
