// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how much each server moves of a file and in how many requests; which hints ask for
// collective buffering, when parts interleave, and who the aggregators are.
#include "io/TwoPhase.h"

#include <gtest/gtest.h>

using namespace gnomon;
using io::Buffering;
using io::Footprint;
using io::Span;
using Use = Buffering::Use;

namespace {

using Loads = std::vector<std::pair<uint64_t, uint64_t>>; // bytes, requests

Loads loadsOf(Footprint &footprint) {
  Loads result;
  for (const io::Load &load : footprint.loads())
    result.emplace_back(load.bytes, load.requests);
  return result;
}

Loads stripes(size_t disks, uint64_t stripe, std::vector<Span> runs) {
  Footprint footprint(disks, stripe);
  for (const Span &run : runs)
    footprint.add(run.begin, run.end - run.begin);
  return loadsOf(footprint);
}

Buffering hints(std::initializer_list<std::pair<const char *, const char *>> entries) {
  mpi::Info info;
  for (const auto &[key, value] : entries)
    info.set(key, value);
  return Buffering::of(info);
}

} // namespace

TEST(Footprint, OfOneDisk) {
  EXPECT_EQ(stripes(1, 0, {}), Loads({{0, 0}}));
  EXPECT_EQ(stripes(1, 0, {{0, 10}, {10, 30}, {40, 41}, {0, 5}}), Loads({{36, 3}}));
  EXPECT_EQ(stripes(1, 0, {{7, 10}}), Loads({{3, 1}}));
}

TEST(Footprint, OfStripes) {
  EXPECT_EQ(stripes(3, 10, {{0, 10}}), Loads({{10, 1}, {0, 0}, {0, 0}}));
  EXPECT_EQ(stripes(3, 10, {{9, 11}}), Loads({{1, 1}, {1, 1}, {0, 0}}));
  EXPECT_EQ(stripes(3, 10, {{25, 35}}), Loads({{5, 1}, {0, 0}, {5, 1}}));
  // 2 whole rounds and 14 bytes, which end on the second server: one request each all the same.
  EXPECT_EQ(stripes(3, 10, {{0, 74}}), Loads({{30, 1}, {24, 1}, {20, 1}}));
  EXPECT_EQ(stripes(3, 10, {{0, 4}, {4, 12}, {70, 71}}), Loads({{10, 1}, {3, 2}, {0, 0}}));
}

TEST(Footprint, GoesFromItsFirstByteToItsLast) {
  Footprint footprint(1, 0);
  EXPECT_EQ(footprint.begin(), footprint.end());
  footprint.add(50, 10);
  footprint.add(80, 5);
  footprint.add(20, 7);
  EXPECT_EQ(footprint.begin(), 20);
  EXPECT_EQ(footprint.end(), 85);
  Footprint first(1, 0);
  first.add(0, 3);
  first.add(9, 1);
  EXPECT_EQ(first.begin(), 0);
  EXPECT_EQ(first.end(), 10);
}

TEST(Buffering, FollowsTheHints) {
  const Buffering none = hints({});
  EXPECT_EQ(none.reads, Use::Automatic);
  EXPECT_EQ(none.writes, Use::Automatic);
  EXPECT_EQ(none.nodes, 0);
  EXPECT_EQ(none.bufferBytes, 16777216);
  const Buffering some = hints({{"romio_cb_read", "enable"},
                                {"romio_cb_write", "disable"},
                                {"cb_nodes", "3"},
                                {"cb_buffer_size", "4096"}});
  EXPECT_EQ(some.reads, Use::Enable);
  EXPECT_EQ(some.writes, Use::Disable);
  EXPECT_EQ(some.nodes, 3);
  EXPECT_EQ(some.bufferBytes, 4096);
  const Buffering nonsense =
      hints({{"romio_cb_read", "perhaps"}, {"cb_nodes", "-3"}, {"cb_buffer_size", "none"}});
  EXPECT_EQ(nonsense.reads, Use::Automatic);
  EXPECT_EQ(nonsense.nodes, 0);
  EXPECT_EQ(nonsense.bufferBytes, 16777216);
}

TEST(Buffering, IsForPartsThatInterleave) {
  const std::vector<Span> apart{{0, 10}, {10, 20}, {30, 40}}, mixed{{0, 11}, {10, 20}},
      backwards{{10, 20}, {0, 10}}, holes{{0, 10}, {}, {5, 20}}, empty{{}, {0, 10}, {}};
  EXPECT_FALSE(io::wantsBuffering(Use::Automatic, apart));
  EXPECT_TRUE(io::wantsBuffering(Use::Automatic, mixed));
  EXPECT_TRUE(io::wantsBuffering(Use::Automatic, backwards));
  EXPECT_TRUE(io::wantsBuffering(Use::Automatic, holes));
  EXPECT_FALSE(io::wantsBuffering(Use::Automatic, empty));
  EXPECT_TRUE(io::wantsBuffering(Use::Enable, apart));
  EXPECT_FALSE(io::wantsBuffering(Use::Disable, mixed));
}

TEST(Buffering, HasAnAggregatorAHost) {
  using Ranks = std::vector<int>;
  EXPECT_EQ(io::aggregatorsOf({4, 4, 2, 4, 7, 2}, 0), Ranks({0, 2, 4}));
  EXPECT_EQ(io::aggregatorsOf({4, 4, 2, 4, 7, 2}, 2), Ranks({0, 2}));
  EXPECT_EQ(io::aggregatorsOf({4, 4, 2, 4, 7, 2}, 9), Ranks({0, 2, 4}));
}
