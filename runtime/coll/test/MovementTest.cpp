// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every algorithm that moves data delivers exactly the right bytes and touches no others,
// for all numbers of ranks, roots, counts (zero too), layouts that differ between ranks,
// MPI_IN_PLACE, eager and rendezvous sends.
#include "coll/Algorithm.h"
#include "coll/test/Cluster.h"
#include "coll/test/TypedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>

namespace gnomon::coll::test {
namespace {

const void *InPlace = reinterpret_cast<const void *>(uintptr_t{1});

/// Counts that reach every regime: nothing, less than a rank each, odd, segments of a pipeline.
int pickCount(Random &random) {
  const int choice = random.in(0, 9);
  return choice == 0 ? 0 : choice == 9 ? random.in(20000, 60000) : random.in(1, 40);
}

/// Calls check(algorithm, random, size, network) for every algorithm of a collective and every
/// size.
template <class Args, class Check> void forAll(Check check) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    for (int size : sizes())
      for (int trial = 0; trial < 6; ++trial) {
        Random random(static_cast<uint64_t>(size * 100 + trial));
        SCOPED_TRACE(fmt::format("{}, {} ranks, trial {}", algorithm.name, size, trial));
        check(algorithm, random, size, networkOf(trial));
        if (::testing::Test::HasFailure())
          return;
      }
}

/// Each rank's buffers, by address: fibers write into them.
struct Ranks {
  std::deque<Buffer> send, recv, expected;
  void check() {
    for (size_t r = 0; r < recv.size(); ++r)
      ASSERT_TRUE(recv[r] == expected[r]) << "rank " << r;
  }
};

TEST(Movement, Barrier) {
  forAll<BarrierArgs>([](auto &algorithm, Random &random, int size, Network network) {
    // No rank leaves before the last one has come.
    Cluster cluster(size, network);
    const int late = random.in(0, size - 1);
    bool arrived = false;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const BarrierArgs args{call};
      if (algorithm.can && !algorithm.can(args))
        return;
      if (call.rank == late) {
        cluster.compute(1000);
        arrived = true;
      }
      EXPECT_EQ(algorithm.run(args), 0);
      EXPECT_TRUE(arrived);
    }));
  });
}

TEST(Movement, Bcast) {
  forAll<BcastArgs>([](auto &algorithm, Random &random, int size, Network network) {
    Cluster cluster(size, network);
    const int count = pickCount(random), root = random.in(0, size - 1);
    const auto data = message(root, 0, count);
    Ranks ranks;
    std::vector<const Datatype *> types;
    for (int r = 0; r < size; ++r) {
      types.push_back(&random.type());
      ranks.recv.emplace_back(*types.back(), 0, count);
      ranks.expected.emplace_back(*types.back(), 0, count);
      ranks.expected.back().put(0, count, data.data());
      if (r == root)
        ranks.recv.back().put(0, count, data.data());
    }
    bool able = true;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      auto r = static_cast<size_t>(call.rank);
      const BcastArgs args{call, ranks.recv[r].data(), count, types[r], root};
      if (algorithm.can && !algorithm.can(args)) {
        able = false;
        return;
      }
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    if (able)
      ranks.check();
  });
}

template <class Args> constexpr bool isVector = false;
template <> constexpr bool isVector<GathervArgs> = true;
template <> constexpr bool isVector<ScattervArgs> = true;
template <> constexpr bool isVector<AllgathervArgs> = true;

/// How many elements each rank's block has, and where it lies.
struct Blocks {
  std::vector<int> counts, displacements;
  int end = 0;
  Blocks(Random &random, int size, bool vector) {
    const int uniform = std::min(pickCount(random), 300);
    for (int r = 0; r < size; ++r) {
      counts.push_back(vector ? random.in(0, 12) : uniform);
      displacements.push_back(end + (vector ? random.in(0, 3) : 0));
      end = displacements.back() + counts.back();
    }
  }
  const int *countsOr(bool vector) const { return vector ? counts.data() : nullptr; }
  const int *displacementsOr(bool vector) const { return vector ? displacements.data() : nullptr; }
};

