// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: who sends to whom, in which pieces and when: what counts of messages do not tell apart.
// Trees are those of coll_base_topo.c, sizes of segments those of coll_base_bcast.c,
// coll_base_reduce.c and SMPI's colls (Open MPI's older decision).
#include "coll/Selection.h"
#include "coll/test/Workload.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gnomon::coll::test {
namespace {

using Edges = std::vector<std::pair<int, int>>;

/// All messages by sender, each one's in order.
std::vector<Cluster::Sent> bySender(const Cluster &cluster) {
  std::vector<Cluster::Sent> sorted;
  for (int r = 0; r < cluster.size(); ++r)
    for (const Cluster::Sent &sent : cluster.log)
      if (sent.source == r)
        sorted.push_back(sent);
  return sorted;
}
Edges edgesOf(const Cluster &cluster) {
  Edges edges;
  for (const Cluster::Sent &sent : bySender(cluster))
    edges.emplace_back(sent.source, sent.dest);
  return edges;
}
template <class Args> Edges edges(const char *name, int n, int root = 0, int fanout = 0) {
  Cluster cluster(n, {false, 1, 0, 0, fanout});
  EXPECT_TRUE(runOn(cluster, algorithmOf<Args>(name), {root}));
  return edgesOf(cluster);
}
/// What goes up the tree that comes down.
Edges upwards(Edges edges) {
  for (auto &[from, to] : edges)
    std::swap(from, to);
  std::sort(edges.begin(), edges.end());
  return edges;
}
/// All ranks moved on by \p root, of n.
Edges movedTo(int root, int n, const Edges &edges) {
  Edges moved;
  for (int r = 0; r < n; ++r)
    for (const auto &[from, to] : edges)
      if ((from + root) % n == r)
        moved.emplace_back(r, (to + root) % n);
  return moved;
}

const Edges BinaryOf7{{0, 1}, {0, 2}, {1, 3}, {1, 5}, {2, 4}, {2, 6}};
const Edges BinomialOf8{{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 6}, {3, 7}};
const Edges InOrderBinomialOf8{{0, 1}, {0, 2}, {0, 4}, {2, 3}, {4, 5}, {4, 6}, {6, 7}};

TEST(Pattern, TreesOfBroadcasts) {
  for (int root : {0, 3}) {
    EXPECT_EQ(edges<BcastArgs>("ompi_binary_tree", 7, root), movedTo(root, 7, BinaryOf7));
    EXPECT_EQ(edges<BcastArgs>("ompi_binomial", 8, root), movedTo(root, 8, BinomialOf8));
    // In base 4, and 3; the largest subtree first.
    EXPECT_EQ(edges<BcastArgs>("ompi_knomial", 7, root),
              movedTo(root, 7, {{0, 4}, {0, 1}, {0, 2}, {0, 3}, {4, 5}, {4, 6}}));
    EXPECT_EQ(edges<BcastArgs>("ompi_knomial", 7, root, 3),
              movedTo(root, 7, {{0, 3}, {0, 6}, {0, 1}, {0, 2}, {3, 4}, {3, 5}}));
    EXPECT_EQ(edges<BcastArgs>("ompi_knomial", 4, root % 4, 2),
              movedTo(root % 4, 4, {{0, 2}, {0, 1}, {2, 3}}));
    // Chains: four, one, two (the first a rank longer).
    EXPECT_EQ(edges<BcastArgs>("ompi_chain", 7, root),
              movedTo(root, 7, {{0, 1}, {0, 3}, {0, 5}, {0, 6}, {1, 2}, {3, 4}}));
    const Edges line{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
    EXPECT_EQ(edges<BcastArgs>("ompi_chain", 6, root, 1), movedTo(root, 6, line));
    EXPECT_EQ(edges<BcastArgs>("ompi_pipeline", 6, root), movedTo(root, 6, line));
    EXPECT_EQ(edges<BcastArgs>("ompi_chain", 6, root, 2),
              movedTo(root, 6, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {4, 5}}));
    // The largest subtree first.
    EXPECT_EQ(edges<BcastArgs>("binomial_tree", 8, root),
              movedTo(root, 8, {{0, 4}, {0, 2}, {0, 1}, {2, 3}, {4, 6}, {4, 5}, {6, 7}}));
  }
}

TEST(Pattern, TreesOfReductions) {
  for (int root : {0, 3}) {
    auto up = [&](int n, const Edges &down) { return upwards(movedTo(root, n, down)); };
    EXPECT_EQ(edges<ReduceArgs>("ompi_binary", 7, root), up(7, BinaryOf7));
    EXPECT_EQ(edges<ReduceArgs>("ompi_binomial", 8, root), up(8, InOrderBinomialOf8));
    // Chains: half as many as ranks, one, two.
    EXPECT_EQ(edges<ReduceArgs>("ompi_chain", 6, root),
              up(6, {{0, 1}, {0, 3}, {0, 5}, {1, 2}, {3, 4}}));
    const Edges line{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}};
    EXPECT_EQ(edges<ReduceArgs>("ompi_chain", 6, root, 1), up(6, line));
    EXPECT_EQ(edges<ReduceArgs>("ompi_pipeline", 6, root), up(6, line));
    EXPECT_EQ(edges<ReduceArgs>("ompi_chain", 6, root, 2),
              up(6, {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {4, 5}}));
  }
  // Right child's range, left child's range, the node; rank 6 has all, and sends it to the root.
  const Edges ranges{{0, 2}, {1, 2}, {2, 6}, {3, 5}, {4, 5}, {5, 6}};
  EXPECT_EQ(edges<ReduceArgs>("ompi_in_order_binary", 7, 6), ranges);
  Edges toRoot = ranges;
  toRoot.emplace_back(6, 2);
  EXPECT_EQ(edges<ReduceArgs>("ompi_in_order_binary", 7, 2), toRoot);
}

