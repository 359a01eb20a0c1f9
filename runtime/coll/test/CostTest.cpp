// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every algorithm sends exactly as many messages and bytes as the cost on top of its file
// says, and on an affine network without contention takes the time that its pattern implies. An
// algorithm without a row here fails.
#include "coll/Algorithm.h"
#include "coll/Selection.h"
#include "coll/test/Workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>

namespace gnomon::coll::test {
namespace {

constexpr int64_t b = BlockInts * 4; ///< bytes of a block; the whole vector has B = n b

int logFloor(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }
int logCeil(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

/// n ranks: p the power of two below, e = n - p left over, c = ceil(log2 n), B = n b.
struct N {
  int n, p, e, c, l;
  int64_t B;
  explicit N(int n)
      : n(n), p(1 << logFloor(n)), e(n - p), c(logCeil(n)), l(logFloor(n)), B(n * b) {}
  /// Blocks that travel in a binomial scatter or gather: each block once per level of its rank.
  int64_t treeBlocks() const {
    int64_t sum = 0;
    for (int v = 1; v < n; ++v)
      sum += std::popcount(static_cast<unsigned>(v));
    return sum;
  }
  /// Messages of a scan by recursive doubling: partners beyond n do not exist.
  int64_t scanMessages() const {
    int64_t count = 0;
    for (int mask = 1; mask < n; mask *= 2)
      for (int r = 0; r < n; ++r)
        count += (r ^ mask) < n;
    return count;
  }
};

/// Messages of an allgather by doubling among any number of ranks, after each has a block:
/// exchanges where there is a partner, and one for each rank that has to get a range from its own
/// half.
inline int64_t completions(int n) {
  int64_t count = 0;
  for (int mask = 1; mask < n; mask *= 2) {
    const int theirs = (n - 1) / (2 * mask) * (2 * mask) + mask;
    count += theirs < n ? std::max(theirs + mask - n, 0) : 0;
  }
  return count;
}

/// Blocks that a reduce-scatter by recursive doubling moves: all but those of a group.
inline int64_t doubledBlocks(int n) {
  int64_t blocks = 0;
  for (int mask = 1; mask < n; mask *= 2) {
    auto others = [&](int first) { return n - (std::min(first + mask, n) - std::min(first, n)); };
    for (int r = 0; r < n; ++r)
      if ((r ^ mask) < n)
        blocks += others(r & ~(mask - 1));
    const int theirs = (n - 1) / (2 * mask) * (2 * mask) + mask;
    if (theirs < n)
      blocks += std::max(theirs + mask - n, 0) * others(theirs);
  }
  return blocks;
}

/// Numbers of l bits that are their own mirror image.
inline int64_t palindromes(int l) { return int64_t{1} << ((l + 1) / 2); }

struct Cost {
  int64_t messages, bytes;
};
using Formula = Cost (*)(const N &x);

// What several algorithms cost.
Cost spanning(const N &x) { return {x.n - 1, (x.n - 1) * x.B}; }
Cost eachToEach(const N &x) { return {x.n * (x.n - 1), (x.n - 1) * x.B}; }
Cost scatterDoubling(const N &x) {
  return {x.n - 1 + x.scanMessages() + completions(x.n), x.treeBlocks() * b + (x.n - 1) * x.B};
}
Cost halvingGather(const N &x) {
  return {x.p * x.l + x.p - 1 + x.e, (x.p - 1) * x.B + x.B * x.l / 2 + x.e * x.B};
}
Cost halvingFolded(const N &x) { return {x.p * x.l + 2 * x.e, (x.p - 1) * x.B + x.e * (x.B + b)}; }
Cost reduceThenScatter(const N &x) { return {2 * (x.n - 1), (x.n - 1) * x.B + x.treeBlocks() * b}; }
Cost doubledOthers(const N &x) {
  return {x.scanMessages() + completions(x.n), doubledBlocks(x.n) * b};
}
Cost butterfly(const N &x) {
  const int64_t moved = x.p - palindromes(x.l);
  return {x.p * x.l + 2 * x.e + moved, (x.p - 1) * x.B + x.e * (x.B + b) + moved * b};
}

const std::map<std::string, Formula> &formulas() {
  static const std::map<std::string, Formula> table{
      {"barrier:ompi_basic_linear", [](const N &x) { return Cost{2 * (x.n - 1), 0}; }},
      {"barrier:ompi_two_procs", [](const N &) { return Cost{2, 0}; }},
      {"barrier:ompi_tree", [](const N &x) { return Cost{2 * (x.n - 1), 0}; }},
      {"barrier:ompi_bruck", [](const N &x) { return Cost{x.n * x.c, 0}; }},
      {"barrier:ompi_recursivedoubling", [](const N &x) { return Cost{x.p * x.l + 2 * x.e, 0}; }},
      {"barrier:ompi_doublering", [](const N &x) { return Cost{x.n == 1 ? 0 : 2 * x.n, 0}; }},

      {"bcast:binomial_tree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"bcast:flattree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"bcast:scatter_LR_allgather",
       [](const N &x) {
         return Cost{(x.n - 1) * (x.n + 1), x.treeBlocks() * b + (x.n - 1) * x.B};
       }},
      {"bcast:scatter_rdb_allgather", scatterDoubling},
      {"bcast:ompi_scatter_allgather", scatterDoubling},
      {"bcast:ompi_scatter_allgather_ring",
       [](const N &x) {
         return Cost{(x.n - 1) * (x.n + 1), x.treeBlocks() * b + (x.n - 1) * x.B};
       }},
      {"bcast:ompi_pipeline", spanning},
      {"bcast:ompi_chain", spanning},
      {"bcast:ompi_binary_tree", spanning},
      {"bcast:ompi_binomial", spanning},
      {"bcast:ompi_knomial", spanning},
      {"bcast:ompi_split_bintree", // too short to split: a chain of segments of 1 KiB
       [](const N &x) { return Cost{(x.n - 1) * ((x.B + 1023) / 1024), (x.n - 1) * x.B}; }},

      {"reduce:binomial", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:flat_tree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:ompi_in_order_binary", // to the last rank, and from there to the root, 0
       [](const N &x) { return x.n == 1 ? Cost{0, 0} : Cost{x.n, x.n * x.B}; }},
      {"reduce:ompi_chain", spanning},
      {"reduce:ompi_pipeline", // in segments of 1 KiB from 10 ranks on
       [](const N &x) { return Cost{(x.n - 1) * ((x.B + 1023) / 1024), (x.n - 1) * x.B}; }},
      {"reduce:ompi_binary", spanning},
      {"reduce:ompi_binomial", spanning},
      {"reduce:scatter_gather", halvingGather},
      {"reduce:rab", halvingGather},
      {"reduce:ompi_rabenseifner", // the folded ranks share the first addition
       [](const N &x) {
         return Cost{x.p * x.l + x.p - 1 + 3 * x.e,
                     (x.p - 1) * x.B + x.B * x.l / 2 + x.e * x.B * 3 / 2};
       }},

      {"allreduce:rdb",
       [](const N &x) { return Cost{x.p * x.l + 2 * x.e, (x.p * x.l + 2 * x.e) * x.B}; }},
      {"allreduce:rab",
       [](const N &x) { return Cost{2 * x.p * x.l + 2 * x.e, (2 * (x.p - 1) + 2 * x.e) * x.B}; }},
      {"allreduce:lr", [](const N &x) { return Cost{2 * x.n * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:ompi_basic_linear",
       [](const N &x) { return Cost{2 * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:ompi_nonoverlapping", // of two spanning trees
       [](const N &x) { return Cost{2 * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:ompi_ring",
       [](const N &x) { return Cost{2 * x.n * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:ompi_ring_segmented", // in one segment
       [](const N &x) { return Cost{2 * x.n * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:ompi_rabenseifner",
       [](const N &x) {
         return Cost{2 * x.p * x.l + 4 * x.e, 2 * (x.p - 1) * x.B + x.e * x.B * 5 / 2};
       }},
      {"allreduce:redbcast", [](const N &x) { return Cost{2 * (x.n - 1), 2 * (x.n - 1) * x.B}; }},

      {"gather:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"gather:ompi_binomial", [](const N &x) { return Cost{x.n - 1, x.treeBlocks() * b}; }},
      {"gather:ompi_linear_sync", [](const N &x) { return Cost{3 * (x.n - 1), (x.n - 1) * b}; }},
      {"gatherv:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"gatherv:mpich_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatter:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatter:ompi_binomial", [](const N &x) { return Cost{x.n - 1, x.treeBlocks() * b}; }},
      {"scatter:ompi_linear_nb", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatterv:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatterv:ompi_linear_nb", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},

      {"allgather:rdb", [](const N &x) { return Cost{x.n * x.l, (x.n - 1) * x.B}; }},
      {"allgather:bruck", [](const N &x) { return Cost{x.n * x.c, (x.n - 1) * x.B}; }},
      {"allgather:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:NTSLR", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:ompi_neighborexchange",
       [](const N &x) { return Cost{x.n * x.n / 2, (x.n - 1) * x.B}; }},
      {"allgather:spreading_simple",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:GB",
       [](const N &x) { return Cost{2 * (x.n - 1), x.treeBlocks() * b + (x.n - 1) * x.B}; }},
      {"allgather:ompi_two_proc", eachToEach},
      {"allgather:ompi_linear", // binomial both
       [](const N &x) { return Cost{2 * (x.n - 1), x.treeBlocks() * b + (x.n - 1) * x.B}; }},
      {"allgatherv:ompi_neighborexchange",
       [](const N &x) { return Cost{x.n * x.n / 2, (x.n - 1) * x.B}; }},
      {"allgatherv:ompi_ring", eachToEach},
      {"allgatherv:ompi_two_proc", eachToEach},
      {"allgatherv:ompi_default", // linear, then binomial
       [](const N &x) { return Cost{2 * (x.n - 1), (x.n - 1) * (b + x.B)}; }},
      {"allgatherv:mpich_rdb", [](const N &x) { return Cost{x.n * x.l, (x.n - 1) * x.B}; }},
      {"allgatherv:GB", [](const N &x) { return Cost{2 * (x.n - 1), (x.n - 1) * (b + x.B)}; }},
      {"allgatherv:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgatherv:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgatherv:ompi_bruck", [](const N &x) { return Cost{x.n * x.c, (x.n - 1) * x.B}; }},
      {"allgatherv:mpich_ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},

      {"alltoall:basic_linear", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoall:bruck", [](const N &x) { return Cost{x.n * x.c, x.n * x.treeBlocks() * b}; }},
      {"alltoall:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoall:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoall:ompi_two_proc", eachToEach},
      {"alltoall:ompi_inplace", eachToEach},
      {"alltoall:mpich_pairwise", eachToEach},
      {"alltoall:mpich_scattered", eachToEach},
      {"alltoall:mpich_pairwise_sendrecv_replace", eachToEach},
      {"alltoallv:ompi_inplace", eachToEach},
      {"alltoallv:mpich_scattered", eachToEach},
      {"alltoallv:mpich_pairwise_sendrecv_replace", eachToEach},
      {"alltoallw:ompi_inplace", eachToEach},
      {"alltoallw:mpich_scattered", eachToEach},
      {"alltoallw:mpich_pairwise_sendrecv_replace", eachToEach},
      {"alltoallv:ompi_basic_linear",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallv:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallv:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:ompi_basic_linear",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},

      // two edges a rank
      {"neighbor:ompi_basic_linear", [](const N &x) { return Cost{2 * x.n, 2 * x.B}; }},

      {"reduce_scatter:ompi_basic_recursivehalving", halvingFolded},
      {"reduce_scatter:ompi_ring", eachToEach},
      {"reduce_scatter:mpich_pair", eachToEach},
      {"reduce_scatter:ompi_nonoverlapping", reduceThenScatter},
      {"reduce_scatter:mpich_rdb", doubledOthers},
      {"reduce_scatter:mpich_noncomm", [](const N &x) { return Cost{x.n * x.l, (x.n - 1) * x.B}; }},
      {"reduce_scatter:ompi_butterfly", butterfly},
      {"reduce_scatter_block:ompi_basic_recursivehalving", halvingFolded},
      {"reduce_scatter_block:ompi_ring", eachToEach},
      {"reduce_scatter_block:mpich_pair", eachToEach},
      {"reduce_scatter_block:ompi_nonoverlapping", reduceThenScatter},
      {"reduce_scatter_block:mpich_rdb", doubledOthers},
      {"reduce_scatter_block:mpich_noncomm",
       [](const N &x) { return Cost{x.n * x.l, (x.n - 1) * x.B}; }},
      {"reduce_scatter_block:ompi_butterfly",
       [](const N &x) { return x.e == 0 ? Cost{x.n * x.l, (x.n - 1) * x.B} : butterfly(x); }},

      {"scan:linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"scan:recursivedoubling",
       [](const N &x) { return Cost{x.scanMessages(), x.scanMessages() * x.B}; }},
      {"exscan:linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"exscan:recursivedoubling",
       [](const N &x) { return Cost{x.scanMessages(), x.scanMessages() * x.B}; }},
  };
  return table;
}

template <class Args> void checkCosts() {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table()) {
    const std::string name = std::string(Collective<Args>::name) + ":" + algorithm.name;
    const auto formula = formulas().find(name);
    if (std::string_view(algorithm.name).starts_with("mpich_smp") ||
        std::string_view(algorithm.name) == "mpich_composition_alpha")
      continue; // HierarchyTest
    ASSERT_NE(formula, formulas().end()) << name << " has no cost here";
    for (int n : {1, 2, 3, 4, 6, 7, 8, 16, 17, 30}) {
      Cluster cluster(n);
      if (!runOn(cluster, algorithm))
        continue;
      const Cost expected = formula->second(N(n));
      EXPECT_EQ(cluster.messages, expected.messages) << name << " on " << n << " ranks";
      EXPECT_EQ(cluster.bytes, expected.bytes) << name << " on " << n << " ranks";
    }
  }
}

TEST(Cost, MessagesAndBytesOfEveryAlgorithm) {
  // What algorithms made of others take.
  for (const char *choice : {"reduce:binomial", "bcast:binomial_tree", "gather:ompi_binomial",
                             "scatter:ompi_binomial", "gatherv:ompi_basic_linear"})
    force(choice);
#define GNOMON_COLLECTIVE(ARGS, NAME) checkCosts<ARGS>();
#include "coll/Collectives.def"
  forceNothing();
}

/// An algorithm's cost on n ranks with messages cut as asked for.
template <class Args> Cost costOf(const char *name, int n, int64_t segment, int fanout = 0) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table()) {
    if (std::string_view(name) != algorithm.name)
      continue;
    Cluster cluster(n, {false, 1, 0, segment, fanout});
    EXPECT_TRUE(runOn(cluster, algorithm));
    return {cluster.messages, cluster.bytes};
  }
  ADD_FAILURE() << "no algorithm " << name;
  return {};
}
bool operator==(const Cost &a, const Cost &b) {
  return a.messages == b.messages && a.bytes == b.bytes;
}

TEST(Cost, Segments) {
  // Vectors of B = 64 n bytes in segments of 100 ints' bytes: s of them, n - 1 times.
  for (int n : {2, 7, 16, 30}) {
    const int64_t B = n * b, s = (B + 399) / 400;
    const Cost cut{(n - 1) * s, (n - 1) * B};
    for (const char *name :
         {"ompi_pipeline", "ompi_chain", "ompi_binary_tree", "ompi_binomial", "ompi_knomial"})
      EXPECT_EQ(costOf<BcastArgs>(name, n, 400), cut) << name << " on " << n;
    for (const char *name : {"ompi_pipeline", "ompi_chain", "ompi_binary", "ompi_binomial"})
      EXPECT_EQ(costOf<ReduceArgs>(name, n, 400), cut) << name << " on " << n;
    // Half of the vector to each side, then halves are exchanged.
    EXPECT_EQ(costOf<BcastArgs>("ompi_split_bintree", n, 0), (Cost{2 * (n - 1), (n - 1) * B}));
    const int64_t t = (B / 2 + 31) / 32; // segments of a half
    EXPECT_EQ(costOf<BcastArgs>("ompi_split_bintree", n, 32),
              (Cost{(n - 1) * (t + 1), (n - 1) * B}));
    // Blocks of 16 ints: in 4 segments in the first lap, whole in the second.
    EXPECT_EQ(costOf<AllreduceArgs>("ompi_ring_segmented", n, 16),
              (Cost{n * (n - 1) * (4 + 1), 2 * (n - 1) * B}));
    EXPECT_EQ(costOf<AllgathervArgs>("mpich_ring", n, 32), (Cost{2 * n * (n - 1), (n - 1) * B}));
    EXPECT_EQ(costOf<GatherArgs>("ompi_linear_sync", n, 0), (Cost{3 * (n - 1), (n - 1) * b}));
  }
}

/// The time of an algorithm when a message of m bytes takes 1 + m / 2^10 and its sender waits for
/// its end.
template <class Args> double seconds(const char *name, int n) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table()) {
    if (std::string_view(name) != algorithm.name)
      continue;
    Cluster cluster(n, {true, 1, 1.0 / 1024});
    EXPECT_TRUE(runOn(cluster, algorithm));
    return cluster.finished;
  }
  ADD_FAILURE() << "no algorithm " << name;
  return 0;
}
double message(int64_t bytes) { return 1 + static_cast<double>(bytes) / 1024; }

// With a = 1, c = 1/1024, n = 16 = 2^4, block b, vector B = 16 b.
TEST(Cost, TimesOnAnAffineNetwork) {
  constexpr int n = 16;
  constexpr int64_t B = n * b;
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_bruck", n), 4);
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_recursivedoubling", n), 4);
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_tree", n), 8);
  // log2 n steps of the whole vector.
  EXPECT_DOUBLE_EQ(seconds<BcastArgs>("binomial_tree", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<ReduceArgs>("binomial", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("rdb", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("redbcast", n), 8 * message(B));
  // All at once; one after the other.
  EXPECT_DOUBLE_EQ(seconds<BcastArgs>("flattree", n), message(B));
  EXPECT_DOUBLE_EQ(seconds<ReduceArgs>("flat_tree", n), 15 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("basic_linear", n), message(b));
  // n - 1 steps of a block.
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("pair", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("ring", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AllgatherArgs>("NTSLR", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("lr", n), 30 * message(b));
  // The largest subtree first: sum over k of a + c b 2^k = 4 a + 15 c b. The smallest first would
  // take longer.
  EXPECT_DOUBLE_EQ(seconds<ScatterArgs>("ompi_binomial", n), 3 + message(15 * b));
  EXPECT_DOUBLE_EQ(seconds<GatherArgs>("ompi_binomial", n), 3 + message(15 * b));
  // Halving and doubling: 2 log2 n a + 2 (n - 1) c b.
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("rab", n), 7 + message(30 * b));
  EXPECT_DOUBLE_EQ(seconds<AllgatherArgs>("rdb", n), 3 + message(15 * b));
  EXPECT_DOUBLE_EQ(seconds<ReduceScatterArgs>("ompi_basic_recursivehalving", n),
                   3 + message(15 * b));
}

} // namespace
} // namespace gnomon::coll::test
