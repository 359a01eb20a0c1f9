// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Stretches.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr uint64_t Instructions = 100;

/// A stretch that met that burst \p times, of work of \p bucket.
WholeStretch met(uint32_t burst = 1, uint32_t times = 1, uint32_t bucket = 3) {
  WholeStretch whole;
  whole.shape = times * shapeOf(burst, bucket);
  whole.kind = times * shapeOf(burst, AnyBucket);
  whole.first = burst;
  whole.kinds = {{burst, bucket, times}};
  return whole;
}

/// A stretch in a run that skips: its bursts cost that.
WholeStretch costing(double cost) {
  WholeStretch whole = met();
  whole.cost = cost;
  return whole;
}

/// For runs in which bursts, whose names are their numbers, have sizes by the formula, or otherwise. Nobody knows what
/// they should have cost.
std::vector<StretchLog> logsOf(const StretchRecorder &recorder, Sizing sizing = Sizing::Formula) {
  std::vector<uint32_t> firsts;
  const StretchRecorder::Later bursts[] = {{1, sizing}, {2, sizing}};
  std::vector<StretchLog> logs = recorder.logs(bursts, firsts);
  for (StretchLog &log : logs)
    log.cost = log.instructions = 0;
  return logs;
}

} // namespace

TEST(Stretches, TakeWhatThoseLikeThemTook) {
  StretchRecorder recorder;
  for (int i = 0; i < 4; ++i) {
    recorder.add(0, met(), Instructions, 2);
    recorder.add(1, met(), Instructions, 6);
  }
  const std::vector<StretchLog> logs = logsOf(recorder);
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs[0].name, met().shape);
  EXPECT_EQ(logs[0].times, 8u);
  EXPECT_DOUBLE_EQ(logs[0].seconds, 4);
  GivenStretches given(logs);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(1), 0).value(), 2);
  EXPECT_DOUBLE_EQ(given.secondsOf(1, costing(1), 0).value(), 6);
  EXPECT_EQ(given.unlikeShare(), 0);
}

// Intent: stretches that are added as made of the same instances leave what those leave that are added one by one.
TEST(Stretches, OfTheSameInstances) {
  constexpr uint64_t Composition = 77;
  WholeStretch stretch = met();
  stretch.kinds[0].work = 5;
  stretch.addVolume(1, 40, 1);
  stretch.volume = 40;
  StretchRecorder single, together;
  EXPECT_FALSE(together.knows(Composition, 2));
  together.add(0, stretch, Instructions, 2, Composition, Watches::Taught::Little);
  EXPECT_FALSE(together.knows(Composition, 2));
  together.add(1, stretch, Instructions, 2, Composition, Watches::Taught::Much);
  EXPECT_FALSE(together.knows(Composition, 2)); // a long one
  together.add(0, stretch, Instructions, 3, Composition, Watches::Taught::All);
  for (int i = 0; i < 3; ++i)
    single.add(i % 2, stretch, Instructions, i == 2 ? 3 : 2);
  for (uint32_t i = 0; i < 20; ++i) {
    ASSERT_TRUE(together.knows(Composition, 4));
    together.addSame(i % 3, Composition, 4 + i % 5);
    single.add(i % 3, stretch, Instructions, 4 + i % 5);
  }
  EXPECT_FALSE(together.knows(Composition + 1, 4));
  together.settle();
  for (const Sizing sizing : {Sizing::Formula, Sizing::Volume}) {
    const auto some = logsOf(together, sizing), all = logsOf(single, sizing);
    ASSERT_EQ(some.size(), 1u);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(some[0].name, all[0].name);
    EXPECT_EQ(some[0].times, all[0].times);
    EXPECT_DOUBLE_EQ(some[0].seconds, all[0].seconds);
    EXPECT_EQ(some[0].ofRank, all[0].ofRank);
    EXPECT_EQ(some[0].chances, all[0].chances);
  }
}

// Intent: what nobody recorded is left to whoever measures it.
TEST(Stretches, OfAnotherNameAreNotKnown) {
  StretchRecorder recorder;
  recorder.add(0, met(), Instructions, 2);
  recorder.add(0, {}, 0, 2);
  GivenStretches given(logsOf(recorder));
  EXPECT_FALSE(given.secondsOf(0, met(2), 1));
  EXPECT_FALSE(given.secondsOf(0, {}, 0));
  EXPECT_TRUE(given.secondsOf(0, met(), Instructions));
  given.measured(6);
  EXPECT_DOUBLE_EQ(given.unlikeShare(), 0.75);
}

