// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: records that a follower takes are in the trace as if they had been appended, and it takes
// nothing but the expected ones.
#include "trace/test/MemoryTrace.h"

#include <array>
#include <gtest/gtest.h>

using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

/// Of \p function's values, those that are peers and have a fixed place.
uint64_t relativeOf(uint32_t function) { return function == Send ? 0b0010 : 0; }

/// Appends what the follower does not take; how many it took.
size_t tell(TraceWriter &writer, uint32_t rank, const Call &call) {
  Follower *follower = writer.follower(rank);
  const bool mayTake = follower && call.function != Waitall; // whose peers are a list
  if (mayTake && follower->take(call.function, call.values, relativeOf(call.function)))
    return 1;
  writer.append(rank, {call.function, call.values});
  return 0;
}

/// A writer that is in the middle of rank 2's loop of sends to the next rank; it wrote \p path.
struct InLoop {
  explicit InLoop(const std::string &path) : writer(path, 4) {
    declare(writer);
    for (int turn = 0; turn < 3; ++turn)
      for (const Call &call : body())
        writer.append(2, {call.function, call.values});
  }
  static Calls body() { return {{Send, {10, 3, 7, 0}}, {Compute, {0, 1, 2}}}; }

  TraceWriter writer;
};

} // namespace

TEST(Follower, WhatItTakesIsAsIfAppended) {
  const Folder folder;
  size_t taken = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Generator generator(seed);
    std::vector<Calls> ranks(static_cast<size_t>(generator.number(1, 6)));
    for (Calls &calls : ranks)
      generator.body(calls, 4, 5000);
    ASSERT_EQ(write(folder / "appended.gtr", ranks), "");
    TraceWriter writer(folder / "followed.gtr", static_cast<uint32_t>(ranks.size()));
    declare(writer);
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
      for (const Call &call : ranks[rank])
        taken += tell(writer, rank, call);
    ASSERT_EQ(writer.finish({.ranks = static_cast<uint32_t>(ranks.size()),
                             .program = "./app",
                             .origin = "a test",
                             .complete = true,
                             .secondsPerFlop = 0}),
              "");
    ASSERT_EQ(bytesOf(folder / "followed.gtr"), bytesOf(folder / "appended.gtr")) << seed;
  }
  EXPECT_GT(taken, 10000u);
}

TEST(Follower, TakesOnlyTheRecordThatComesNext) {
  const Folder folder;
  InLoop loop(folder / "a.gtr");
  Follower &follower = *loop.writer.follower(2);
  const std::array<int64_t, 4> send{10, 3, 7, 0};
  EXPECT_FALSE(follower.take(Compute, std::array<int64_t, 3>{0, 1, 2}, 0)) << "a later one";
  EXPECT_FALSE(follower.take(Bcast, send, 0b0010)) << "of another function";
  EXPECT_FALSE(follower.take(Send, std::array<int64_t, 4>{10, 3, 7, 1}, 0b0010));
  EXPECT_FALSE(follower.take(Send, std::array<int64_t, 4>{10, 1, 7, 0}, 0b0010)) << "another peer";
  EXPECT_FALSE(follower.take(Send, std::array<int64_t, 3>{10, 3, 7}, 0b0010));
  EXPECT_TRUE(follower.take(Send, send, 0b0010));
  EXPECT_FALSE(follower.take(Send, send, 0b0010)) << "it has come";
  EXPECT_TRUE(follower.take(Compute, std::array<int64_t, 3>{0, 1, 2}, 0));
}

/// Two bodies that differ in their first record only, so that no loop is followed.
TEST(Follower, TakesWhatStoodBefore) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 4);
  declare(writer);
  Calls calls;
  size_t taken = 0;
  for (const int64_t first : {1000, 1001, 1002})
    for (int64_t i = 0; i < 100; ++i) {
      calls.push_back({Compute, {0, i == 0 ? first : i, 2}});
      taken += tell(writer, 2, calls.back());
    }
  EXPECT_EQ(taken, 2 * 95u) << "but the first one and the four after it";
  ASSERT_EQ(writer.finish({}), "");
  EXPECT_EQ(callsOf(*TraceFile(folder / "a.gtr").open(2)), calls);
}

TEST(Follower, PeersThatAreNoRanksStayAsTheyAre) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 4);
  declare(writer);
  for (int turn = 0; turn < 3; ++turn)
    writer.append(3, {Send, std::array<int64_t, 4>{1, NullPeer, 0, 0}});
  EXPECT_TRUE(writer.follower(3)->take(Send, std::array<int64_t, 4>{1, NullPeer, 0, 0}, 0b0010));
  EXPECT_FALSE(writer.follower(3)->take(Send, std::array<int64_t, 4>{1, 1, 0, 0}, 0b0010));
}

TEST(Follower, RanksThatWereStartedLaterAreRelativeToo) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 4);
  declare(writer);
  EXPECT_EQ(writer.follower(6), nullptr) << "nothing is known of it";
  for (int turn = 0; turn < 3; ++turn)
    writer.append(6, {Send, std::array<int64_t, 4>{1, 3, 0, 0}});
  EXPECT_TRUE(writer.follower(6)->take(Send, std::array<int64_t, 4>{1, 3, 0, 0}, 0b0010));
  ASSERT_EQ(writer.finish({}), "");
  const Calls calls = callsOf(*TraceFile(folder / "a.gtr").open(6));
  EXPECT_EQ(calls, Calls(4, {Send, {1, 3, 0, 0}}));
}
