// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: lines are read whatever their ends and lengths are, requests are known by their slots,
// and records are told from what does not fit their function.
#include "Formats.h"
#include "trace-formats/Calls.h"
#include "trace-formats/Groups.h"
#include "trace-formats/LineReader.h"
#include "trace-formats/Requests.h"

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

TEST(Lines, OfAnyLengthAndEnd) {
  Scratch scratch;
  const std::string longLine(1 << 20, 'x');
  LineReader reader(scratch.write("a", "one\r\n\n" + longLine + "\nlast"));
  for (int round = 0; round < 2; ++round) {
    std::string_view line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "one");
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "");
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, longLine);
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "last");
    EXPECT_EQ(reader.line(), 4U);
    EXPECT_FALSE(reader.next(line));
    reader.rewind();
  }
}

TEST(Lines, NumbersAreWhole) {
  int64_t value = 0;
  EXPECT_TRUE(readInteger("-5", -5, 5, value));
  for (const char *text : {"", "5x", "+5", " 5", "6", "0x5", "5.0", "99999999999999999999"})
    EXPECT_FALSE(readInteger(text, -5, 5, value)) << text;
}

TEST(Slots, AreTheLowestThatAreFree) {
  Slots slots;
  EXPECT_EQ(slots.take(), 1);
  EXPECT_EQ(slots.take(), 2);
  EXPECT_EQ(slots.take(), 3);
  slots.give(2);
  slots.give(1);
  EXPECT_EQ(slots.take(), 1);
  EXPECT_EQ(slots.take(), 2);
  EXPECT_EQ(slots.take(), 4);
}

TEST(Requests, AreMadeCompletedAndFreed) {
  RequestUse use;
  RecordView view;
  const auto of = [&](std::string_view name, std::string_view fields, std::vector<int64_t> values) {
    const Function function = makeFunction(name, fields);
    EXPECT_TRUE(view.set(function, {0, values}));
    requestUse(view, use);
    return use;
  };
  EXPECT_EQ(of("MPI_Irecv", "buf.count comm request", {1, 0, 4}).made, 4);
  EXPECT_TRUE(of("MPI_Send_init", "request", {4}).persistent);
  EXPECT_EQ(of("MPI_Start", "request", {4}).made, 0);
  EXPECT_EQ(of("MPI_Wait", "request", {4}).completed, std::vector<int64_t>{4});
  EXPECT_EQ(of("MPI_Wait", "request", {0}).completed, std::vector<int64_t>());
  EXPECT_EQ(of("MPI_Waitall", "requests", {3, 1, 0, 3}).completed, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(of("MPI_Waitany", "requests index", {2, 7, 8, 1}).completed, std::vector<int64_t>{8});
  EXPECT_EQ(of("MPI_Test", "request flag", {4, 0}).completed, std::vector<int64_t>());
  EXPECT_EQ(of("MPI_Request_free", "request", {4}).freed, std::vector<int64_t>{4});
}

TEST(Views, FitTheirFunction) {
  const Function function = makeFunction("MPI_Allgatherv", "sendbuf.count recvbuf.counts comm");
  RecordView view;
  const auto fits = [&](std::vector<int64_t> values) { return view.set(function, {0, values}); };
  EXPECT_TRUE(fits({1, 2, 3, 4, 0}));
  EXPECT_TRUE(fits({1, 0, 0}));
  for (const std::vector<int64_t> &values : {std::vector<int64_t>{},
                                             {1},
                                             {1, 0},
                                             {1, 1, 0},
                                             {1, -1, 0},
                                             {1, 0, 0, 0},
                                             {1, INT64_MAX, 0}})
    EXPECT_FALSE(fits(values));
}

TEST(Groups, AreSeenFromTheWorld) {
  MemoryTrace trace(factsOf(4));
  const int64_t pair = trace.communicator({{3, 1}, {}}),
                all = trace.communicator({{0, 1, 2, 3}, {}});
  const int64_t inter = trace.communicator({{0, 1}, {2, 3}});
  const Groups groups(trace);
  EXPECT_EQ(groups.world(pair, 1, 0), 1U);
  EXPECT_EQ(groups.world(pair, 2, 0), std::nullopt);
  EXPECT_EQ(groups.world(Self, 0, 2), 2U);
  EXPECT_EQ(groups.world(inter, 1, 0), 3U);
  EXPECT_EQ(groups.rankIn(pair, 3), 0U);
  EXPECT_EQ(groups.rankIn(pair, 0), std::nullopt);
  EXPECT_TRUE(groups.isWorld(all) && groups.isWorld(World));
  EXPECT_FALSE(groups.isWorld(pair) || groups.isWorld(inter) || groups.isWorld(Self) ||
               groups.isWorld(99));
  constexpr int64_t Most = INT32_MAX;
  EXPECT_EQ(groups.flatTag(World, 5, Most), 5);
  EXPECT_EQ(groups.flatTag(pair, 5, TagsOfCommunicator), std::nullopt);
  EXPECT_EQ(groups.flatTag(pair, 5, Most), 2 * TagsOfCommunicator + 5);
  EXPECT_EQ(groups.flatTag(pair, TagsOfCommunicator, Most), std::nullopt);
  EXPECT_EQ(groups.flatTag(World, TagsOfCommunicator, Most), std::nullopt);
}

} // namespace
