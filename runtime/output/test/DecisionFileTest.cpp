// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/DecisionFile.h"

#include "support/Error.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>

using namespace gnomon;
using namespace gnomon::output;
using process::burst::DecisionLog;
using process::burst::PointLog;
using process::burst::ValueRun;
using process::burst::Values;

namespace {

PointLog point(uint32_t bits, std::vector<Values> ofRank) {
  PointLog point;
  point.key = {"a b.c", "f(int, char)", 12, 3};
  point.bits = bits;
  point.what = "the count of MPI_Send";
  point.ofRank = std::move(ofRank);
  return point;
}

DecisionLog log(PointLog only, uint32_t ranks = 3) {
  DecisionLog log;
  log.program = "p.c";
  log.build = "00ff";
  log.arguments = "-n 'two words'";
  log.ranks = ranks;
  log.points.push_back(std::move(only));
  return log;
}

/// All values of a rank, whether it has a list of its own or not.
Values valuesOf(const PointLog &point, size_t rank) {
  return point.alike ? point.ofRank[0] : rank < point.ofRank.size() ? point.ofRank[rank] : Values();
}

void expectSame(const DecisionLog &before) {
  const std::string text = decisionText(before);
  const DecisionLog after = parseDecisions(text, "file");
  EXPECT_EQ(after.program, before.program);
  EXPECT_EQ(after.build, before.build);
  EXPECT_EQ(after.arguments, before.arguments);
  EXPECT_EQ(after.ranks, before.ranks);
  EXPECT_EQ(after.inputsKnown, before.inputsKnown);
  ASSERT_EQ(after.inputs.size(), before.inputs.size());
  for (size_t i = 0; i < after.inputs.size(); ++i) {
    EXPECT_EQ(after.inputs[i].path, before.inputs[i].path);
    EXPECT_EQ(after.inputs[i].files, before.inputs[i].files);
    EXPECT_EQ(after.inputs[i].contents, before.inputs[i].contents);
    EXPECT_EQ(after.inputs[i].ranks, before.inputs[i].ranks);
  }
  ASSERT_EQ(after.points.size(), before.points.size());
  for (size_t i = 0; i < after.points.size(); ++i) {
    EXPECT_EQ(after.points[i].key.file, before.points[i].key.file);
    EXPECT_EQ(after.points[i].key.function, before.points[i].key.function);
    EXPECT_EQ(after.points[i].key.line, before.points[i].key.line);
    EXPECT_EQ(after.points[i].key.ordinal, before.points[i].key.ordinal);
    EXPECT_EQ(after.points[i].bits, before.points[i].bits);
    EXPECT_EQ(after.points[i].what, before.points[i].what);
    for (size_t rank = 0; rank < before.ranks; ++rank)
      EXPECT_EQ(valuesOf(after.points[i], rank), valuesOf(before.points[i], rank)) << text;
  }
}

std::string lists(const PointLog &point) {
  const std::string text = decisionText(log(point));
  return text.substr(text.find("MPI_Send\n") + 9);
}

} // namespace

TEST(DecisionFile, WritesWhatIsAlikeOnce) {
  const Values loop{{1, 716}, {0, 1}};
  EXPECT_EQ(lists(point(1, {loop, loop, loop})), "  all: 1*716 0\n");
  EXPECT_EQ(lists(point(1, {loop, {}, loop})), "  0,2: 1*716 0\n");
  EXPECT_EQ(lists(point(1, {loop, loop})), "  0-1: 1*716 0\n");
}

TEST(DecisionFile, WritesRepetitionsOnce) {
  Values values;
  for (int i = 0; i < 40; ++i) {
    values.push_back({1, 25});
    values.push_back({0, 1});
  }
  values.push_back({7, 2});
  EXPECT_EQ(lists(point(32, {{}, values})), "  1: (1*25 0)*40 7*2\n");
}

// Intent: a group is looked for at each place anew, also behind one that has been written, and inside a longer one.
TEST(DecisionFile, WritesTheGroupThatCoversMost) {
  const auto list = [](std::initializer_list<int64_t> values) {
    Values runs;
    for (int64_t value : values)
      runs.push_back({value, 1});
    return lists(point(32, {{}, runs}));
  };
  EXPECT_EQ(list({1, 2, 1, 2, 3, 1, 2, 1, 2, 3}), "  1: (1 2 1 2 3)*2\n");
  EXPECT_EQ(list({1, 2, 1, 2, 3, 1, 2, 1, 2, 4}), "  1: (1 2)*2 3 (1 2)*2 4\n");
  EXPECT_EQ(list({9, 1, 2, 3, 1, 2, 3, 1, 2, 1, 2}), "  1: 9 (1 2 3)*2 (1 2)*2\n");
  EXPECT_EQ(list({1, 2, 1, 2, 1, 3, 1, 3, 1, 3}), "  1: (1 2)*2 (1 3)*3\n");
}