/// Messages that a broadcast or reduction of so many bytes, in ints, makes of its own accord.
template <class Args> int messagesOf(const char *name, int n, int64_t bytes) {
  Cluster cluster(n, {false, 1, 0, -1, 0});
  EXPECT_TRUE(runOn(cluster, algorithmOf<Args>(name), {0, BlockInts, static_cast<int>(bytes / 4)}));
  return cluster.messages;
}
/// The same for a tree whose every edge takes segments of so many bytes.
int inSegments(int n, int64_t bytes, int64_t segment) {
  return static_cast<int>((n - 1) * ((bytes + segment - 1) / segment));
}

struct Own {
  int ranks;
  int64_t bytes, segment;
};
constexpr int64_t KiB = 1 << 10;

TEST(Pattern, OwnSegmentsOfBroadcasts) {
  // n < 1.6134e-6 B + 2.1102: 128 KiB; else n < 2.3679e-6 B + 1.1787: 64 KiB; else
  // n < 3.2118e-6 B + 8.7936: 16 KiB; else 128 KiB.
  for (const Own &own :
       {Own{2, 300000, 128 * KiB}, Own{3, 551504, 16 * KiB}, Own{3, 551508, 128 * KiB},
        Own{5, 1613792, 16 * KiB}, Own{5, 1613796, 64 * KiB}, Own{5, 1791120, 64 * KiB},
        Own{5, 1791128, 128 * KiB}, Own{9, 64264, 16 * KiB}, Own{9, 64260, 128 * KiB},
        Own{10, 375612, 128 * KiB}, Own{10, 375616, 16 * KiB}})
    EXPECT_EQ(messagesOf<BcastArgs>("ompi_pipeline", own.ranks, own.bytes),
              inSegments(own.ranks, own.bytes, own.segment))
        << own.ranks << " ranks, " << own.bytes << " bytes";
  // Three ranks: half of the ints, rounded up, to the first, the others to the second; an exchange.
  for (const Own &own : {Own{3, 370724, KiB}, Own{3, 370728, 8 * KiB}}) {
    const int64_t first = (own.bytes / 4 + 1) / 2 * 4, second = own.bytes - first;
    EXPECT_EQ(messagesOf<BcastArgs>("ompi_split_bintree", 3, own.bytes),
              inSegments(2, first, own.segment) + inSegments(2, second, own.segment) + 2);
  }
}

