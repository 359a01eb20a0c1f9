// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: around every algorithm: total exchanges from the receive buffer, calls that move nothing,
// and both sides of what an algorithm needs of a call.
#include "coll/Execute.h"
#include "coll/Messages.h"
#include "coll/Selection.h"
#include "coll/test/Cluster.h"
#include "coll/test/TypedData.h"

#include <gtest/gtest.h>

#include <deque>

namespace gnomon::coll::test {
namespace {

void *const InPlace = reinterpret_cast<void *>(uintptr_t{1});
const Datatype &intType() { return Datatype::predefined(uintptr_t{0x209}); }

TEST(Execute, ATotalExchangeInPlaceOfAnyLayout) {
  // Rank r's block for rank d becomes rank d's block from rank r, and the gaps stay.
  const int size = 5, count = 3;
  for (const Datatype *type : unitTypes()) {
    std::deque<Buffer> buffers, expected;
    for (int r = 0; r < size; ++r) {
      buffers.emplace_back(*type, 0, size * count);
      expected.emplace_back(*type, 0, size * count);
      for (int p = 0; p < size; ++p) {
        buffers.back().put(p * count, count, message(r, p, count).data());
        expected.back().put(p * count, count, message(p, r, count).data());
      }
    }
    Cluster cluster(size);
    ASSERT_TRUE(cluster.run([&](const Call &call) {
      void *own = buffers[static_cast<size_t>(call.rank)].data();
      EXPECT_EQ(execute(AlltoallArgs{call, InPlace, 0, nullptr, own, count, type}), 0);
    }));
    for (size_t r = 0; r < size; ++r)
      EXPECT_TRUE(buffers[r] == expected[r]) << "rank " << r;
  }
}

TEST(Execute, ATotalExchangeInPlaceWithBlocksOfManySizesInAnyOrder) {
  // Blocks lie backwards; ranks r and d exchange (r + d) % 3 elements, so that some are empty.
  const int size = 4, room = 4;
  std::deque<Buffer> buffers, expected;
  std::vector<std::vector<int>> counts(size), places(size);
  for (int r = 0; r < size; ++r) {
    const auto i = static_cast<size_t>(r);
    buffers.emplace_back(intType(), 0, size * room * UnitInts);
    expected.push_back(buffers.back());
    for (int p = 0; p < size; ++p) {
      const int units = (r + p) % 3, place = (size - 1 - p) * room * UnitInts;
      counts[i].push_back(units * UnitInts);
      places[i].push_back(place);
      buffers[i].put(place, units * UnitInts, message(r, p, units).data());
      expected[i].put(place, units * UnitInts, message(p, r, units).data());
    }
  }
  Cluster cluster(size);
  ASSERT_TRUE(cluster.run([&](const Call &call) {
    const auto i = static_cast<size_t>(call.rank);
    EXPECT_EQ(execute(AlltoallvArgs{call, InPlace, nullptr, nullptr, nullptr, buffers[i].data(),
                                    counts[i].data(), places[i].data(), &intType()}),
              0);
  }));
  for (size_t r = 0; r < size; ++r)
    EXPECT_TRUE(buffers[r] == expected[r]) << "rank " << r;
}

template <class Make> int messagesOf(int size, Make make) {
  Cluster cluster(size);
  EXPECT_TRUE(cluster.run([&](const Call &call) { EXPECT_EQ(execute(make(call)), 0); }));
  return cluster.messages;
}

TEST(Execute, WhatMovesNothingSendsNothing) {
  char data[64] = {};
  const Op &sum = Op::predefined(Op::Sum);
  const int one[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
  for (int count : {0, 1}) {
    const bool some = count > 0;
    EXPECT_EQ(
        messagesOf(4, [&](const Call &c) { return BcastArgs{c, data, count, &intType(), 0}; }) > 0,
        some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return ReduceArgs{{c, data, data + 32, count, &intType(), &sum}, 0};
                         }) > 0,
              some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return AlltoallArgs{c,         data,  count,     &intType(),
                                               data + 32, count, &intType()};
                         }) > 0,
              some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return GatherArgs{c,     data,    count,   &intType(), data + 32,
                                             count, nullptr, nullptr, &intType(), 0};
                         }) > 0,
              some);
  }
  for (int count : {0, 1}) {
    const bool some = count > 0;
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return ScatterArgs{c,          data,      count, nullptr,    nullptr,
                                              &intType(), data + 32, count, &intType(), 0};
                         }) > 0,
              some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return AllgatherArgs{{c, data, count, &intType(), data + 32, count,
                                                 nullptr, nullptr, &intType()}};
                         }) > 0,
              some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return ReduceScatterArgs{c,     data,       data + 32, nullptr,
                                                    count, &intType(), &sum};
                         }) > 0,
              some);
    EXPECT_EQ(messagesOf(4,
                         [&](const Call &c) {
                           return AllreduceArgs{{c, data, data + 32, count, &intType(), &sum}};
                         }) > 0,
              some);
  }
  // Elements without bytes are nothing either.
  const Datatype *empty = Datatype::contiguous(0, intType());
  EXPECT_EQ(messagesOf(4, [&](const Call &c) { return BcastArgs{c, data, 3, empty, 0}; }), 0);
  EXPECT_EQ(
      messagesOf(
          4, [&](const Call &c) { return AlltoallArgs{c, data, 3, empty, data + 32, 3, empty}; }),
      0);
  // A gatherv has its counts at the root only: it is never taken for empty.
  EXPECT_EQ(messagesOf(4,
                       [&](const Call &c) {
                         return GathervArgs{
                             {c, data, 1, &intType(), data + 32, 0, one, places, &intType(), 0}};
                       }),
            3);
}