TEST(DecisionFile, HasRoomForTheLongestGroup) {
  Values values;
  for (int i = 0; i < 32; ++i)
    values.push_back({INT64_MIN + i % 16, uint64_t{1} << 40});
  PointLog whole = point(64, {{}, values}), real = point(64, {{}, values});
  expectSame(log(whole));
  real.real = true;
  for (ValueRun &run : real.ofRank[1])
    run.value =
        std::bit_cast<int64_t>(-2.2250738585072014e-308 * double(run.value - INT64_MIN + 1));
  expectSame(log(real));
}

TEST(DecisionFile, ReadsWhatItWrote) {
  Values irregular, repeated;
  for (int i = 0; i < 500; ++i)
    irregular.push_back({(i * 7919 + i * i) % 1000 - 500, uint64_t(1 + i % 3)});
  for (int i = 0; i < 90; ++i)
    repeated.push_back({i % 3 == 2 ? 5 : i % 3, uint64_t(1 + i % 3)});
  for (size_t i = 1; i < irregular.size();)
    if (irregular[i].value == irregular[i - 1].value)
      irregular.erase(irregular.begin() + static_cast<long>(i));
    else
      ++i;
  expectSame(log(point(32, {irregular, {}, repeated})));
  expectSame(log(point(64, {{{INT64_MIN, 1}, {INT64_MAX, uint64_t{1} << 40}}})));
  expectSame(log(point(1, {{{1, 2}, {0, 1}}})));
}

TEST(DecisionFile, ReadsWhatPeopleWrite) {
  const DecisionLog read =
      parseDecisions("gnomon decisions 2\r\n# mine\nranks 5\n\npoint x.f90:7 #1, 8 bits\n"
                     "function go\n 1,3-4: 1 2\n   (3 4)*2\n",
                     "file");
  const Values expected{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {3, 1}, {4, 1}};
  ASSERT_EQ(read.points.size(), 1u);
  for (size_t rank = 0; rank < 5; ++rank)
    EXPECT_EQ(valuesOf(read.points[0], rank), rank % 2 || rank == 4 ? expected : Values()) << rank;
}

TEST(DecisionFile, KnowsWhatIsExecuted) {
  PointLog count = point(8, {{{3, 1}}});
  count.execute = true;
  EXPECT_EQ(lists(count), "  execute\n  0: 3\n");
  EXPECT_TRUE(parseDecisions(decisionText(log(count)), "file").points[0].execute);
  EXPECT_THROW(parseDecisions("gnomon decisions 2\nranks 1\nburst a.c:7 #1\n  execute\n", "file"),
               InputError);
}

/// The program's two ranks decided alike, and the two that they started otherwise.
TEST(DecisionFile, KnowsPointsOfManyNumbers) {
  PointLog counts = point(32, {{{7, 1}, {9, 2}}, {{9, 3}}});
  counts.each = true;
  const std::string text = decisionText(log(counts, 2));
  EXPECT_NE(text.find("point a b.c:12 #3, 32 bits each\n"), std::string::npos) << text;
  EXPECT_TRUE(parseDecisions(text, "file").points[0].each);
  counts.each = false;
  EXPECT_FALSE(parseDecisions(decisionText(log(counts, 2)), "file").points[0].each);
}

TEST(DecisionFile, TellsSpawnedRanksFromTheOthers) {
  const Values first{{1, 50}}, later{{1, 60}};
  DecisionLog spawning = log(point(1, {first, first, later, later}), 2);
  spawning.spawned = 2;
  EXPECT_NE(decisionText(spawning).find("spawned 2\n"), std::string::npos);
  EXPECT_NE(decisionText(spawning).find("  0-1: 1*50\n  2-3: 1*60\n"), std::string::npos);
  const DecisionLog read = parseDecisions(decisionText(spawning), "file");
  EXPECT_EQ(read.spawned, 2u);
  EXPECT_EQ(valuesOf(read.points[0], 1), first);
  EXPECT_EQ(valuesOf(read.points[0], 3), later);
}