TEST(Pattern, OwnSegmentsOfReductions) {
  // n > 0.0410 B / 1024 + 9.7128: 1 KiB; else n > 0.0033 B / 1024 + 1.6761: 32 KiB; else 64 KiB.
  for (const Own &own : {Own{10, 7172, KiB}, Own{10, 7176, 32 * KiB}, Own{9, 8192, 32 * KiB},
                         Own{2, 100504, 32 * KiB}, Own{2, 100508, 64 * KiB}})
    EXPECT_EQ(messagesOf<ReduceArgs>("ompi_pipeline", own.ranks, own.bytes),
              inSegments(own.ranks, own.bytes, own.segment))
        << own.ranks << " ranks, " << own.bytes << " bytes";
  // From 8 ranks and 2 KiB on, with n > 0.6016 B / 1024 + 1.3496: 1 KiB; else whole.
  for (const Own &own : {Own{8, 2044, 2044}, Own{8, 2048, KiB}, Own{8, 11316, KiB},
                         Own{8, 11320, 11320}, Own{7, 4096, 4096}})
    EXPECT_EQ(messagesOf<ReduceArgs>("ompi_binomial", own.ranks, own.bytes),
              inSegments(own.ranks, own.bytes, own.segment))
        << own.ranks << " ranks, " << own.bytes << " bytes";
  EXPECT_EQ(messagesOf<ReduceArgs>("ompi_binary", 4, 100000), inSegments(4, 100000, 32 * KiB));
  EXPECT_EQ(messagesOf<ReduceArgs>("ompi_chain", 4, 200000), inSegments(4, 200000, 64 * KiB));
}

TEST(Pattern, SegmentsAreWholeElements) {
  // A segment of 30 bytes is 7 ints, and one of 31 is 8: the rest is more than half of one.
  auto messages = [](const char *name, int64_t segment) {
    Cluster cluster(3, {false, 1, 0, segment, 0});
    EXPECT_TRUE(runOn(cluster, algorithmOf<BcastArgs>(name), {0, BlockInts, 112}));
    return cluster.messages;
  };
  EXPECT_EQ(messages("ompi_binomial", 30), 2 * 112 / 7);
  EXPECT_EQ(messages("ompi_binomial", 31), 2 * 112 / 8);
  // Halves of 56 ints, 7 or (rounded down) 7 a segment, and an exchange.
  EXPECT_EQ(messages("ompi_split_bintree", 30), 2 * 56 / 7 + 2);
  EXPECT_EQ(messages("ompi_split_bintree", 31), 2 * 56 / 7 + 2);
}

TEST(Pattern, HalvesOfABroadcast) {
  // Seven ints on five ranks: four down the side of 1, three down that of 2. Pairs exchange.
  Cluster cluster(5, {true, 1, 0, 0, 0});
  EXPECT_TRUE(runOn(cluster, algorithmOf<BcastArgs>("ompi_split_bintree"), {0, BlockInts, 7}));
  const std::vector<Cluster::Sent> expected{{0, 1, 16}, {0, 2, 12}, {1, 3, 16}, {1, 2, 16},
                                            {2, 4, 12}, {2, 1, 12}, {3, 4, 16}, {4, 3, 12}};
  EXPECT_EQ(bySender(cluster), expected);
  // An inner rank sends to its children in their order.
  EXPECT_EQ(edges<BcastArgs>("ompi_split_bintree", 7), (Edges{{0, 1},
                                                              {0, 2},
                                                              {1, 3},
                                                              {1, 5},
                                                              {1, 2},
                                                              {2, 4},
                                                              {2, 6},
                                                              {2, 1},
                                                              {3, 4},
                                                              {4, 3},
                                                              {5, 6},
                                                              {6, 5}}));
  // A segment as long as the second half splits; a longer one goes down a chain whole.
  auto firstEdges = [](int64_t segment) {
    Cluster few(3, {true, 1, 0, segment, 0});
    EXPECT_TRUE(runOn(few, algorithmOf<BcastArgs>("ompi_split_bintree"), {0, BlockInts, 8}));
    return edgesOf(few);
  };
  EXPECT_EQ(firstEdges(16), (Edges{{0, 1}, {0, 2}, {1, 2}, {2, 1}}));
  EXPECT_EQ(firstEdges(17), (Edges{{0, 1}, {0, 1}, {1, 2}, {1, 2}}));
}

TEST(Pattern, ScatteredBroadcastsCutAtBytesOrElements) {
  // Five ints on four ranks: chunks of 5 bytes, or of two ints. The root sends away chunks 2 and 3
  // (10 bytes; 4, for there is no fourth), then chunk 1; two chunks at most are passed on at once
  // in the doubling, one around the ring.
  auto longest = [](const char *name) {
    Cluster cluster(4);
    EXPECT_TRUE(runOn(cluster, algorithmOf<BcastArgs>(name), {0, BlockInts, 5}));
    return cluster.longestMessage;
  };
  EXPECT_EQ(longest("scatter_LR_allgather"), 10);
  EXPECT_EQ(longest("scatter_rdb_allgather"), 10);
  EXPECT_EQ(longest("ompi_scatter_allgather_ring"), 8);
  EXPECT_EQ(longest("ompi_scatter_allgather"), 16);
}