template <class Args> void testGather() {
  forAll<Args>([](auto &algorithm, Random &random, int size, Network network) {
    constexpr bool vector = isVector<Args>;
    Cluster cluster(size, network);
    const int root = random.in(0, size - 1);
    const bool inPlace = random.in(0, 1);
    const Blocks blocks(random, size, vector);
    const Datatype &recvType = random.type();
    Ranks ranks;
    std::vector<const Datatype *> types;
    ranks.recv.emplace_back(recvType, 0, blocks.end);
    ranks.expected.emplace_back(recvType, 0, blocks.end);
    for (int r = 0; r < size; ++r) {
      const auto i = static_cast<size_t>(r);
      const int count = blocks.counts[i];
      types.push_back(&random.type());
      const auto data = message(r, root, count);
      ranks.send.emplace_back(*types.back(), 0, count);
      ranks.send.back().put(0, count, data.data());
      ranks.expected[0].put(blocks.displacements[i], count, data.data());
      if (r == root && inPlace)
        ranks.recv[0].put(blocks.displacements[i], count, data.data());
    }
    bool able = true;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const auto i = static_cast<size_t>(call.rank);
      const bool atRoot = call.rank == root;
      const Args args{GatherArgs{
          call, atRoot && inPlace ? InPlace : ranks.send[i].data(), blocks.counts[i], types[i],
          atRoot ? ranks.recv[0].data() : nullptr, vector ? 0 : blocks.counts[i],
          blocks.countsOr(vector), blocks.displacementsOr(vector), &recvType, root}};
      if (algorithm.can && !algorithm.can(args)) {
        able = false;
        return;
      }
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    if (able)
      ranks.check();
  });
}
TEST(Movement, Gather) { testGather<GatherArgs>(); }
TEST(Movement, Gatherv) { testGather<GathervArgs>(); }

template <class Args> void testScatter() {
  forAll<Args>([](auto &algorithm, Random &random, int size, Network network) {
    constexpr bool vector = isVector<Args>;
    Cluster cluster(size, network);
    const int root = random.in(0, size - 1);
    const bool inPlace = random.in(0, 1);
    const Blocks blocks(random, size, vector);
    const Datatype &sendType = random.type();
    Ranks ranks;
    std::vector<const Datatype *> types;
    ranks.send.emplace_back(sendType, 0, blocks.end);
    for (int r = 0; r < size; ++r) {
      const auto i = static_cast<size_t>(r);
      const int count = blocks.counts[i];
      types.push_back(&random.type());
      const auto data = message(root, r, count);
      ranks.send[0].put(blocks.displacements[i], count, data.data());
      ranks.recv.emplace_back(*types.back(), 0, count);
      ranks.expected.emplace_back(*types.back(), 0, count);
      if (r != root || !inPlace)
        ranks.expected.back().put(0, count, data.data());
    }
    bool able = true;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const auto i = static_cast<size_t>(call.rank);
      const bool atRoot = call.rank == root;
      void *recv = atRoot && inPlace ? const_cast<void *>(InPlace) : ranks.recv[i].data();
      const Args args{ScatterArgs{call, atRoot ? ranks.send[0].data() : nullptr,
                                  vector ? 0 : blocks.counts[i], blocks.countsOr(vector),
                                  blocks.displacementsOr(vector), &sendType, recv, blocks.counts[i],
                                  types[i], root}};
      if (algorithm.can && !algorithm.can(args)) {
        able = false;
        return;
      }
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    if (able)
      ranks.check();
  });
}
TEST(Movement, Scatter) { testScatter<ScatterArgs>(); }
TEST(Movement, Scatterv) { testScatter<ScattervArgs>(); }

template <class Args> void testAllgather() {
  forAll<Args>([](auto &algorithm, Random &random, int size, Network network) {
    constexpr bool vector = isVector<Args>;
    Cluster cluster(size, network);
    const bool inPlace = random.in(0, 1);
    const Blocks blocks(random, size, vector);
    Ranks ranks;
    std::vector<const Datatype *> sendTypes, recvTypes;
    for (int r = 0; r < size; ++r) {
      const auto i = static_cast<size_t>(r);
      sendTypes.push_back(&random.type());
      recvTypes.push_back(&random.type());
      ranks.send.emplace_back(*sendTypes.back(), 0, blocks.counts[i]);
      ranks.send.back().put(0, blocks.counts[i], message(r, 0, blocks.counts[i]).data());
      ranks.recv.emplace_back(*recvTypes.back(), 0, blocks.end);
      ranks.expected.emplace_back(*recvTypes.back(), 0, blocks.end);
      for (int s = 0; s < size; ++s) {
        const auto k = static_cast<size_t>(s);
        const auto data = message(s, 0, blocks.counts[k]);
        ranks.expected.back().put(blocks.displacements[k], blocks.counts[k], data.data());
        if (s == r && inPlace)
          ranks.recv.back().put(blocks.displacements[k], blocks.counts[k], data.data());
      }
    }
    bool able = true;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const auto i = static_cast<size_t>(call.rank);
      const Args args{AllgatherBase{call, inPlace ? InPlace : ranks.send[i].data(),
                                    blocks.counts[i], sendTypes[i], ranks.recv[i].data(),
                                    vector ? 0 : blocks.counts[i], blocks.countsOr(vector),
                                    blocks.displacementsOr(vector), recvTypes[i]}};
      if (algorithm.can && !algorithm.can(args)) {
        able = false;
        return;
      }
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    if (able)
      ranks.check();
  });
}
TEST(Movement, Allgather) { testAllgather<AllgatherArgs>(); }
TEST(Movement, Allgatherv) { testAllgather<AllgathervArgs>(); }