TEST(DecisionFile, WritesRealNumbersThatReadTheSame) {
  Values values;
  std::string expected = "  all:";
  for (auto [number, text] : {std::pair(0.1, " 0.1*2"),
                              {-0.0, " -0*2"},
                              {1e300, " 1e+300*2"},
                              {6.64553e-33, " 6.64553e-33*2"},
                              {HUGE_VAL, " inf*2"},
                              {-HUGE_VAL, " -inf*2"},
                              {NAN, " nan*2"},
                              {1.0 / 3, " 0.3333333333333333*2"}}) {
    values.push_back({std::bit_cast<int64_t>(number), 2});
    expected += text;
  }
  PointLog real = point(64, {values});
  real.real = true;
  const std::string text = decisionText(log(real, 1));
  EXPECT_NE(text.find("#3, real\n"), std::string::npos) << text;
  EXPECT_NE(text.find(expected + "\n"), std::string::npos) << text;
  expectSame(log(real, 1));
  EXPECT_TRUE(parseDecisions(text, "file").points[0].real);
  EXPECT_THROW(
      parseDecisions("gnomon decisions 2\nranks 2\npoint x.c:7 #1, real\n  0: 1.2.3\n", "file"),
      InputError);
}

TEST(DecisionFile, NamesTheLineOfWhatIsWrong) {
  try {
    parseDecisions("gnomon decisions 2\nranks 2\npoint x.c:7 #1, 8 bits\n  0: 128\n", "file");
    FAIL();
  } catch (const InputError &error) {
    EXPECT_EQ(error.line(), 4);
    EXPECT_STREQ(error.what(),
                 "file:4: '128' is no value of the point: a whole number from -128 to 127");
  }
}

TEST(DecisionFile, HasWhatBurstsCostAndExecute) {
  DecisionLog before = log(point(1, {{{1, 2}}}));
  before.machine = "A Processor @ 3 GHz";
  before.allBursts = true;
  before.bursts = {{{"a b.c", "f(int)", 7, 1},
                    {{13, 2, 12, 4.1e-10, -1, 0.03}, {-1, -1, 30, 5e-10, -1, 0}},
                    {0.9, 1, 1.1},
                    {{{100, 3}, {250, 1}}, {}, {{100, 3}, {250, 1}}},
                    false,
                    12,
                    1.25},
                   {{"", "g", 0, 2}, {}, {}, {{{5, 1}}, {{6, 1}}, {{0, 9}}}, false}};
  const std::string text = decisionText(before);
  EXPECT_NE(text.find("machine A Processor @ 3 GHz\nbursts all\n"), std::string::npos) << text;
  EXPECT_NE(text.find("burst a b.c:7 #1\n  function f(int)\n  cost 13 warm 4.1e-10 0.03 12\n"
                      "  cost any any 5e-10 0 30\n  varies 0.9 1 1.1\n "
                      " repeats 12\n  formula 1.25\n  0,2: 100*3 250\n"
                      "burst ?:0 #2\n  function g\n  0: 5\n  1: 6\n  2: 0*9\n"),
            std::string::npos)
      << text;
  const DecisionLog after = parseDecisions(text, "file");
  EXPECT_EQ(decisionText(after), text);
  EXPECT_TRUE(after.allBursts);
  ASSERT_EQ(after.bursts.size(), 2u);
  EXPECT_EQ(after.bursts[0].volumes[2], before.bursts[0].volumes[2]);
  EXPECT_EQ(after.bursts[0].perWork, 1.25);
  ASSERT_EQ(after.bursts[0].costs.size(), 2u);
  EXPECT_EQ(after.bursts[0].costs[0].warmth, 2);
  EXPECT_EQ(after.points.size(), 1u);
}