TEST(Pattern, WhatIsEmptyIsNotSent) {
  // Three ints on eight ranks, 2 bytes a chunk: six chunks. In the scatter 6 and 7 get nothing, 4
  // gets its own and 5's; around the ring everything is passed on.
  Cluster ring(8);
  EXPECT_TRUE(runOn(ring, algorithmOf<BcastArgs>("scatter_LR_allgather"), {0, BlockInts, 3}));
  EXPECT_EQ(ring.messages, 5 + 7 * 8);
  // Of 9 ranks every third one has nothing.
  std::vector<int> counts, places;
  for (int r = 0; r < 9; ++r)
    counts.push_back(r % 3), places.push_back(2 * r);
  const Datatype &type = Datatype::predefined(uintptr_t{0x209});
  for (const char *name : {"ompi_basic_linear", "mpich_linear"}) {
    Cluster cluster(9);
    EXPECT_TRUE(cluster.run([&](const Call &call) {
      std::vector<int> in(2, call.rank), out(18);
      EXPECT_EQ(
          algorithmOf<GathervArgs>(name).run({{call, in.data(), call.rank % 3, &type, out.data(), 0,
                                               counts.data(), places.data(), &type, 1}}),
          0);
    }));
    EXPECT_EQ(cluster.messages, 5) << name;
  }
  for (const char *name : {"ompi_basic_linear", "ompi_linear_nb"}) {
    Cluster cluster(9);
    EXPECT_TRUE(cluster.run([&](const Call &call) {
      std::vector<int> in(18), out(2);
      EXPECT_EQ(
          algorithmOf<ScattervArgs>(name).run({{call, in.data(), 0, counts.data(), places.data(),
                                                &type, out.data(), call.rank % 3, &type, 1}}),
          0);
    }));
    EXPECT_EQ(cluster.messages, 5) << name;
  }
}

/// When each rank is through, where a message of m bytes takes 1 + m / 2^10 and its sender waits
/// for its end.
template <class Args>
std::vector<double> endsOf(const char *name, int n, Load load = {}, int64_t segment = -1,
                           bool rendezvous = true) {
  Cluster cluster(n, {rendezvous, 1, 1.0 / 1024, segment, 0});
  std::vector<double> ends(static_cast<size_t>(n));
  std::vector<Workload> workloads(ends.size(), Workload(n, load));
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    const auto r = static_cast<size_t>(call.rank);
    workloads[r].fill(call, static_cast<Args *>(nullptr),
                      [&](const Args &args) { EXPECT_EQ(algorithmOf<Args>(name).run(args), 0); });
    ends[r] = cluster.now();
  }));
  return ends;
}
double message(int64_t bytes) { return 1 + static_cast<double>(bytes) / 1024; }

TEST(Pattern, OneAfterTheOtherOrAllAtOnce) {
  const double t = message(BlockInts * 4), whole = message(4 * BlockInts * 4);
  using Ends = std::vector<double>;
  EXPECT_EQ(endsOf<ScatterArgs>("ompi_basic_linear", 4), (Ends{3 * t, t, 2 * t, 3 * t}));
  EXPECT_EQ(endsOf<ScatterArgs>("ompi_linear_nb", 4), (Ends{t, t, t, t}));
  EXPECT_EQ(endsOf<ScattervArgs>("ompi_basic_linear", 4), (Ends{3 * t, t, 2 * t, 3 * t}));
  EXPECT_EQ(endsOf<ScattervArgs>("ompi_linear_nb", 4), (Ends{t, t, t, t}));
  EXPECT_EQ(endsOf<GatherArgs>("ompi_basic_linear", 4), (Ends{3 * t, t, 2 * t, 3 * t}));
  EXPECT_EQ(endsOf<GathervArgs>("ompi_basic_linear", 4), (Ends{3 * t, t, 2 * t, 3 * t}));
  EXPECT_EQ(endsOf<GathervArgs>("mpich_linear", 4), (Ends{t, t, t, t}));
  EXPECT_EQ(endsOf<BcastArgs>("flattree", 4), (Ends{whole, whole, whole, whole}));
  EXPECT_EQ(endsOf<NeighborArgs>("ompi_basic_linear", 4), (Ends{t, t, t, t}));
}

