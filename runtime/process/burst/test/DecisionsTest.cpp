// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Decisions.h"

#include "support/Error.h"

#include <bit>
#include <fcntl.h>
#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::process::burst;

namespace {

/// Ends a run, as far as a test can.
struct Ended {
  std::string message;
};

/// A program with two points in one function.
struct Program {
  gnomon_point first{}, second{};
  gnomon_point *table[2] = {&first, &second};
  uint32_t on = 0;
  gnomon_module module{};
  Program() {
    describe(first, "the end of a loop", 3, 1);
    describe(second, "a count", 9, 32);
    module.points = table;
    module.point_count = 2;
    module.points_on = &on;
  }
  static void describe(gnomon_point &point, const char *what, uint32_t line, uint32_t bits) {
    point.function = "f";
    point.file = "a.c";
    point.what = what;
    point.line = line;
    point.bits = bits;
  }
};

Decisions make(DecisionWishes wishes, uint32_t ranks, std::string build = "b") {
  return Decisions(std::move(wishes), {"p", std::move(build), "", ranks},
                   [](const std::string &message) { throw Ended{message}; });
}

std::shared_ptr<DecisionLog> recordedLog(uint32_t ranks, bool alike = true) {
  Program program;
  Decisions recording = make({.record = true}, ranks);
  recording.introduce(program.module);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    for (int64_t value : {1, 1, 0})
      recording.decide(rank, program.first, value, true);
    recording.decide(rank, program.second, alike ? 5 : 5 + rank, true);
  }
  auto log = std::make_shared<DecisionLog>(recording.recorded());
  log->path = "file";
  return log;
}

/// What ends the run; empty: nothing does.
template <class Run> std::string ends(Run run) {
  try {
    run();
  } catch (const Ended &ended) {
    return ended.message;
  }
  return {};
}

} // namespace

TEST(Decisions, RecordsRunsOfEqualValues) {
  const auto log = recordedLog(2);
  ASSERT_EQ(log->points.size(), 2u);
  EXPECT_EQ(log->points[0].ofRank[1], (Values{{1, 2}, {0, 1}}));
  EXPECT_EQ(nameOf(log->points[1].key), "a.c:9 f #2");
  EXPECT_EQ(log->ranks, 2u);
}

TEST(Decisions, GivesThemBackWhateverIsComputed) {
  Program program;
  Decisions giving = make({.given = recordedLog(2)}, 2);
  giving.introduce(program.module);
  EXPECT_NE(program.on, 0u);
  for (uint32_t rank : {1u, 0u}) {
    EXPECT_EQ(giving.decide(rank, program.first, 0, false), 1);
    EXPECT_EQ(giving.decide(rank, program.first, 0, false), 1);
    EXPECT_EQ(giving.decide(rank, program.first, 1, false), 0);
    EXPECT_EQ(giving.decide(rank, program.second, 77, false), 5);
  }
  EXPECT_EQ(giving.ended(), "");
  EXPECT_EQ(giving.report().passed, 8u);
  EXPECT_EQ(giving.report().assumed, 0u);
}

TEST(Decisions, EndsWhereTheRunContradicts) {
  Program program;
  Decisions giving = make({.given = recordedLog(1)}, 1);
  giving.introduce(program.module);
  EXPECT_NE(ends([&] {
              giving.decide(0, program.second, 6, true);
            }).find("pass 1 computed 6, where 5 was recorded"),
            std::string::npos);
  EXPECT_NE(
      ends([&] { giving.decide(0, program.second, 5, true); }).find("once more than the 1 times"),
      std::string::npos);
  EXPECT_NE(giving.ended().find("passed 0 times, where 3 were recorded"), std::string::npos);
}

TEST(Decisions, GoesOnWhereTheUserSaysSo) {
  Program program;
  Decisions giving = make({.given = recordedLog(1), .goOn = true}, 1);
  giving.introduce(program.module);
  EXPECT_EQ(giving.decide(0, program.second, 6, true), 5);
  EXPECT_EQ(giving.decide(0, program.second, 7, true), 7);
  EXPECT_EQ(giving.ended(), "");
  EXPECT_EQ(giving.report().contradicted, 2u);
  EXPECT_EQ(giving.report().notes.size(), 1u); // once a point
}

TEST(Decisions, CarriesOverWhatIsAlike) {
  Program program;
  Decisions giving = make({.given = recordedLog(2, /*alike=*/false)}, 4);
  giving.introduce(program.module);
  EXPECT_EQ(giving.decide(3, program.first, 0, false), 1);
  EXPECT_EQ(giving.report().assumed, 1u);
  EXPECT_NE(ends([&] { giving.decide(3, program.second, 5, false); }).find("--decisions-from-rank"),
            std::string::npos);
}