/// counts[source][dest], and each rank's displacements in its two buffers.
struct Exchange {
  std::vector<std::vector<int>> sendCounts, recvCounts, sendAt, recvAt;
  std::vector<int> sendEnd, recvEnd;
  Exchange(Random &random, int size, bool vector) {
    const auto n = static_cast<size_t>(size);
    sendCounts.assign(n, std::vector<int>(n));
    recvCounts = sendAt = recvAt = sendCounts;
    sendEnd.assign(n, 0);
    recvEnd.assign(n, 0);
    const int uniform = random.in(0, 30);
    for (size_t s = 0; s < n; ++s)
      for (size_t d = 0; d < n; ++d)
        sendCounts[s][d] = recvCounts[d][s] = vector ? random.in(0, 8) : uniform;
    for (size_t r = 0; r < n; ++r)
      for (size_t p = 0; p < n; ++p) {
        sendAt[r][p] = sendEnd[r] + (vector ? random.in(0, 2) : 0);
        sendEnd[r] = sendAt[r][p] + sendCounts[r][p];
        recvAt[r][p] = recvEnd[r] + (vector ? random.in(0, 2) : 0);
        recvEnd[r] = recvAt[r][p] + recvCounts[r][p];
      }
  }
};

/// Runs one total exchange; make(call, sendBuffer, recvBuffer, rank) builds the arguments.
template <class Args, class Make> void testAlltoall(bool vector, Make make) {
  forAll<Args>([&](auto &algorithm, Random &random, int size, Network network) {
    Cluster cluster(size, network);
    const Exchange exchange(random, size, vector);
    std::vector<const Datatype *> sendTypes, recvTypes;
    Ranks ranks;
    for (int r = 0; r < size; ++r) {
      const auto i = static_cast<size_t>(r);
      sendTypes.push_back(&random.type());
      recvTypes.push_back(&random.type());
      ranks.send.emplace_back(*sendTypes[i], 0, exchange.sendEnd[i]);
      ranks.recv.emplace_back(*recvTypes[i], 0, exchange.recvEnd[i]);
      ranks.expected.emplace_back(*recvTypes[i], 0, exchange.recvEnd[i]);
      for (int p = 0; p < size; ++p) {
        const auto k = static_cast<size_t>(p);
        ranks.send[i].put(exchange.sendAt[i][k], exchange.sendCounts[i][k],
                          message(r, p, exchange.sendCounts[i][k]).data());
        ranks.expected[i].put(exchange.recvAt[i][k], exchange.recvCounts[i][k],
                              message(p, r, exchange.recvCounts[i][k]).data());
      }
    }
    bool able = true;
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const auto i = static_cast<size_t>(call.rank);
      make(call, exchange, i, ranks.send[i].data(), *sendTypes[i], ranks.recv[i].data(),
           *recvTypes[i], [&](const Args &args) {
             if (algorithm.can && !algorithm.can(args)) {
               able = false;
               return;
             }
             EXPECT_EQ(algorithm.run(args), 0);
           });
    }));
    if (able)
      ranks.check();
  });
}

TEST(Movement, Alltoall) {
  testAlltoall<AlltoallArgs>(false, [](const Call &call, const Exchange &exchange, size_t i,
                                       void *send, const Datatype &sendType, void *recv,
                                       const Datatype &recvType, auto run) {
    run({call, send, exchange.sendCounts[i][0], &sendType, recv, exchange.recvCounts[i][0],
         &recvType});
  });
}

TEST(Movement, Alltoallv) {
  testAlltoall<AlltoallvArgs>(true, [](const Call &call, const Exchange &exchange, size_t i,
                                       void *send, const Datatype &sendType, void *recv,
                                       const Datatype &recvType, auto run) {
    run({call, send, exchange.sendCounts[i].data(), exchange.sendAt[i].data(), &sendType, recv,
         exchange.recvCounts[i].data(), exchange.recvAt[i].data(), &recvType});
  });
}