TEST(Execute, ARankWithoutDataCannotKnowOfTheOthers) {
  static char nobody;
  const Call call{reinterpret_cast<Comm &>(nobody), 1, 4, 7};
  int data = 0;
  const int none[4] = {};
  const Datatype *const types[4] = {&intType(), &intType(), &intType(), &intType()};
  EXPECT_FALSE(endsAtOnce(BarrierArgs{call}));
  EXPECT_FALSE(endsAtOnce(NeighborArgs{call}));
  EXPECT_FALSE(endsAtOnce(
      GathervArgs{{call, &data, 0, &intType(), nullptr, 0, nullptr, nullptr, &intType(), 0}}));
  EXPECT_FALSE(endsAtOnce(
      ScattervArgs{{call, nullptr, 0, nullptr, nullptr, &intType(), &data, 0, &intType(), 0}}));
  EXPECT_FALSE(endsAtOnce(
      AlltoallvArgs{call, &data, none, none, &intType(), &data, none, none, &intType()}));
  EXPECT_FALSE(endsAtOnce(AlltoallwArgs{call, &data, none, none, types, &data, none, none, types}));
  EXPECT_TRUE(endsAtOnce(
      GatherArgs{call, &data, 0, &intType(), nullptr, 0, nullptr, nullptr, &intType(), 0}));
}

TEST(Execute, ATotalExchangeInPlaceIgnoresWhereEmptyBlocksLie) {
  // Two ranks exchange an element; what they keep for themselves is empty, and nowhere.
  std::vector<int> data{10, 11};
  Cluster cluster(2);
  ASSERT_TRUE(cluster.run([&](const Call &call) {
    const int64_t nowhere = int64_t{1} << 58;
    const int64_t counts[2] = {call.rank, 1 - call.rank};
    const int64_t places[2] = {call.rank ? 0 : nowhere, call.rank ? nowhere : 0};
    EXPECT_EQ(
        execute(AlltoallvArgs{call, InPlace, nullptr, nullptr, nullptr,
                              &data[static_cast<size_t>(call.rank)], counts, places, &intType()}),
        0);
  }));
  EXPECT_EQ(data, (std::vector<int>{11, 10}));
}

std::string allreduceOf(std::string_view name, int ranks, int64_t count) {
  force("allreduce:" + std::string(name));
  Cluster cluster(ranks);
  std::string messages;
  std::deque<std::vector<int>> in, out;
  for (int r = 0; r < ranks; ++r) {
    in.emplace_back(static_cast<size_t>(count), r + 1);
    out.emplace_back(static_cast<size_t>(count));
  }
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    const auto i = static_cast<size_t>(call.rank);
    EXPECT_EQ(run(AllreduceArgs{{call, in[i].data(), out[i].data(), count, &intType(),
                                 &Op::predefined(Op::Sum)}}),
              0);
    EXPECT_EQ(out[i], std::vector<int>(static_cast<size_t>(count), ranks * (ranks + 1) / 2));
  }));
  forceNothing();
  return std::to_string(cluster.messages);
}

TEST(Execute, BothSidesOfWhatAnAllreduceNeeds) {
  setNotePrinter([](const std::string &) {});
  // A ring of 5: 5 (2 x 4) messages from an element each on; doubling: 2 before, 2 after, 4 x 2.
  EXPECT_EQ(allreduceOf("ompi_ring", 5, 4), "10");
  EXPECT_EQ(allreduceOf("ompi_ring", 5, 5), "40");
  // Halving and doubling among 4 of 6: 2 before and after, 4 x (2 + 2); else linear: 5 + 5.
  EXPECT_EQ(allreduceOf("ompi_rabenseifner", 6, 3), "10");
  EXPECT_NE(allreduceOf("ompi_rabenseifner", 6, 4), "10");
  // Segments of 4 elements, 3 ranks: the ring below 12; 6 messages a phase of sums and 6 around. A
  // rest of more than half a round, and no less than an element a rank, is a phase of its own.
  EXPECT_EQ(allreduceOf("ompi_ring_segmented,segment=16", 3, 11), "12");
  EXPECT_EQ(allreduceOf("ompi_ring_segmented,segment=16", 3, 12), "12");
  EXPECT_EQ(allreduceOf("ompi_ring_segmented,segment=16", 3, 18), "12");
  EXPECT_EQ(allreduceOf("ompi_ring_segmented,segment=16", 3, 19), "18");
  EXPECT_EQ(allreduceOf("ompi_ring_segmented,segment=4", 3, 5), "12");
  setNotePrinter(nullptr);
}

} // namespace
} // namespace gnomon::coll::test
