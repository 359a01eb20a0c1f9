// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/EqualWork.h"

#include "process/ranks/test/Fakes.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

constexpr uint64_t Instructions = 3'000'000;
constexpr double Usual = 1e-3;

class EqualWorkTest : public testing::Test {
protected:
  EqualWorkTest() { equal_.enable(); }

  double charge(uint32_t rank, double seconds, uint64_t instructions = Instructions) {
    equal_.leave(counted_);
    counted_ += instructions;
    return equal_.charge(rank, counted_, seconds);
  }

  EqualWork equal_;
  uint64_t counted_ = 0;
};

// Intent: the number is one to one part in 32, and grows with the instructions.
TEST(WorkOf, IsOneOfThirtyTwoToAnOctave) {
  EXPECT_EQ(workOf(1'000'000), workOf(1'010'000));
  EXPECT_NE(workOf(1'000'000), workOf(1'040'000));
  EXPECT_EQ(workOf(2'000'000), workOf(1'000'000) + 32);
  uint32_t last = 0;
  for (uint64_t instructions = 1; instructions < 100'000; ++instructions) {
    ASSERT_GE(workOf(instructions), last);
    last = workOf(instructions);
  }
  EXPECT_LT(workOf(~uint64_t{0}), WorkNumbers);
}

TEST_F(EqualWorkTest, ARankThatTheHostServesWorseIsChargedTheMean) {
  double slowest = 0;
  for (int round = 0; round < 100; ++round)
    for (uint32_t rank = 0; rank < 16; ++rank) {
      const double charged = charge(rank, rank == 5 ? 1.06 * Usual : Usual);
      if (round > 0)
        slowest = std::max(slowest, charged);
    }
  EXPECT_LT(slowest, 1.01 * Usual);
}

// Intent: what a stretch was charged beside what it took is told.
TEST_F(EqualWorkTest, TellsWhatItMoved) {
  charge(0, Usual);
  EXPECT_NEAR(equal_.latestMoved(), 0, 1e-12);
  const double charged = charge(1, 1.1 * Usual);
  EXPECT_LT(charged, 1.1 * Usual);
  EXPECT_DOUBLE_EQ(equal_.latestMoved(), 1.1 * Usual - charged);
}

// Intent: what is computed in sum stays what it was.
TEST_F(EqualWorkTest, TheSumStays) {
  double measured = 0, charged = 0;
  for (int round = 0; round < 64; ++round)
    for (uint32_t rank = 0; rank < 8; ++rank) {
      const double seconds =
          Usual * (1 + 0.1 * ((round * 7 + static_cast<int>(rank) * 3) % 5 - 2) / 2);
      measured += seconds;
      charged += charge(rank, seconds);
    }
  EXPECT_NEAR(charged / measured, 1, 0.01);
}

// Intent: first uses of memory are dear, and only once.
TEST_F(EqualWorkTest, TheFirstTimeIsComparedWithFirstTimes) {
  for (uint32_t rank = 0; rank < 16; ++rank)
    EXPECT_NEAR(charge(rank, 5 * Usual), 5 * Usual, 1e-9);
  for (uint32_t rank = 0; rank < 16; ++rank)
    EXPECT_NEAR(charge(rank, Usual), Usual, 1e-9);
}

TEST_F(EqualWorkTest, ARankThatIsMuchSlowerKeepsItsTime) {
  double charged = 0, others = 0;
  for (int round = 0; round < 50; ++round)
    for (uint32_t rank = 0; rank < 16; ++rank)
      (rank == 3 ? charged : others) = charge(rank, rank == 3 ? 1.5 * Usual : Usual);
  EXPECT_NEAR(charged, 1.5 * Usual, 1e-9);
  EXPECT_LT(others, 1.05 * Usual);
}

// Intent: one iteration that meets denormal numbers is the program's own.
TEST_F(EqualWorkTest, ALongStretchOfMoreThanTwiceTheMeanIsKept) {
  for (int round = 0; round < 50; ++round)
    for (uint32_t rank = 0; rank < 4; ++rank)
      charge(rank, Usual);
  EXPECT_EQ(charge(2, 4 * Usual), 4 * Usual);
  EXPECT_LT(charge(2, 1.5 * Usual), 1.1 * Usual);
}