TEST(Movement, Alltoallw) {
  testAlltoall<AlltoallwArgs>(true, [](const Call &call, const Exchange &exchange, size_t i,
                                       void *send, const Datatype &sendType, void *recv,
                                       const Datatype &recvType, auto run) {
    std::vector<int> sendBytes, recvBytes;
    std::vector<const Datatype *> sendTypes, recvTypes;
    for (size_t p = 0; p < exchange.sendAt[i].size(); ++p) {
      sendBytes.push_back(static_cast<int>(exchange.sendAt[i][p] * sendType.extent()));
      recvBytes.push_back(static_cast<int>(exchange.recvAt[i][p] * recvType.extent()));
      sendTypes.push_back(&sendType);
      recvTypes.push_back(&recvType);
    }
    run({call, send, exchange.sendCounts[i].data(), sendBytes.data(), sendTypes.data(), recv,
         exchange.recvCounts[i].data(), recvBytes.data(), recvTypes.data()});
  });
}

/// The edges of a random graph, some of them more than once or to the same rank, in another order
/// at each end.
struct Edges {
  struct Edge {
    int source, dest, units;
  };
  std::vector<std::vector<size_t>> in, out; ///< by rank, edges in the order of neighbours
  std::vector<Edge> edges;

  Edges(Random &random, int size) : in(static_cast<size_t>(size)), out(in.size()) {
    const int count = random.in(0, 3 * size);
    for (int e = 0; e < count; ++e) {
      edges.push_back({random.in(0, size - 1), random.in(0, size - 1), random.in(0, 40)});
      in[static_cast<size_t>(edges.back().dest)].push_back(edges.size() - 1);
      out[static_cast<size_t>(edges.back().source)].push_back(edges.size() - 1);
    }
    // Sources in another order than destinations; edges between the same two ranks keep theirs.
    for (auto &list : in)
      std::sort(list.begin(), list.end(), [&](size_t a, size_t b) {
        return std::pair(-edges[a].source, a) < std::pair(-edges[b].source, b);
      });
  }
};

TEST(Movement, NeighborsOfGraphs) {
  forAll<NeighborArgs>([](auto &algorithm, Random &random, int size, Network network) {
    Cluster cluster(size, network);
    const Edges graph(random, size);
    const Datatype &sent = random.type(), &received = random.type();
    std::deque<Buffer> send, recv, expected;
    for (size_t e = 0; e < graph.edges.size(); ++e) {
      const int units = graph.edges[e].units;
      const auto data = message(graph.edges[e].source, static_cast<int>(e), units);
      send.emplace_back(sent, 0, units).put(0, units, data.data());
      recv.emplace_back(received, 0, units);
      expected.emplace_back(received, 0, units).put(0, units, data.data());
    }
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      NeighborArgs args{call};
      for (size_t e : graph.out[static_cast<size_t>(call.rank)]) {
        args.destinations.push_back(graph.edges[e].dest);
        args.out.push_back({send[e].data(), graph.edges[e].units, &sent});
      }
      for (size_t e : graph.in[static_cast<size_t>(call.rank)]) {
        args.sources.push_back(graph.edges[e].source);
        args.in.push_back({recv[e].data(), graph.edges[e].units, &received});
      }
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    for (size_t e = 0; e < recv.size(); ++e)
      ASSERT_TRUE(recv[e] == expected[e]) << "edge " << e;
  });
}

TEST(Movement, NeighborsOfGrids) {
  forAll<NeighborArgs>([](auto &algorithm, Random &random, int size, Network network) {
    // What goes up from r arrives from below at r + 1, whoever else that rank is.
    Cluster cluster(size, network);
    const bool periodic = random.in(0, 1);
    std::vector<std::array<int, 2>> got(static_cast<size_t>(size), {-1, -1}), put = got;
    const Datatype &type = Datatype::predefined(uintptr_t{0x209});
    auto neighbor = [&](int rank, int step) {
      return periodic || (rank + step >= 0 && rank + step < size) ? (rank + step + size) % size
                                                                  : -1;
    };
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      const auto r = static_cast<size_t>(call.rank);
      put[r] = {2 * call.rank, 2 * call.rank + 1};
      NeighborArgs args{call};
      args.sources = args.destinations = {neighbor(call.rank, -1), neighbor(call.rank, 1)};
      args.out = {{&put[r][0], 1, &type}, {&put[r][1], 1, &type}};
      args.in = {{&got[r][0], 1, &type}, {&got[r][1], 1, &type}};
      args.grid = true;
      EXPECT_EQ(algorithm.run(args), 0);
    }));
    for (int r = 0; r < size; ++r) {
      const int below = neighbor(r, -1), above = neighbor(r, 1);
      ASSERT_EQ(got[static_cast<size_t>(r)][0], below < 0 ? -1 : 2 * below + 1);
      ASSERT_EQ(got[static_cast<size_t>(r)][1], above < 0 ? -1 : 2 * above);
    }
  });
}

} // namespace
} // namespace gnomon::coll::test