TEST(Decisions, TakesWhatIsComputedOnOtherRanksUntilSomethingIsSkipped) {
  Program program;
  Decisions giving = make({.given = recordedLog(2)}, 4);
  giving.introduce(program.module);
  EXPECT_EQ(giving.decide(2, program.second, 9, true), 9); // 5 on two ranks
  EXPECT_EQ(giving.decide(3, program.first, 1, true), 1);
  EXPECT_EQ(giving.decide(3, program.first, 0, false), 1);
  EXPECT_EQ(giving.report().assumed, 1u);
  EXPECT_NE(ends([&] {
              giving.decide(3, program.second, 9, false);
            }).find("on 4 ranks it decided otherwise than on the 2"),
            std::string::npos);
}

/// A clock's reading is another one in each run.
TEST(Decisions, GivesRealNumbersOnceSomethingIsSkipped) {
  const auto bits = [](double value) { return std::bit_cast<int64_t>(value); };
  Program recorded;
  recorded.second.real = 1;
  Decisions recording = make({.record = true}, 1);
  recording.introduce(recorded.module);
  for (double value : {0.25, 0.5})
    recording.decide(0, recorded.second, bits(value), true);
  Program program;
  program.second.real = 1;
  Decisions giving = make({.given = std::make_shared<DecisionLog>(recording.recorded())}, 1);
  giving.introduce(program.module);
  EXPECT_EQ(giving.decide(0, program.second, bits(0.75), true), bits(0.75));
  EXPECT_EQ(giving.decide(0, program.second, bits(7), false), bits(0.5));
  EXPECT_NE(ends([&] { giving.decide(0, program.second, bits(7), true); }).find("once more"),
            std::string::npos);
}

TEST(Decisions, TakesTheRankThatTheUserNames) {
  Program program;
  Decisions giving = make({.given = recordedLog(2, /*alike=*/false), .fromRank = 1}, 4);
  giving.introduce(program.module);
  EXPECT_EQ(giving.decide(3, program.second, 9, true), 6);
  EXPECT_THROW(make({.given = recordedLog(2), .fromRank = 2}, 4), InputError);
}

// Intent: values for ranks that had computed none at the point are told apart, with the names of the
// points; a rank that has computed one, or for which the user has said whose to take, is not such.
TEST(Decisions, TellsWhatNobodyHasSeen) {
  Program program;
  Decisions giving = make({.given = recordedLog(2)}, 3);
  giving.introduce(program.module);
  giving.decide(2, program.first, 1, true);
  giving.decide(2, program.first, 1, false);
  EXPECT_EQ(giving.report().assumed, 1u);
  EXPECT_EQ(giving.report().unseen, 0u);
  const size_t notes = giving.report().notes.size();
  giving.decide(2, program.second, 5, false);
  giving.decide(1, program.first, 1, false);
  giving.decide(1, program.first, 1, false);
  EXPECT_EQ(giving.report().assumed, 4u);
  EXPECT_EQ(giving.report().unseen, 3u);
  ASSERT_EQ(giving.report().notes.size(), notes + 1);
  EXPECT_EQ(
      giving.report().notes.back(),
      "3 of the 4 values that were assumed went to ranks that had not come to the point before "
      "something was skipped, so that what they decide themselves is not known: a.c:3 f #1, "
      "a.c:9 f #2");

  Program forced;
  Decisions named = make({.given = recordedLog(2, /*alike=*/false), .fromRank = 1}, 3);
  named.introduce(forced.module);
  named.decide(2, forced.second, 9, false);
  EXPECT_EQ(named.report().assumed, 1u);
  EXPECT_EQ(named.report().unseen, 0u);

  Program same;
  Decisions recorded = make({.given = recordedLog(3)}, 3);
  recorded.introduce(same.module);
  recorded.decide(2, same.second, 5, false);
  EXPECT_EQ(recorded.report().unseen, 0u);
}