// Intent: what a library executes is not counted: stretches with a call of it and without are as many instructions.
TEST_F(EqualWorkTest, OtherWorkInAsManyInstructionsIsNoPartOfTheMean) {
  for (int round = 0; round < 50; ++round)
    for (uint32_t rank = 0; rank < 4; ++rank) {
      const bool isLibrary = (round + static_cast<int>(rank)) % 3 == 0;
      const double seconds = isLibrary ? 100 * Usual : Usual;
      ASSERT_NEAR(charge(rank, seconds), seconds, 1e-9) << round << ' ' << rank;
    }
}

// Intent: the one that came first need not be the usual one.
TEST_F(EqualWorkTest, AMeanOfFewBeginsAgain) {
  charge(0, 0.01 * Usual);
  double slowest = 0;
  for (int round = 0; round < 50; ++round)
    for (uint32_t rank = 0; rank < 16; ++rank)
      if (const double charged = charge(rank, rank == 5 ? 1.06 * Usual : Usual); round > 1)
        slowest = std::max(slowest, charged);
  EXPECT_LT(slowest, 1.01 * Usual);
}

TEST_F(EqualWorkTest, OtherWorkHasItsOwnMean) {
  for (int round = 0; round < 10; ++round)
    for (uint32_t rank = 0; rank < 4; ++rank) {
      charge(rank, Usual);
      EXPECT_NEAR(charge(rank, 3 * Usual, 2 * Instructions), 3 * Usual, 1e-9);
    }
}

// Intent: more instructions within one number cost more in proportion.
TEST_F(EqualWorkTest, IsBySecondsAnInstruction) {
  for (uint32_t rank = 0; rank < 4; ++rank)
    charge(rank, Usual);
  charge(0, 1.01 * Usual, Instructions + Instructions / 100);
  EXPECT_NEAR(charge(1, 1.01 * Usual, Instructions + Instructions / 100), 1.01 * Usual, 1e-6);
}

TEST_F(EqualWorkTest, WhatIsNotCountedIsLeftAlone) {
  charge(0, Usual);
  EXPECT_EQ(charge(1, 3.1 * Usual, 0), 3.1 * Usual);
}

// Intent: so is a stretch at whose end the counter stands lower than at its beginning.
TEST_F(EqualWorkTest, ACounterThatIsSetBackSaysNothing) {
  equal_.leave(counted_ + 5);
  EXPECT_EQ(equal_.charge(0, counted_, Usual), Usual);
  EXPECT_EQ(equal_.figures().stretches, 0U);
  EXPECT_EQ(countedSince(~uint64_t{0} - 4, 5), 10U); // it may begin below zero
}

// Intent: a clock that the program has read never runs back.
TEST_F(EqualWorkTest, TakesNoLessThanWhatWasGivenOut) {
  for (int round = 0; round < 10; ++round)
    for (uint32_t rank = 0; rank < 4; ++rank)
      charge(rank, Usual);
  equal_.leave(counted_);
  equal_.gaveOut(1.08 * Usual);
  counted_ += Instructions;
  EXPECT_EQ(equal_.charge(1, counted_, 1.1 * Usual), 1.08 * Usual);
}

/// What each of the \p runs took for a stretch of Instructions, met for the first time by a rank.
std::vector<EqualWork::Earlier> earlierRuns(const std::vector<double> &runs) {
  EqualWork::Earlier earlier{{workOf(Instructions), 0}, {}};
  for (const double seconds : runs)
    earlier.perInstruction.push_back(seconds / static_cast<double>(Instructions));
  return {earlier};
}

// Intent: of earlier runs and this one, what the middle one took, or the mean of the two in the middle.
TEST_F(EqualWorkTest, ChargesTheMedianOfThisRunAndEarlierOnes) {
  struct Case {
    std::vector<double> runs;
    double measured, charged;
  };
  for (const Case &one : std::vector<Case>{
           {{0.9}, 1, 0.95},
           {{0.9, 0.7}, 1, 0.9},
           {{0.9, 0.7}, 0.8, 0.8},
           {{0.9, 0.7}, 0.6, 0.7},
           {{1.1, 0.8, 0.9}, 1, 0.95},
           {{1.1, 0.8, 0.9}, 1.5, 1},
           {{1.1, 0.8, 0.9}, 0.7, 0.85},
           {{1.1, 0.8, 0.9, 0.85}, 1.5, 0.9},
       }) {
    EqualWork equal;
    equal.enable();
    equal.expect(earlierRuns(one.runs));
    equal.leave(0);
    EXPECT_NEAR(equal.charge(0, Instructions, one.measured), one.charged, 1e-12) << one.charged;
    EXPECT_NEAR(equal.figures().earlierSeconds, one.charged - one.measured, 1e-12);
    EXPECT_EQ(equal.figures().earlierRuns, one.runs.size());
  }
}

