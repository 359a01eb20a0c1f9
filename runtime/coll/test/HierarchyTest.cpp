// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: algorithms that go by host send between hosts only what leaders exchange, on hosts with
// several ranks; and the parts within hosts and among leaders are chosen like any collective.
#include "coll/Nodes.h"
#include "coll/Selection.h"
#include "coll/test/Cluster.h"

#include <gtest/gtest.h>

namespace gnomon::coll::test {
namespace {

const Datatype &intType() { return Datatype::predefined(uintptr_t{0x209}); }

struct Hierarchy : ::testing::Test {
  void SetUp() override { select("mpich"); }
  void TearDown() override {
    select("default");
    forceNothing();
  }
  /// Messages of a collective on 12 ranks, 4 a host.
  template <class Body> int messages(Body body) {
    Cluster cluster(12, {false, 1, 0, -1, 0, 4});
    EXPECT_TRUE(cluster.run(body));
    return cluster.messages;
  }
};

TEST_F(Hierarchy, FindsHosts) {
  const Nodes nodes({5, 5, 9, 5, 2});
  EXPECT_EQ(nodes.node, (std::vector<int>{0, 0, 1, 0, 2}));
  EXPECT_EQ(nodes.leaders, (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(nodes.members[0], (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(nodes.within(3), 2);
  EXPECT_TRUE(nodes.shared());
  EXPECT_FALSE(nodes.consecutive);
  EXPECT_TRUE(Nodes({1, 1, 0}).consecutive);
  EXPECT_FALSE(Nodes({3, 1, 2}).shared());
}

TEST_F(Hierarchy, Barrier) {
  // Dissemination on 4 ranks of each host (4 * 2), on 3 leaders (3 * 2), a byte down 4 ranks (3).
  EXPECT_EQ(messages([](const Call &call) { EXPECT_EQ(run(BarrierArgs{call}), 0); }),
            3 * 8 + 6 + 3 * 3);
}

TEST_F(Hierarchy, Bcast) {
  // From rank 5 to its leader (1), among leaders (2), within hosts (3 each).
  EXPECT_EQ(messages([](const Call &call) {
              int value = call.rank == 5 ? 42 : 0;
              EXPECT_EQ(run(BcastArgs{call, &value, 1, &intType(), 5}), 0);
              EXPECT_EQ(value, 42);
            }),
            1 + 2 + 9);
}

/// Messages of a broadcast of ints, 4 ranks a host, from the second rank of the second host.
int bcastByHost(int size, int count) {
  Cluster cluster(size, {false, 1, 0, -1, 0, 4});
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    std::vector<int> data(static_cast<size_t>(count), call.rank == 5 ? 42 : call.rank);
    EXPECT_EQ(run(BcastArgs{call, data.data(), count, &intType(), 5}), 0);
    EXPECT_EQ(data, std::vector<int>(static_cast<size_t>(count), 42));
  }));
  return cluster.messages;
}

TEST_F(Hierarchy, BcastOfEachSize) {
  force("bcast:mpich_smp");
  // Trees within each host and among leaders, and a short message goes to its leader first. The
  // parts of a forced algorithm that cannot do them are chosen: binomial trees.
  const int brief = 1 + 1 + 3 + 3, medium = 3 + 1 + 3, ring = 7 * 9;
  EXPECT_EQ(bcastByHost(8, 12284 / 4), brief);
  EXPECT_EQ(bcastByHost(8, 12288 / 4), medium);
  EXPECT_EQ(bcastByHost(8, 524284 / 4), medium);
  EXPECT_EQ(bcastByHost(8, 524288 / 4), ring);
  EXPECT_EQ(bcastByHost(7, 12288 / 4), 1 + 1 + 3 + 2); // so few ranks that all are short
  EXPECT_EQ(bcastByHost(9, 12284 / 4), 1 + 2 + 3 + 3);
  EXPECT_EQ(bcastByHost(9, 12288 / 4), 8 * 10); // not a power of two
}

TEST_F(Hierarchy, Allreduce) {
  // Up 4 ranks (3 each), recursive doubling on 3 leaders (2 + 2), down again.
  EXPECT_EQ(messages([](const Call &call) {
              int own = call.rank, sum = 0;
              EXPECT_EQ(
                  run(AllreduceArgs{{call, &own, &sum, 1, &intType(), &Op::predefined(Op::Sum)}}),
                  0);
              EXPECT_EQ(sum, 66);
            }),
            9 + 4 + 9);
}

TEST_F(Hierarchy, Reduce) {
  // To rank 5: within the two other hosts (3 each), among leaders (2), within the root's host (3).
  auto reduce = [](int count) {
    return [count](const Call &call) {
      const auto n = static_cast<size_t>(count);
      std::vector<int> own(n, call.rank), sum(n);
      EXPECT_EQ(
          run(ReduceArgs{
              {call, own.data(), sum.data(), count, &intType(), &Op::predefined(Op::Sum)}, 5}),
          0);
      if (call.rank == 5)
        EXPECT_EQ(sum, std::vector<int>(n, 66));
    };
  };
  EXPECT_EQ(messages(reduce(1)), 6 + 2 + 3);
  // A longer one goes to rank 0 and from there to the root; forced, so that each part is a tree.
  force("reduce:mpich_composition_alpha");
  EXPECT_EQ(messages(reduce(2)), 9 + 2 + 1);
}

TEST_F(Hierarchy, Scan) {
  // Doubling on 4 ranks (8 each), the host's sum to its leader (3), doubling on 3 leaders (4), to
  // the next host (2), a flag down each host (9), what came before down all but the first (6).
  auto scan = [](const Call &call) {
    int64_t own = 1, sum = 0;
    const Datatype &type = Datatype::predefined(uintptr_t{0x258}); // MPI_INT64_T
    EXPECT_EQ(run(ScanArgs{{call, &own, &sum, 1, &type, &Op::predefined(Op::Sum)}}), 0);
    EXPECT_EQ(sum, call.rank + 1);
  };
  Cluster cluster(12, {false, 1, 0, -1, 0, 4});
  EXPECT_TRUE(cluster.run(scan));
  const int sums = 3 * 8 + 3 + 4 + 2 + 6, flags = 9;
  EXPECT_EQ(cluster.messages, sums + flags);
  EXPECT_EQ(cluster.bytes, sums * 8 + flags * 4);
}

} // namespace
} // namespace gnomon::coll::test
