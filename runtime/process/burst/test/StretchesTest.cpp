// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Stretches.h"

#include "process/burst/DecisionLog.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr uint64_t Name = 77, Instructions = 100;

/// A stretch of that name that met the burst of \p slot \p times.
WholeStretch met(uint32_t slot, uint32_t times, uint64_t name = Name) {
  WholeStretch whole;
  whole.shape = name;
  whole.first = slot + 1;
  whole.kinds = {{slot, times}};
  return whole;
}

/// A stretch in a run that skips: its bursts cost that.
WholeStretch costing(double cost) {
  WholeStretch whole;
  whole.shape = Name;
  whole.cost = cost;
  return whole;
}

/// As if each slot were its shape.
std::vector<StretchLog> logsOf(const StretchRecorder &recorder, uint64_t shape = Name) {
  std::vector<uint32_t> firsts;
  return recorder.logs([&](uint32_t) { return shape; }, firsts);
}

} // namespace

TEST(Stretches, TakeWhatThoseLikeThemTook) {
  StretchRecorder recorder;
  for (int i = 0; i < 4; ++i) {
    recorder.add(0, met(0, 1), Instructions, 2);
    recorder.add(1, met(0, 1), Instructions, 6);
  }
  const std::vector<StretchLog> logs = logsOf(recorder);
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0].name, Name);
  EXPECT_EQ(logs[0].times, 8u);
  EXPECT_DOUBLE_EQ(logs[0].seconds, 4);
  GivenStretches given(logs);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(1), 0).value(), 2);
  EXPECT_DOUBLE_EQ(given.secondsOf(1, costing(1), 0).value(), 6);
  EXPECT_EQ(given.known(), 2u);
}

// Intent: what nobody recorded is left to whoever measures it.
TEST(Stretches, OfAnotherNameAreNotKnown) {
  StretchRecorder recorder;
  recorder.add(0, met(0, 1), Instructions, 2);
  recorder.add(0, {}, 0, 2);
  GivenStretches given(logsOf(recorder));
  EXPECT_FALSE(given.secondsOf(0, met(0, 1, Name + 1), 1));
  EXPECT_FALSE(given.secondsOf(0, {}, 0));
  EXPECT_EQ(given.unknown(), 2u);
}

// Intent: of stretches of one name some have more work; their sum stays that of as many recorded ones.
TEST(Stretches, FollowTheirWork) {
  StretchRecorder recorder;
  recorder.add(0, met(0, 1), Instructions, 3);
  GivenStretches given(logsOf(recorder));
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(10), 0).value(), 3);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(10), 0).value(), 3);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(40), 0).value(), 6); // 40 by a mean of 20
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 0).value(), 3);  // nobody knows
}

// Intent: the sizes of bursts' work that runs which are given volumes do not know tell nothing apart there.
TEST(Stretches, OfOneShapeLaterAreOne) {
  StretchRecorder recorder;
  recorder.add(0, met(0, 2), Instructions, 1);
  recorder.add(0, met(1, 2, Name + 1), Instructions, 3);
  const std::vector<StretchLog> logs = logsOf(recorder, 5);
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0].name, 10u);
  EXPECT_DOUBLE_EQ(logs[0].seconds, 2);
}

// Intent: what one rank has more of to do is its work, which the rates tell already; it is not a slower rank.
TEST(Stretches, DoNotCountWorkTwice) {
  StretchRecorder recorder;
  for (int i = 0; i < 20; ++i) {
    recorder.add(0, met(0, 1), 1000, 3);
    recorder.add(1, met(0, 1), 2000, 6);
  }
  const std::vector<StretchLog> logs = logsOf(recorder);
  EXPECT_TRUE(logs[0].chances.empty());
  GivenStretches given(logs);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(2), 0).value(), 4.5);
  EXPECT_DOUBLE_EQ(given.secondsOf(1, costing(4), 0).value(), 6);
}

// Intent: where nothing is skipped, instructions tell how much work a stretch has.
TEST(Stretches, FollowWhatIsExecuted) {
  StretchRecorder recorder;
  recorder.add(0, met(0, 1), 100, 3);
  GivenStretches given(logsOf(recorder));
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 100).value(), 3);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 300).value(), 4.5); // 9 by a mean of 6
}

// Intent: ranks wait for the slowest, so that chance is given too: in its order, as slow moments meet all ranks. It changes
// no sum.
TEST(Stretches, DifferAsTheyDid) {
  StretchRecorder recorder;
  for (int i = 0; i < 1000; ++i)
    recorder.add(i % 2, met(0, 1), Instructions, i < 500 ? 1 : 3);
  GivenStretches given(logsOf(recorder));
  double sum = 0;
  int longer = 0;
  for (int i = 0; i < 1000; ++i) {
    const double seconds = given.secondsOf(i % 2, costing(1), 0).value();
    sum += seconds;
    longer += i >= 500 && seconds > 2;
  }
  EXPECT_NEAR(sum, 2000, 20);
  EXPECT_NEAR(longer, 500, 20);
}

// Intent: short stretches by the thousand are left out where they make up nothing.
TEST(Stretches, OnesThatTakeNothingAreLeftOut) {
  StretchRecorder recorder;
  recorder.add(0, {}, 1, 1000);
  for (uint64_t instructions = 2; instructions < 10; ++instructions)
    recorder.add(0, {}, instructions, 1e-3);
  EXPECT_EQ(logsOf(recorder).size(), 1u);
}

TEST(Stretches, AreMadeOfTheirParts) {
  Stretch part;
  part.shape = 3;
  part.first = 4;
  part.charged = 1;
  part.known = 2;
  part.terms = {{6, 10.0, 2}};
  WholeStretch whole;
  whole.add(part);
  part.first = 9;
  whole.add(part);
  EXPECT_EQ(whole.name(5), 6u);
  EXPECT_EQ(whole.first, 4u);
  EXPECT_DOUBLE_EQ(whole.cost, 6);
  ASSERT_EQ(whole.kinds.size(), 2u);
  EXPECT_EQ(whole.kinds[1].times, 2u);
  whole.renew();
  EXPECT_EQ(whole.name(5), 5u);
}