// Intent: of stretches of one name some have more work; their sum stays that of as many recorded ones, whatever the rates
// miss.
TEST(Stretches, FollowTheirWork) {
  StretchRecorder recorder;
  recorder.add(0, met(), Instructions, 3);
  std::vector<StretchLog> logs = logsOf(recorder);
  logs[0].cost = 10;
  GivenStretches given(logs);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(10), 0).value(), 3);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 0).value(), 3); // nobody knows
  EXPECT_NEAR(given.secondsOf(0, costing(20), 0).value(), 6, 0.6);
  GivenStretches others(logs);
  double sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += others.secondsOf(0, costing(i % 2 ? 30 : 90), 0).value();
  EXPECT_NEAR(sum, 3000, 150);
}

// Intent: what the rates say of the recorded ones is known from the first given one on.
TEST(Stretches, KnowWhatTheyShouldHaveCost) {
  BurstLog byFormula, byVolume;
  byFormula.costs = {{.bucket = 3, .warmth = 2, .secondsPerWork = 2},
                     {.bucket = -1, .warmth = -1, .secondsPerWork = 9}};
  byVolume.costs = {{.bucket = -1, .warmth = -1, .secondsPerWork = 0.5}};
  const StretchRecorder::Later bursts[] = {{1, Sizing::Formula, &byFormula},
                                           {2, Sizing::Volume, &byVolume}};
  StretchRecorder recorder;
  for (double work : {5, 7}) {
    WholeStretch stretch = met();
    stretch.kinds[0].work = work;
    stretch.kinds.push_back({2, 0, 1, 1});
    stretch.addVolume(1, 1000);
    stretch.addVolume(2, 100);
    recorder.add(0, stretch, Instructions, 3);
  }
  std::vector<uint32_t> firsts;
  EXPECT_DOUBLE_EQ(recorder.logs(bursts, firsts)[0].cost, 6 * 2 + 100 * 0.5);
  StretchRecorder none;
  none.add(0, {}, 70, 1);
  EXPECT_EQ(none.logs(bursts, firsts)[0].cost, 0);
  EXPECT_EQ(none.logs(bursts, firsts)[0].instructions, 70);
}

// Intent: where a run is given volumes, their sizes tell stretches apart, not those of a formula that it does not ask for.
TEST(Stretches, AreToldApartByVolumesWhereTheseAreGiven) {
  StretchRecorder recorder;
  for (uint32_t bucket : {3, 4})
    for (uint64_t volume : {100, 1000}) {
      WholeStretch stretch = met(1, 1, bucket);
      stretch.addVolume(1, volume);
      recorder.add(0, stretch, Instructions, 1);
    }
  EXPECT_EQ(logsOf(recorder).size(), 2u);
  EXPECT_EQ(logsOf(recorder, Sizing::Alike).size(), 1u);
  const std::vector<StretchLog> logs = logsOf(recorder, Sizing::Volume);
  ASSERT_EQ(logs.size(), 2u);
  const uint64_t small = shapeOf(1, bucketOf(100)), large = shapeOf(1, bucketOf(1000));
  EXPECT_EQ(logs[0].name, std::min(small, large));
  EXPECT_EQ(logs[1].name, std::max(small, large));
}

// Intent: a formula may read what was not computed: then the size that it says was never recorded.
TEST(Stretches, OfOtherSizesAreAsThoseOfAllSizes) {
  StretchRecorder recorder;
  recorder.add(0, met(1, 1, 3), Instructions, 1);
  for (int i = 0; i < 3; ++i)
    recorder.add(0, met(1, 1, 4), Instructions, 5);
  GivenStretches given(logsOf(recorder));
  EXPECT_DOUBLE_EQ(given.secondsOf(0, met(1, 1, 3), 0).value(), 1);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, met(1, 1, 9), 0).value(), 4);
  EXPECT_FALSE(given.secondsOf(0, met(1, 2, 3), 0));
}

// Intent: lists of one number may be means, so that they are no sizes of single instances.
TEST(Stretches, VolumesThatAreOneForEachRankTellNothingApart) {
  EXPECT_EQ(sizingOf(nullptr), Sizing::Formula);
  BurstLog log;
  EXPECT_EQ(sizingOf(&log), Sizing::Formula);
  log.volumes = {{{100, 5}}, {}, {{200, 1}}};
  EXPECT_EQ(sizingOf(&log), Sizing::Alike);
  log.volumes[1] = {{100, 5}, {200, 1}};
  EXPECT_EQ(sizingOf(&log), Sizing::Volume);
}