TEST(Pattern, ManyRanksGatherSynchronously) {
  // Eager sends do not wait for a root that comes late; from 32 ranks on they do.
  for (int n : {31, 32}) {
    Cluster cluster(n);
    std::vector<Workload> workloads(static_cast<size_t>(n), Workload(n));
    EXPECT_TRUE(cluster.run([&](const Call &call) {
      if (call.rank == 0)
        cluster.compute(5);
      workloads[static_cast<size_t>(call.rank)].fill(
          call, static_cast<GathervArgs *>(nullptr), [&](const GathervArgs &args) {
            EXPECT_EQ(algorithmOf<GathervArgs>("mpich_linear").run(args), 0);
          });
      if (call.rank > 0)
        EXPECT_EQ(cluster.now(), n < 32 ? 0 : 6);
    }));
  }
}

TEST(Pattern, TheRootAsksForBlocks) {
  // One rank after the other: a signal and the first part; the second part comes meanwhile. What is
  // left of the last one comes after that.
  const int64_t block = 4 * BlockInts, first = 16;
  const double signal = message(0), each = signal + message(first);
  EXPECT_DOUBLE_EQ(endsOf<GatherArgs>("ompi_linear_sync", 4, {}, first).front(),
                   3 * each + message(block - first));
  // The whole block at once: what is left is an empty message.
  EXPECT_DOUBLE_EQ(endsOf<GatherArgs>("ompi_linear_sync", 4, {}, 0).front(),
                   3 * (signal + message(block)) + signal);
  // Its own first part: 1 KiB, of blocks above 92160 bytes 32 KiB.
  auto longest = [](int ints) {
    Cluster cluster(2);
    EXPECT_TRUE(runOn(cluster, algorithmOf<GatherArgs>("ompi_linear_sync"), {0, ints}));
    return cluster.longestMessage;
  };
  EXPECT_EQ(longest(92160 / 4), 92160 - 1024);
  EXPECT_EQ(longest(92164 / 4), 92164 - 32768);
  EXPECT_EQ(longest(300), 1024);
}

TEST(Pattern, SegmentsFollowOneAnother) {
  // Down a chain of n ranks in s segments: n - 2 + s messages one after the other.
  const int n = 5, segments = 8;
  const double t = message(64);
  const Load load{0, BlockInts, 16 * segments};
  EXPECT_DOUBLE_EQ(endsOf<BcastArgs>("ompi_pipeline", n, load, 64).back(), (n - 2 + segments) * t);
  EXPECT_DOUBLE_EQ(endsOf<ReduceArgs>("ompi_pipeline", n, load, 64).front(),
                   (n - 2 + segments) * t);
  // A rank that passes segments on is through when its child has the last one.
  EXPECT_DOUBLE_EQ(endsOf<BcastArgs>("ompi_pipeline", n, load, 64)[3], (n - 2 + segments) * t);
}

/// Messages that come to a rank before their receive, when its sender is late and sends eagerly.
template <class Args>
int unexpected(const char *name, int n, Load load, int64_t segment, int receiver, int late) {
  Cluster cluster(n, {false, 1, 0, segment, 0});
  std::vector<Workload> workloads(static_cast<size_t>(n), Workload(n, load));
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    if (call.rank == late)
      cluster.compute(1000);
    workloads[static_cast<size_t>(call.rank)].fill(
        call, static_cast<Args *>(nullptr),
        [&](const Args &args) { EXPECT_EQ(algorithmOf<Args>(name).run(args), 0); });
  }));
  return cluster.unexpected[static_cast<size_t>(receiver)];
}

TEST(Pattern, TheNextReceiveIsPostedBeforeTheLastOneIsDone) {
  // Of all messages that come at once two find their receives.
  const int segments = 9;
  const Load load{0, BlockInts, 16 * segments};
  EXPECT_EQ(unexpected<BcastArgs>("ompi_pipeline", 3, load, 64, 1, 0), segments - 2);
  EXPECT_EQ(unexpected<ReduceArgs>("ompi_pipeline", 3, load, 64, 1, 2), segments - 2);
  EXPECT_EQ(unexpected<BcastArgs>("ompi_split_bintree", 4, {0, BlockInts, 32 * segments}, 64, 1, 0),
            segments - 2);
  EXPECT_EQ(unexpected<ReduceScatterArgs>("ompi_ring", segments + 1, {}, -1, 1, 0), segments - 2);
}

} // namespace
} // namespace gnomon::coll::test