TEST(DecisionFile, HasWhatStretchesTook) {
  DecisionLog before = log(point(1, {{{1, 2}}}));
  process::burst::StretchLog &stretch = before.stretches.emplace_back();
  stretch.name = 0xef46db3751d8e999u;
  stretch.kind = 255;
  stretch.first = process::burst::PointKey{"a b.c", "", 7, 1};
  stretch.times = 320;
  stretch.seconds = 1.5e-4;
  stretch.cost = 1.4e-4;
  stretch.instructions = 51200;
  stretch.ofRank = {0.9, 0, 1.1};
  stretch.chances = {
      .moments = {0.95, 1.05}, .own = {0.9, 1.1}, .ownOfSlow = {0.98, 1.02}, .slowFrom = 1.01};
  before.stretches.emplace_back().ofRank = {1.0001, 1};
  const std::string text = decisionText(before);
  EXPECT_NE(
      text.find(
          "stretch ef46db3751d8e999 00000000000000ff\n  first a b.c:7 #1\n  took "
          "0.00015 320 0.00014 5.12e+04\n"
          "  ranks 0.9 0 1.1\n  varies 0.95 1.05\n  apart 0.9 1.1\n  apart-slow 1.01 0.98 1.02\n"
          "stretch 0000000000000000 0000000000000000\n  took 0 1 0 0\n"),
      std::string::npos)
      << text;
  const DecisionLog after = parseDecisions(text, "file");
  EXPECT_EQ(after.stretches.size(), 2u);
  EXPECT_NE(decisionText(after).find("  first a b.c:7 #1\n  took 0.00015 320 0.00014 5.12e+04\n"),
            std::string::npos);
  EXPECT_EQ(after.points.size(), 1u);
}

TEST(DecisionFile, RefusesStretchesThatNothingIsLike) {
  for (const char *lines :
       {"", "took\n", "took -1 2 1 1\n", "took 1 1 1\n", "took 1 0 1 1\n", "took inf 1 1 1\n",
        "took 1 1 1 -1\n", "first x\n", "first a.c:7 #1\n",
        "took 1 1 1 1\nstretch 0123456789abcdef 0000000000000001\ntook 1 1 1 1\n", "ranks 1 1 1\n",
        "ranks x\n", "varies -1\n", "apart 1 x\n", "apart-slow 1\n", "all: 5\n", "cost 1\n"}) {
    const std::string name = *lines ? "0123456789abcdef 0123456789abcdef" : "0123456789abcdef";
    EXPECT_THROW(
        parseDecisions("gnomon decisions 2\nranks 2\nstretch " + name + "\n" + lines, "file"),
        InputError)
        << lines;
  }
}

TEST(DecisionFile, RefusesBurstsThatNothingIsLike) {
  for (const char *lines :
       {"burst x.c\n", "burst x.c:7\n", "burst x.c:7 #1\n0: -5\n", "burst x.c:7 #1\n2: 5\n",
        "burst x.c:7 #1\ncost\n", "burst x.c:7 #1\ncost 65 warm 1 1 1\n",
        "burst x.c:7 #1\ncost 5 hot 1 1 1\n", "burst x.c:7 #1\ncost 5 warm -1 1 1\n",
        "burst x.c:7 #1\nrepeats 0\n", "burst x.c:7 #1\nformula -1\n",
        "burst x.c:7 #1\nvaries 1 x\n", "burst x.c:7 #1\ncost 5 warm inf 1 1\n",
        "burst x.c:7 #1\ncost 5 warm 1 1 0\n", "point x.c:7 #1, 1 bit\ncost 5 warm 1 1 1\n"})
    EXPECT_THROW(parseDecisions(std::string("gnomon decisions 2\nranks 2\n") + lines, "file"),
                 InputError)
        << lines;
}

TEST(DecisionFile, HasALineForEachFileThatWasRead) {
  DecisionLog before = log(point(1, {{{1, 2}}}));
  EXPECT_EQ(decisionText(before).find("input"), std::string::npos);
  before.inputsKnown = true;
  EXPECT_NE(decisionText(before).find("\ninput none\npoint"), std::string::npos);
  expectSame(before);
  before.inputs = {{"a b.in", 1, {734, 0xef46db3751d8e999u}, {}},
                   {"big", 1, {uint64_t{1} << 40, std::nullopt}, {0, 2}},
                   {"in.[00-31]", 32, {640, 5}, {}}};
  EXPECT_NE(decisionText(before).find("\ninput 734 ef46db3751d8e999 all a b.in\n"
                                      "input 1099511627776 - 0,2 big\n"
                                      "inputs 32 640 0000000000000005 all in.[00-31]\npoint"),
            std::string::npos)
      << decisionText(before);
  expectSame(before);
}

TEST(DecisionFile, RefusesLinesOfFilesThatSayNothing) {
  for (const char *line : {"input", "input x", "input 5 0 all a", "input 5 ef46db3751d8e99g all a",
                           "input 5 - 3 a", "input 5 - all", "input 5 -", "inputs 1 5 - all a",
                           "inputs 2 5 - all a", "inputs 3 5 - all a[0-1]", "input none\nranks 3"})
    EXPECT_THROW(parseDecisions(std::string("gnomon decisions 2\nranks 3\n") + line + "\n", "file"),
                 InputError)
        << line;
}