// Intent: before anything rests on what is assumed to be alike, each rank of more has computed it once.
TEST(Decisions, AwaitsEachRankOnce) {
  auto log = recordedLog(2);
  for (Values &values : log->points[1].ofRank)
    values = {{5, 20}}; // the other one is passed three times: it may be the end of the run
  Program program;
  Decisions giving = make({.given = log}, 3);
  giving.introduce(program.module);
  EXPECT_TRUE(giving.awaits());
  for (uint32_t rank : {0u, 0u, 1u})
    giving.decide(rank, program.second, 5, true);
  EXPECT_TRUE(giving.awaits());
  giving.decide(2, program.second, 5, true);
  EXPECT_FALSE(giving.awaits());

  // One that is otherwise is executed, and nobody else is waited for.
  Program other;
  Decisions executing = make({.given = log, .execute = true}, 3);
  executing.introduce(other.module);
  executing.decide(1, other.second, 6, true);
  EXPECT_TRUE(executing.executes(other.second));
  EXPECT_FALSE(executing.awaits());

  // Nor for ever: here a quarter of 20 passes on each of 3 ranks.
  Program ahead;
  Decisions waiting = make({.given = log}, 3);
  waiting.introduce(ahead.module);
  for (int pass = 0; pass < 15; ++pass) {
    EXPECT_TRUE(waiting.awaits()) << pass;
    waiting.decide(0, ahead.second, 5, true);
  }
  EXPECT_FALSE(waiting.awaits());

  // The fewest passes that are awaited leave each rank its first one.
  for (Values &values : log->points[1].ofRank)
    values = {{5, 8}};
  Program few;
  Decisions least = make({.given = log}, 3);
  least.introduce(few.module);
  for (uint32_t rank : {0u, 1u, 2u}) {
    EXPECT_TRUE(least.awaits()) << rank;
    least.decide(rank, few.second, 5, true);
  }
  EXPECT_FALSE(least.awaits());

  // The ranks that were recorded are known, and so are all where the user says whose decisions they take.
  Program same;
  Decisions recorded = make({.given = log}, 2);
  recorded.introduce(same.module);
  EXPECT_FALSE(recorded.awaits());
}

TEST(Decisions, LeavesToTheProgramWhatIsExecuted) {
  Program program;
  Decisions giving = make({.given = recordedLog(2, /*alike=*/false), .execute = true}, 4);
  giving.introduce(program.module);
  EXPECT_FALSE(giving.executes(program.first));
  EXPECT_TRUE(giving.executes(program.second)); // its ranks differ
  EXPECT_EQ(giving.decide(3, program.first, 0, false), 1);
  EXPECT_EQ(giving.decide(3, program.second, 9, false), 9);
  EXPECT_EQ(giving.decide(3, program.second, 8, false), 8);
  EXPECT_EQ(giving.report().executed, 1u);
  EXPECT_EQ(giving.report().assumed, 1u);

  // Alike where it was recorded, and seen to be otherwise here before anything was skipped.
  Decisions seen = make({.given = recordedLog(2), .execute = true}, 4);
  Program elsewhere;
  seen.introduce(elsewhere.module);
  EXPECT_EQ(seen.decide(3, elsewhere.second, 6, true), 6);
  EXPECT_TRUE(seen.executes(elsewhere.second));
  EXPECT_EQ(seen.decide(2, elsewhere.second, 7, false), 7);
  EXPECT_FALSE(seen.executes(elsewhere.first));

  // The same ranks: all is known, but for what the file says itself.
  Decisions same = make({.given = recordedLog(2, /*alike=*/false), .execute = true}, 2);
  Program known;
  same.introduce(known.module);
  EXPECT_FALSE(same.executes(known.second));
  auto edited = recordedLog(1);
  edited->points[1].execute = true;
  Decisions said = make({.given = edited}, 1);
  Program other;
  said.introduce(other.module);
  EXPECT_TRUE(said.executes(other.second));
  EXPECT_EQ(said.decide(0, other.second, 7, true), 7);
  EXPECT_NE(said.ended().find("#1 (the end of a loop)"), std::string::npos); // the other one alone
}

/// A program whose second point is an array.
struct ProgramWithArray : Program {
  ProgramWithArray() { second.length = GNOMON_LENGTH_PEERS; }
  template <class Number>
  std::vector<Number> pass(Decisions &decisions, uint32_t rank, std::vector<Number> numbers,
                           bool exact) {
    second.bits = 8 * sizeof(Number);
    const void *counts =
        decisions.decideEach(rank, second, {numbers.data(), numbers.size()}, exact);
    const auto *first = static_cast<const Number *>(counts);
    return {first, first + numbers.size()};
  }
};

template <class Number> std::shared_ptr<DecisionLog> recordedArrays(uint32_t ranks) {
  ProgramWithArray program;
  program.second.bits = 8 * sizeof(Number);
  Decisions recording = make({.record = true}, ranks);
  recording.introduce(program.module);
  for (uint32_t rank = 0; rank < ranks; ++rank)
    for (const std::vector<Number> &numbers : {std::vector<Number>{3, -1}, {5, 5}})
      EXPECT_EQ(program.pass(recording, rank, numbers, true), numbers);
  auto log = std::make_shared<DecisionLog>(recording.recorded());
  log->path = "file";
  return log;
}

