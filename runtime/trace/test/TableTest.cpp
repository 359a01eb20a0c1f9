// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: facts, strings, communicators and sets come back, equal ones with equal numbers, and
// groups of many ranks are small.
#include "trace/test/MemoryTrace.h"

#include "support/Error.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace gnomon;
using namespace gnomon::trace;
using namespace gnomon::trace::test;

TEST(Table, FactsComeBack) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 3);
  const Facts facts{.ranks = 5,
                    .program = "./app 'a b'",
                    .origin = "a test",
                    .complete = false,
                    .secondsPerFlop = 1.5e-10};
  ASSERT_EQ(writer.finish(facts), "");
  const TraceFile file(folder / "a.gtr");
  EXPECT_EQ(file.facts().ranks, 5u);
  EXPECT_EQ(file.facts().program, facts.program);
  EXPECT_EQ(file.facts().origin, facts.origin);
  EXPECT_FALSE(file.facts().complete);
  EXPECT_EQ(file.facts().secondsPerFlop, facts.secondsPerFlop);
}

TEST(Table, EqualOnesHaveEqualNumbers) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 9);
  EXPECT_EQ(writer.text(""), 0);
  EXPECT_EQ(writer.text("x"), 1);
  EXPECT_EQ(writer.text(""), 0);
  EXPECT_EQ(writer.function({"f", {{"a", Kind::Tag}}}), 0u);
  EXPECT_EQ(writer.function({"f", {{"a", Kind::Tag, true}}}), 1u);
  EXPECT_EQ(writer.function({"f", {{"a", Kind::Tag}}}), 0u);
  EXPECT_EQ(writer.communicator({{1, 2, 3}, {4}}), 2);
  EXPECT_EQ(writer.communicator({{1, 2, 3}, {4}}), 3);
  EXPECT_EQ(writer.set({8, 1, 0, 5}), 0);
  EXPECT_EQ(writer.set({}), 1);
  EXPECT_EQ(writer.set({8, 1, 0, 5}), 0);
  ASSERT_EQ(writer.finish({}), "");
  const TraceFile file(folder / "a.gtr");
  EXPECT_EQ(file.texts(), (std::vector<std::string>{"", "x"}));
  EXPECT_EQ(file.functions().size(), 2u);
  EXPECT_TRUE(file.functions()[1].fields.at(0).list);
  const Group group{{1, 2, 3}, {4}};
  EXPECT_EQ(file.communicators(), (std::vector<Group>{{}, {}, group, group}));
  EXPECT_EQ(file.sets(), (std::vector<std::vector<uint32_t>>{{8, 1, 0, 5}, {}}));
}

TEST(Table, GroupsOfManyRanksAreSmall) {
  std::vector<uint32_t> world(16384), column(128);
  std::iota(world.begin(), world.end(), 0u);
  for (uint32_t i = 0; i < column.size(); ++i)
    column[i] = 7 + 128 * i;
  std::string bytes;
  putMembers(bytes, world);
  EXPECT_EQ(bytes.size(), 6u);
  putMembers(bytes, column);
  EXPECT_LE(bytes.size(), 14u);
}

TEST(Table, RanksThatFollowTheWorldAreThere) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 2);
  declare(writer);
  const Call call{Send, {1, 0, 5, 0}};
  writer.append(6, {call.function, call.values});
  ASSERT_EQ(writer.finish({}), "");
  const TraceFile file(folder / "a.gtr");
  ASSERT_EQ(file.facts().ranks, 7u);
  EXPECT_EQ(callsOf(*file.open(6)), Calls{call});
  EXPECT_EQ(callsOf(*file.open(3)), Calls{});
  EXPECT_THROW(file.open(7), InputError);
}

TEST(Table, TooManyFieldsAreRefused) {
  const Folder folder;
  TraceWriter writer(folder / "a.gtr", 2);
  Function function{"wide", std::vector<Field>(64)};
  EXPECT_EQ(writer.function(function), 0u);
  function.fields.emplace_back();
  EXPECT_THROW(writer.function(function), InputError);
}

TEST(Table, AllFieldsOfAFunctionOf64) {
  const Folder folder;
  Calls calls;
  for (int64_t turn = 0; turn < 9; ++turn) {
    Call call{0, std::vector<int64_t>(64)};
    std::iota(call.values.begin(), call.values.end(), turn * turn);
    calls.push_back(call);
  }
  TraceWriter writer(folder / "a.gtr", 1);
  writer.function({"wide", std::vector<Field>(64)});
  for (const Call &call : calls)
    writer.append(0, {0, call.values});
  ASSERT_EQ(writer.finish({}), "");
  const TraceFile file(folder / "a.gtr");
  EXPECT_EQ(callsOf(*file.open(0)), calls);
}