// Intent: other code or other data, another machine: what it takes now is what counts.
TEST_F(EqualWorkTest, LeavesEarlierRunsOutThatTookFarMoreOrLess) {
  equal_.expect(earlierRuns({0.4 * Usual, 0.4 * Usual}));
  EXPECT_EQ(charge(0, Usual), Usual);
  EqualWork other;
  other.enable();
  other.expect(earlierRuns({2.5 * Usual, 2.5 * Usual}));
  other.leave(0);
  EXPECT_EQ(other.charge(0, Instructions, Usual), Usual);
}

// Intent: a rank with reasons of its own stays as far from the others as it is in this run.
TEST_F(EqualWorkTest, EarlierRunsLeaveRanksAsFarApart) {
  std::vector<EqualWork::Earlier> earlier;
  for (uint32_t round = 0; round < 8; ++round) {
    earlier.push_back(earlierRuns({0.8 * Usual, 0.8 * Usual}).front());
    earlier.back().round = round;
  }
  equal_.expect(earlier);
  double slow = 0, usual = 0;
  for (int round = 0; round < 50; ++round)
    for (uint32_t rank = 0; rank < 16; ++rank)
      (rank == 3 ? slow : usual) = charge(rank, rank == 3 ? 1.5 * Usual : Usual);
  EXPECT_NEAR(usual, 0.8 * Usual, 0.01 * Usual);
  EXPECT_GT(slow, 1.4 * usual);
}

// Intent: the next run is told what this one measured, whatever it was charged.
TEST_F(EqualWorkTest, TellsWhatWasMeasured) {
  equal_.expect(earlierRuns({0.8 * Usual, 0.8 * Usual}));
  for (uint32_t rank = 0; rank < 4; ++rank)
    charge(rank, rank < 2 ? Usual : 1.1 * Usual);
  charge(0, 3 * Usual, 2 * Instructions);
  charge(1, 7 * Usual, 0);
  const std::vector<EqualWork::Found> found = equal_.found();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].work, workOf(Instructions));
  EXPECT_EQ(found[0].round, 0U);
  EXPECT_NEAR(found[0].seconds, 4.2 * Usual, 1e-12);
  EXPECT_NEAR(found[0].perInstruction * static_cast<double>(Instructions), 1.05 * Usual, 1e-12);
  EXPECT_EQ(found[1].work, workOf(2 * Instructions));
}

TEST(EqualWork, ChargesWhatWasMeasuredUnlessEnabled) {
  EqualWork equal;
  for (uint32_t rank = 0; rank < 4; ++rank) {
    equal.leave(0);
    EXPECT_EQ(equal.charge(rank, Instructions, Usual * (1 + 0.1 * rank)), Usual * (1 + 0.1 * rank));
  }
}

/// 20 steps of 4 ranks, of which the third takes 1.06 times what the others do.
double simulatedSteps(bool steady) {
  Program::use([](int, char **, char **) {
    Rank &rank = *currentRank();
    for (int step = 0; step < 20; ++step) {
      Program::instructions += Instructions;
      FakeThreadClock::seconds += rank.number == 2 ? 1.06 * Usual : Usual;
      enterRuntime(rank);
      leaveRuntime(rank);
    }
    return 0;
  });
  const FakeThreadClock clock;
  Machine machine(4);
  machine.hostSpeedFlops = 1e9;
  World &world = machine.create(4, ComputeMode::Measured);
  if (steady)
    keepEqualWorkSteady();
  return runRanks(world).endedAt.seconds;
}

// Intent: the run ends with the slowest rank, which the host made slow.
TEST(EqualWork, TheSimulatedTimeIsNotTheWorstDraws) {
  EXPECT_NEAR(simulatedSteps(false), 20 * 1.06 * Usual, 1e-9);
  const double steady = simulatedSteps(true);
  EXPECT_GT(steady, 20 * Usual);
  EXPECT_LT(steady, 20 * 1.03 * Usual);
}

} // namespace