// Intent: what one rank has more of to do is its work, which the rates tell already; it is not a slower rank.
TEST(Stretches, DoNotCountWorkTwice) {
  StretchRecorder recorder;
  for (int i = 0; i < 20; ++i) {
    recorder.add(0, met(), 1000, 3);
    recorder.add(1, met(), 2000, 6);
  }
  const std::vector<StretchLog> logs = logsOf(recorder);
  EXPECT_TRUE(logs[0].chances.moments.empty());
  GivenStretches given(logs);
  double seconds[2] = {};
  for (int i = 0; i < 100; ++i)
    for (uint32_t rank : {0, 1})
      seconds[rank] = given.secondsOf(rank, costing(rank ? 4 : 2), 0).value();
  EXPECT_NEAR(seconds[0], 3, 0.1);
  EXPECT_NEAR(seconds[1], 6, 0.1);
}

// Intent: where nothing is skipped, instructions tell how much work a stretch has.
TEST(Stretches, FollowWhatIsExecuted) {
  StretchRecorder recorder;
  recorder.add(0, met(), 100, 3);
  GivenStretches given(logsOf(recorder));
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 100).value(), 3);
  EXPECT_DOUBLE_EQ(given.secondsOf(0, costing(0), 300).value(), 4.5); // 9 by a mean of 6
}

// Intent: ranks wait for the slowest, so that chance is given too: in its order, as slow moments meet all ranks. It changes
// no sum.
TEST(Stretches, DifferAsTheyDid) {
  StretchRecorder recorder;
  for (int i = 0; i < 1000; ++i)
    recorder.add(i % 2, met(), Instructions, i < 500 ? 1 : 3);
  GivenStretches given(logsOf(recorder));
  double sum = 0;
  int longer = 0;
  for (int i = 0; i < 1000; ++i) {
    const double seconds = given.secondsOf(i % 2, costing(1), 0).value();
    sum += seconds;
    longer += i >= 500 && seconds > 2;
  }
  EXPECT_NEAR(sum, 2000, 40);
  EXPECT_NEAR(longer, 480, 20);
}

// Intent: a stretch whose bursts have no rates is compared by all that it counts, in both runs. (HPCG's report counted 240
// instructions in its one burst and 1.5 million beside it, and was charged nine times its time.)
TEST(Stretches, WhoseBurstsHaveNoRatesFollowAllThatIsCounted) {
  StretchRecorder recorder;
  WholeStretch report = met();
  report.volume = 240;
  recorder.add(0, report, 1500000, 5);
  std::vector<uint32_t> firsts;
  const StretchRecorder::Later bursts[] = {{1, Sizing::Formula}};
  const std::vector<StretchLog> logs = recorder.logs(bursts, firsts);
  EXPECT_DOUBLE_EQ(GivenStretches(logs).secondsOf(0, met(), 1500000).value(), 5);
  EXPECT_NEAR(GivenStretches(logs).secondsOf(0, met(), 3000000).value(), 10, 1);
}

// Intent: seconds by the rates and instructions are no measure of each other.
TEST(Stretches, CompareCostsWithTheirLikeOnly) {
  std::vector<StretchLog> logs(1);
  logs[0].name = met().shape;
  logs[0].seconds = 5;
  logs[0].instructions = 1500000;
  EXPECT_DOUBLE_EQ(GivenStretches(logs).secondsOf(0, costing(1e-3), 7).value(), 5);
  logs[0].cost = 1e-3;
  EXPECT_DOUBLE_EQ(GivenStretches(logs).secondsOf(0, costing(0), 7).value(), 5);
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
  std::vector<Slot> slots(7);
  slots[6].burst = 8;
  slots[6].bucket = 20;
  Stretch part;
  part.shape = 3;
  part.kind = 30;
  part.first = 4;
  part.charged = 1;
  part.known = 2;
  part.volume = 5;
  part.terms = {{6, 10.0, 2}};
  WholeStretch whole;
  whole.add(part, slots);
  part.first = 9;
  whole.add(part, slots);
  EXPECT_EQ(whole.name(5), 6u);
  EXPECT_EQ(whole.kind, 60u);
  EXPECT_EQ(whole.first, 4u);
  EXPECT_DOUBLE_EQ(whole.cost, 6);
  EXPECT_DOUBLE_EQ(whole.volume, 10);
  ASSERT_EQ(whole.kinds.size(), 2u);
  EXPECT_EQ(whole.kinds[1].burst, 9u);
  EXPECT_EQ(whole.kinds[1].bucket, 20u);
  EXPECT_EQ(whole.kinds[1].times, 2u);
  whole.renew();
  EXPECT_EQ(whole.name(5), 5u);
}