TEST(Decisions, GivesEachNumberOfAnArray) {
  auto gives = [](auto zero) {
    using Number = decltype(zero);
    ProgramWithArray program;
    program.second.bits = 8 * sizeof(Number);
    const auto log = recordedArrays<Number>(2);
    EXPECT_EQ(log->points[1].ofRank[1], (Values{{3, 1}, {-1, 1}, {5, 2}}));
    Decisions giving = make({.given = log}, 2);
    giving.introduce(program.module);
    for (uint32_t rank : {1u, 0u}) {
      EXPECT_EQ(program.pass<Number>(giving, rank, {3, 77}, false), (std::vector<Number>{3, -1}));
      EXPECT_EQ(program.pass<Number>(giving, rank, {5, 5}, false), (std::vector<Number>{5, 5}));
    }
    EXPECT_EQ(giving.ended(), "");
  };
  gives(int32_t{});
  gives(int64_t{});
}

TEST(Decisions, ComparesEachNumberOfAnArray) {
  ProgramWithArray program;
  Decisions giving = make({.given = recordedArrays<int32_t>(2)}, 2);
  giving.introduce(program.module);
  EXPECT_NE(ends([&] {
              program.pass<int32_t>(giving, 0, {3, 4}, true);
            }).find("pass 2 computed 4, where -1"),
            std::string::npos);
}

// As many numbers as ranks: those of another number of ranks say nothing, also where all are alike.
TEST(Decisions, GivesNoArrayToOtherRanks) {
  auto log = recordedArrays<int32_t>(2);
  log->points[1].alike = true;
  for (const std::optional<uint32_t> from :
       {std::optional<uint32_t>(), std::optional<uint32_t>(1)}) {
    ProgramWithArray program;
    Decisions giving = make({.given = log, .fromRank = from}, 4);
    giving.introduce(program.module);
    EXPECT_EQ(program.pass<int32_t>(giving, 3, {1, 2, 3, 4}, true),
              (std::vector<int32_t>{1, 2, 3, 4}));
    EXPECT_NE(ends([&] {
                program.pass<int32_t>(giving, 3, {1, 2, 3, 4}, false);
              }).find("an array with a number for each rank"),
              std::string::npos);
  }
  ProgramWithArray program;
  Decisions executing = make({.given = log, .execute = true}, 4);
  executing.introduce(program.module);
  EXPECT_TRUE(executing.executes(program.second));
  EXPECT_EQ(program.pass<int32_t>(executing, 3, {1, 2, 3, 4}, false),
            (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST(Decisions, FindsPointsOfAnotherBuildByName) {
  Program program;
  program.second.line = 11;
  Decisions moved = make({.given = recordedLog(1)}, 1, "another");
  moved.introduce(program.module);
  EXPECT_EQ(moved.decide(0, program.second, 5, true), 5);

  Program other;
  other.second.function = "g";
  Decisions refused = make({.given = recordedLog(1)}, 1, "another");
  EXPECT_THROW(refused.introduce(other.module), InputError);
}

TEST(Decisions, TellOfFilesThatDiffer) {
  auto log = recordedLog(1);
  log->inputs.push_back({"no such file", 1, {3, 4}, {}});
  Decisions giving = make({.given = log}, 1);
  EXPECT_EQ(giving.report().inputsDifferent, 1u);
  ASSERT_EQ(giving.report().notes.size(), 1u);
  EXPECT_NE(giving.report().notes[0].find("no such file"), std::string::npos);
  log->inputsKnown = false; // as in a file that was written by hand
  EXPECT_EQ(make({.given = log}, 1).report().inputsDifferent, 0u);
}

TEST(Decisions, EndWhereALearningRunReadsWhatWasNotRecorded) {
  auto log = recordedLog(1);
  log->path = "kept.dec";
  Decisions giving =
      make({.given = log, .learning = DecisionWishes::Learning{"kept.dec", "", ""}}, 1);
  const int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const std::string message =
      ends([&] { giving.inputs()->opened(0, program, process::FileAccess::Read, "/some/file"); });
  EXPECT_NE(message.find("rank 0 reads the file /some/file, which was not read"),
            std::string::npos);
  EXPECT_NE(message.find("delete kept.dec"), std::string::npos);
}
