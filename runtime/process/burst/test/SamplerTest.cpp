// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Sampler.h"

#include <deque>
#include <gtest/gtest.h>
#include <optional>

using namespace gnomon::process::burst;

namespace {

using Scope = SamplePolicy::Scope;

/// Ranks and bursts without any clock: an executed instance costs what the test says.
struct Play {
  Sampler sampler;
  std::deque<RankBursts> ranks;
  std::deque<gnomon_burst> records;
  uint32_t entries = 0;

  explicit Play(uint32_t count, SamplePolicy policy = {Scope::Global})
      : sampler(policy, count, 1e9), ranks(count) {
    for (uint32_t i = 0; i < count; ++i) {
      ranks[i].number = i;
      ranks[i].witness = Watches::isWitness(i, count);
    }
  }
  gnomon_burst &burst(uint32_t flags = GNOMON_BURST_SKIPPABLE) {
    records.push_back({});
    records.back().function = "f";
    records.back().flags = flags;
    records.back().flops = -1;
    return records.back();
  }
  /// The cost charged for a skipped instance; below 0: executed, at \p cost.
  double instance(uint32_t rank, gnomon_burst &record, uint64_t work, double cost) {
    Decision decision = sampler.begin(ranks[rank], record, work, entries);
    if (decision.action == Decision::Action::Decide)
      decision = sampler.decide(ranks[rank], record, entries);
    if (decision.action == Decision::Action::Skip)
      return decision.cost;
    if (decision.action == Decision::Action::Measure)
      sampler.executed(ranks[rank], cost, false);
    return -1;
  }
  /// The cost of an instance that is skipped without a thought; nothing: it is none, and nothing has happened.
  std::optional<double> atOnce(uint32_t rank, const gnomon_burst &record, uint64_t work) {
    const auto found = sampler.findAtOnce(ranks[rank], record, work);
    if (!found.entry)
      return std::nullopt;
    if (!found.behindFirst)
      return sampler.skipInFirstPass(ranks[rank], *found.entry, found.slot, work, entries);
    return sampler.skipAtOnce(ranks[rank], *found.entry, found.slot, work, entries);
  }
  /// The rank calls MPI: whatever comes next is a new pass.
  void call() { ++entries; }
  int executedOf(uint32_t rank, gnomon_burst &record, int count, uint64_t work, double cost) {
    int executed = 0;
    for (int i = 0; i < count; ++i) {
      call();
      executed += instance(rank, record, work, cost) < 0;
    }
    return executed;
  }
};

// Intent: without --sample everything is executed.
TEST(Sampler, OffExecutesEverything) {
  Play play(1, {Scope::Off});
  EXPECT_EQ(play.executedOf(0, play.burst(), 500, 100, 1), 500);
  EXPECT_FALSE(play.sampler.anySkipped());
}

// Intent: what is skipped costs the median of what earlier runs charged and of what this one's samples say; the next run
// is told what these say alone.
TEST(Sampler, SkipsAtTheMedianOfEarlierRunsAndThisOne) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  constexpr uint64_t Name = 0xabc, Work = 100;
  const auto bucket = static_cast<uint32_t>(bucketOf(Work));
  const auto warm = static_cast<uint32_t>(Warmth::Warm);
  play.sampler.declare(burst, Name);
  play.sampler.expect({{Name, bucket, warm, {8, 9, 11}}, {Name + 1, bucket, warm, {1, 1, 1}}});
  EXPECT_LT(play.executedOf(0, burst, 50, Work, 1000), 10);
  play.call();
  EXPECT_NEAR(play.instance(0, burst, Work, 1000), 9.5 * Work, 1e-9);
  const std::vector<EarlierRate> found = play.sampler.foundRates();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].burst, Name);
  EXPECT_EQ(found[0].bucket, bucket);
  EXPECT_EQ(found[0].warmth, warm);
  EXPECT_EQ(found[0].costs, std::vector<double>{10});
}

// Intent: a run that is given what bursts cost has nothing to compare.
TEST(Sampler, GivenRatesStayAsTheyAre) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  play.sampler.know(burst, AnyBucket, {7, 7, 7});
  play.sampler.declare(burst, 0xabc);
  play.sampler.expect({{0xabc, static_cast<uint32_t>(bucketOf(100)), 2, {5, 5, 5}}});
  for (int i = 0; i < 5; ++i) {
    play.call();
    EXPECT_NEAR(play.instance(0, burst, 100, 1000), 700, 1e-9);
  }
}

// Intent: the first instance, which makes pages, is no sample of the others; three of those are
// enough when they agree, and a skipped instance costs rate × work.
TEST(Sampler, SkipsAtRateTimesWork) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  EXPECT_LT(play.instance(0, burst, 100, 1000), 0);
  play.call();
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(play.instance(0, burst, 100, 200), 0) << i;
    play.call();
  }
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 110, 0), 220);
  EXPECT_TRUE(play.sampler.anySkipped());
}

// Intent: a sample counts for what it has executed, not for what was said at its begin.
TEST(Sampler, SamplesCountWhatTheyHaveExecuted) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  for (int i = 0; i < 4; ++i) {
    play.call();
    Decision decision = play.sampler.begin(play.ranks[0], burst, 100, play.entries);
    if (decision.action == Decision::Action::Decide)
      decision = play.sampler.decide(play.ranks[0], burst, play.entries);
    ASSERT_EQ(decision.action, Decision::Action::Measure) << i;
    play.sampler.executedUnits(play.ranks[0], 125, true);
    play.sampler.executed(play.ranks[0], 250, false);
  }
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 200);
}

// Intent: what is not to be skipped any more is not.
TEST(Sampler, FlagsMayChange) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  while (play.instance(0, burst, 100, 200) < 0)
    play.call();
  burst.flags &= ~uint32_t{GNOMON_BURST_SKIPPABLE};
  play.sampler.reconsider();
  EXPECT_EQ(play.executedOf(0, burst, 20, 100, 200), 20);
}

// Intent: an instance of which nobody knows what it executes is executed, and teaches no cost.
TEST(Sampler, WhatIsUnknownIsExecuted) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  while (play.instance(0, burst, 100, 200) < 0)
    play.call();
  play.call();
  EXPECT_EQ(play.sampler.beginUnknown(play.ranks[0], burst, 7, play.entries).action,
            Decision::Action::Run);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 110, 0), 220);
}

// Intent: what later runs shall know is learnt while everything is executed, also of bursts that only those may skip.
TEST(Sampler, LearnsForLaterRuns) {
  SamplePolicy policy{Scope::Global};
  policy.learnsOnly = true;
  Play play(2, policy);
  play.sampler.watchCaches();
  gnomon_burst_plan plan{};
  plan.flags = GNOMON_BURST_SKIPPABLE;
  gnomon_burst &decided = play.burst(0), &plain = play.burst(0);
  decided.decided = &plan;
  for (gnomon_burst *burst : {&decided, &plain})
    for (uint32_t rank : {0u, 1u}) {
      EXPECT_EQ(play.executedOf(rank, *burst, 100, 100, 5), 100);
      EXPECT_EQ(play.sampler.watches(play.ranks[rank]), true);
    }
  EXPECT_FALSE(play.sampler.anySkipped());
  EXPECT_FALSE(play.sampler.skips());
  const Entry &entry = play.sampler.entries()[0];
  const Slot &slot = play.sampler.slots()[entry.slots[bucketOf(100)] - 1];
  EXPECT_DOUBLE_EQ(slot.samples[static_cast<size_t>(Warmth::Warm)].rate(), 0.05);
  EXPECT_FALSE(entry.plain);
  EXPECT_TRUE(play.sampler.entries()[1].plain);
}

// Intent: what an earlier run says is known: neither witnesses nor others execute anything for it.
TEST(Sampler, NobodyWatchesForWhatIsKnown) {
  Play play(2, {Scope::Auto});
  play.sampler.watchCaches();
  gnomon_burst &frail = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  gnomon_burst *all[] = {&frail};
  gnomon_burst &burst = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS),
               &plain = play.burst(0);
  burst.frail = all;
  burst.frail_count = burst.frail_waits = 1;
  play.sampler.declare(frail); // it never comes
  play.sampler.knowAll();
  play.sampler.know(burst, AnyBucket, {3.0, 3.0, 2.0});
  for (uint32_t rank : {0u, 1u})
    EXPECT_EQ(play.executedOf(rank, plain, 20, 100, 5), 20);
  for (uint32_t rank : {0u, 1u})
    EXPECT_EQ(play.executedOf(rank, burst, 20, 100, 5), 0);
  EXPECT_FALSE(play.sampler.watching());
}

// Intent: a burst that the pass did not mark is never skipped.
TEST(Sampler, OnlySkippableBurstsAreSkipped) {
  Play play(1);
  EXPECT_EQ(play.executedOf(0, play.burst(0), 300, 100, 1), 300);
}

// Intent: buckets of work are estimated apart, because small instances have another rate.
TEST(Sampler, BucketsAreApart) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  EXPECT_EQ(play.executedOf(0, burst, 10, 64, 64), 4);
  EXPECT_EQ(play.executedOf(0, burst, 10, 1024, 9000), 4);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 64, 0), 64);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 1024, 0), 9000);
}

// Intent: with one sample of its own that agrees, a bucket borrows from its neighbour; R is that of
// all these samples. One that disagrees does not borrow.
TEST(Sampler, BucketsBorrowWhenRatesAgree) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  play.executedOf(0, burst, 4, 100, 200); // bucket of 64…127: three samples at 2
  play.call();
  play.instance(0, burst, 200, 1000); // first
  play.call();
  EXPECT_LT(play.instance(0, burst, 200, 404), 0); // rate 2.02
  play.call();
  // (3 × 200 + 404) / (3 × 100 + 200)
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 200, 0), 200 * 1004.0 / 500);
  // Bucket of 32…63 at rate 3: three samples of its own.
  EXPECT_EQ(play.executedOf(0, burst, 9, 50, 150), 4);
}

// Intent: iterations of the first pass may each touch new memory: a kind of their own.
TEST(Sampler, FirstPassOfIterationsIsCold) {
  Play play(1);
  gnomon_burst &burst = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_ITERATION);
  int executed = 0;
  for (int i = 0; i < 20; ++i)
    executed += play.instance(0, burst, 100, i == 0 ? 900 : 500) < 0;
  EXPECT_EQ(executed, 4); // the first, and three at 500
  play.call();
  executed = 0;
  double last = 0;
  for (int i = 0; i < 20; ++i) {
    last = play.instance(0, burst, 100, 300);
    executed += last < 0;
  }
  EXPECT_EQ(executed, 3);
  EXPECT_DOUBLE_EQ(last, 300);
}

/// Steps of two bursts and a call, on a rank that watches.
struct Steps : Play {
  gnomon_burst &a, &b;
  static constexpr double CostA = 1e-3, CostB = 2e-3;
  uint32_t equalWork = 0; ///< the number of the steps' work

  explicit Steps(uint32_t flags = GNOMON_BURST_SKIPPABLE) : Play(1), a(burst(flags)), b(burst()) {
    sampler.watchCaches();
  }
  /// Returns what was charged for both; below 0: something was executed. \p took: what the clock
  /// says of the step when it was, \p rest: when it was not.
  double step(double took, double rest = 0) {
    const double first = instance(0, a, 100, CostA);
    const double second = instance(0, b, 200, CostB);
    call();
    const bool executed = first < 0 || second < 0;
    ranks[0].stretch.equalWork = equalWork;
    const double more = sampler.stretchEnded(ranks[0], executed ? took : rest);
    return executed ? -1 : first + second + more;
  }
  /// Steps until nothing is executed.
  int learn(double took, double rest = 0) {
    int steps = 0;
    while (steps < 1000 && step(took, rest) < 0)
      ++steps;
    return steps;
  }
};

// Intent: a rank executes whole steps until it has learnt enough and watched 0.1 s; what is charged
// then is what the clock said of steps without samples, not what the samples said; and what the
// clock says of skipped steps, the code between bursts, is taken out of that.
TEST(Sampler, WatchesWholeSteps) {
  Steps steps;
  const int learnt = steps.learn(4.5e-3, 0.3e-3);
  EXPECT_GT(learnt, 0.1 / 3e-3);
  EXPECT_LT(learnt, 100);
  EXPECT_EQ(steps.sampler.entries()[0].executed, steps.sampler.entries()[1].executed);
  EXPECT_NEAR(steps.step(4.5e-3, 0.3e-3), 4.2e-3, 1e-9);
}

// Intent: what stretches of equal work tell is the median over runs already; what samples of earlier runs said would be
// counted beside it, for one burst of the stretch and not for the other. Other stretches are this run's alone.
TEST(Sampler, EarlierRatesDoNotMoveWhatStretchesOfEqualWorkTell) {
  for (uint32_t equalWork : {0, 7}) {
    Steps steps;
    constexpr uint64_t Name = 0xabc;
    const auto warm = static_cast<uint32_t>(Warmth::Warm);
    steps.sampler.declare(steps.a, Name);
    const double rate = 1.9 * Steps::CostA / 100;
    steps.sampler.expect({{Name, static_cast<uint32_t>(bucketOf(100)), warm, {rate, rate, rate}}});
    steps.equalWork = equalWork;
    EXPECT_LT(steps.learn(4.5e-3), 100);
    if (equalWork)
      EXPECT_NEAR(steps.step(4.5e-3), 4.5e-3, 1e-9);
    else
      EXPECT_NEAR(steps.step(4.5e-3), 4.5e-3 + 0.4e-3, 1e-6);
  }
}

// Intent: a kind that appears later is watched again, and not measured before the caches have
// forgotten what was skipped (twice in a row at most).
TEST(Sampler, SamplesStandClearOfSkippedOnes) {
  Steps steps;
  steps.learn(3e-3);
  gnomon_burst &late = steps.burst();
  const uint64_t before = steps.sampler.entries()[0].executed;
  steps.instance(0, late, 10, 1e-6);
  EXPECT_EQ(steps.sampler.entries()[2].measured, 0u);
  EXPECT_LT(steps.step(3e-3), 0); // the rank watches: its neighbours are executed, for 3 ms
  EXPECT_EQ(steps.sampler.entries()[0].executed, before + 1);
  steps.instance(0, late, 10, 1e-6);
  EXPECT_EQ(steps.sampler.entries()[2].measured, 1u);
}

// Intent: of what is executed anyway, all that is not disturbed by it is measured: samples of one
// moment would say what the core did in that moment.
TEST(Sampler, WatchingRanksMeasureMoments) {
  Steps steps;
  gnomon_burst &brief = steps.burst();
  int learnt = 0;
  do
    steps.instance(0, brief, 100, 1e-5);
  while (steps.step(3e-3) < 0 && ++learnt < 1000);
  const auto samplesOf = [&](size_t burst) {
    const Entry &entry = steps.sampler.entries()[burst];
    const Slot &slot = steps.sampler.slots()[entry.slots[bucketOf(100)] - 1];
    return slot.samples[static_cast<size_t>(Warmth::Warm)].count();
  };
  ASSERT_EQ(steps.sampler.entries()[0].record, &brief);
  EXPECT_GE(learnt, 30);
  EXPECT_LE(samplesOf(0), 12u);
  EXPECT_GE(samplesOf(1), 20u);
}

// Intent: in a long loop of one burst nothing else is met that could be disturbed: a rank that
// watches skips what is left of it.
TEST(Sampler, LongPassesEndEarly) {
  Play play(1);
  play.sampler.watchCaches();
  gnomon_burst &burst = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_ITERATION);
  int executed = 0;
  for (int i = 0; i < 1000; ++i)
    executed += play.instance(0, burst, 100, 1e-3) < 0;
  EXPECT_GE(executed, 5);
  EXPECT_LE(executed, 12);
}

// Intent: what the user said costs is never executed for the sake of its neighbours.
TEST(Sampler, UsersCostsAreNotWatched) {
  Steps steps;
  gnomon_burst &never = steps.burst();
  never.flops = 1e6;
  for (int i = 0; i < 20; ++i) {
    EXPECT_DOUBLE_EQ(steps.instance(0, never, 5, 1), 1e-3);
    EXPECT_LT(steps.step(3e-3), 0);
  }
}

// Intent: nothing that weakens frail bursts is skipped while some rank watches.
TEST(Sampler, WeakeningWaitsForWatchers) {
  Steps steps(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  for (int i = 0; i < 20; ++i)
    steps.step(3e-3);
  EXPECT_FALSE(steps.sampler.entries()[0].open);
  steps.learn(3e-3);
  EXPECT_TRUE(steps.sampler.entries()[0].open);
}

// Intent: where costs are instructions no caches matter: nobody watches.
TEST(Sampler, CountedCostsNeedNoWatch) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  EXPECT_EQ(play.executedOf(0, burst, 50, 100, 1), 4);
}

// Intent: where a first instance hardly makes pages, it is a sample like all others, and three
// ranks that execute a burst once are enough for the fourth.
TEST(Sampler, LightFirstInstancesAreLikeOthers) {
  Play play(16, {Scope::Global});
  gnomon_burst &burst =
      play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL | GNOMON_BURST_WEAKENS);
  for (uint32_t rank = 0; rank < 16; ++rank) {
    Decision decision = play.sampler.begin(play.ranks[rank], burst, 100, 0);
    if (decision.action == Decision::Action::Decide)
      decision = play.sampler.decide(play.ranks[rank], burst, 0);
    EXPECT_EQ(decision.action == Decision::Action::Skip, rank >= 3) << rank;
    if (decision.action == Decision::Action::Measure)
      play.sampler.executed(play.ranks[rank], 50, false, true);
  }
}

// Intent: that a small first instance makes no pages says nothing of a large one, whose first is no sample of the others.
TEST(Sampler, LightIsEachSizeByItself) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  const auto execute = [&](uint64_t work, double cost, bool light) {
    play.call();
    Decision decision = play.sampler.begin(play.ranks[0], burst, work, play.entries);
    if (decision.action == Decision::Action::Decide)
      decision = play.sampler.decide(play.ranks[0], burst, play.entries);
    ASSERT_EQ(decision.action, Decision::Action::Measure) << work << " " << cost;
    play.sampler.executed(play.ranks[0], cost, false, light);
  };
  execute(4, 1, true);
  execute(100, 1000, false);
  for (int i = 0; i < 3; ++i)
    execute(100, 200, true);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 200);
}

/// What two ranks are charged for a unit of work that costs them 1 and \p second, and whether each is sampled by itself.
struct TwoRanks {
  double first, second;
  bool local;
};
TwoRanks chargeTwo(SamplePolicy::Scope scope, double second, double evenOut) {
  Play play(2, {scope});
  play.sampler.evenOut(evenOut);
  gnomon_burst &burst = play.burst();
  for (int i = 0; i < 40; ++i)
    for (uint32_t rank = 0; rank < 2; ++rank) {
      play.call();
      play.instance(rank, burst, 100, rank == 0 ? 100 : 100 * second);
    }
  play.call();
  const double firstCost = play.instance(0, burst, 100, 0);
  play.call();
  return {firstCost / 100, play.instance(1, burst, 100, 0) / 100, play.sampler.entries()[0].local};
}

// Intent: ranks that the host's chance tells apart are charged alike, as they are where they execute all; others are not,
// nor where the user asks for each rank's own.
TEST(Sampler, RanksThatDifferLittleAreChargedAlike) {
  const TwoRanks own = chargeTwo(Scope::Auto, 1.16, 0);
  ASSERT_TRUE(own.local);
  EXPECT_NEAR(own.second / own.first, 1.16, 1e-9);
  const TwoRanks even = chargeTwo(Scope::Auto, 1.16, 0.15);
  EXPECT_TRUE(even.local);
  EXPECT_NEAR(even.second / even.first, 1, 0.03); // the mean of more samples for who comes later
  const TwoRanks far = chargeTwo(Scope::Auto, 1.6, 0.15);
  EXPECT_NEAR(far.second / far.first, 1.6, 1e-9);
  const TwoRanks asked = chargeTwo(Scope::Local, 1.16, 0.15);
  EXPECT_NEAR(asked.second / asked.first, 1.16, 1e-9);
}

// Intent: `local` samples on each rank, and charges each rank its own rate.
TEST(Sampler, LocalIsPerRank) {
  Play play(2, {Scope::Local});
  gnomon_burst &burst = play.burst();
  EXPECT_EQ(play.executedOf(0, burst, 20, 100, 100), 4);
  EXPECT_EQ(play.executedOf(1, burst, 20, 100, 700), 4);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 100);
  EXPECT_DOUBLE_EQ(play.instance(1, burst, 100, 0), 700);
}

// Intent: `global` needs no sample of a rank of its own, first instances included.
TEST(Sampler, GlobalServesAllRanks) {
  Play play(8, {Scope::Global});
  gnomon_burst &burst = play.burst();
  for (uint32_t rank = 0; rank < 3; ++rank)
    play.executedOf(rank, burst, 4, 100, 100);
  for (uint32_t rank = 3; rank < 8; ++rank)
    EXPECT_EQ(play.executedOf(rank, burst, 4, 100, 100), 0) << rank;
}

// Intent: under `auto` up to eight ranks, spread over all, are witnesses that sample once
// themselves; where they agree, the others never execute.
TEST(Sampler, AutoAsksWitnesses) {
  Play play(64, {Scope::Auto});
  gnomon_burst &burst = play.burst();
  int witnesses = 0;
  for (uint32_t rank = 0; rank < 64; ++rank) {
    const bool witness = Watches::isWitness(rank, 64);
    witnesses += witness;
    const int executed = play.executedOf(rank, burst, 10, 100, 100);
    if (rank >= 20)                                 // by then there are samples enough
      EXPECT_EQ(executed, witness ? 2 : 0) << rank; // a first one, a warm one
  }
  EXPECT_EQ(witnesses, 8);
  EXPECT_TRUE(Watches::isWitness(0, 64));
  EXPECT_TRUE(Watches::isWitness(63, 64));
  EXPECT_TRUE(Watches::isWitness(0, 1));
  EXPECT_TRUE(Watches::isWitness(1, 2));
}

// Intent: where the ranks' rates differ by more than twice the error asked for, `auto` samples per
// rank from then on.
TEST(Sampler, AutoGoesLocalWhenRanksDisagree) {
  Play play(2, {Scope::Auto});
  gnomon_burst &burst = play.burst();
  // Rank 1 is 1.5 times as slow; the two take turns.
  for (int i = 0; i < 300; ++i)
    for (uint32_t rank = 0; rank < 2; ++rank) {
      play.call();
      play.instance(rank, burst, 100, rank ? 150 : 100);
    }
  EXPECT_TRUE(play.sampler.entries()[0].local);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 100);
  EXPECT_DOUBLE_EQ(play.instance(1, burst, 100, 0), 150);
}

// Intent: a phase counts when every rank has entered it or ended, not before.
TEST(Sampler, PhasesOpenWhenAllRanksHaveEntered) {
  Play play(3);
  gnomon_burst &burst = play.burst();
  burst.phase = 2;
  EXPECT_EQ(play.executedOf(0, burst, 50, 100, 1), 50);
  play.sampler.enterPhase(play.ranks[0], 2); // passes 1 as well
  play.sampler.enterPhase(play.ranks[1], 1);
  EXPECT_EQ(play.executedOf(0, burst, 5, 100, 1), 5);
  play.sampler.rankEnded(play.ranks[2]);
  EXPECT_EQ(play.executedOf(0, burst, 5, 100, 1), 5);
  play.sampler.enterPhase(play.ranks[1], 2);
  EXPECT_EQ(play.executedOf(0, burst, 5, 100, 1), 0);
}

// Intent: a rank that ended before a phase was first heard of has passed it too.
TEST(Sampler, EndedRanksHavePassedLaterPhases) {
  Play play(2);
  gnomon_burst &burst = play.burst();
  burst.phase = 5;
  play.sampler.rankEnded(play.ranks[1]);
  EXPECT_EQ(play.executedOf(0, burst, 20, 100, 1), 20);
  play.sampler.enterPhase(play.ranks[0], 5);
  EXPECT_EQ(play.executedOf(0, burst, 5, 100, 1), 0);
}

// Intent: a burst that weakens another waits for the frail one's samples; once it has been
// skipped, the frail one is never executed again.
TEST(Sampler, WeakeningWaitsForTheFrail) {
  Play play(1);
  gnomon_burst &weakens = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  gnomon_burst &frail = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  play.sampler.declare(frail);
  EXPECT_EQ(play.executedOf(0, weakens, 8, 100, 1), 8); // no sample of the frail one yet
  EXPECT_EQ(play.executedOf(0, frail, 4, 100, 7), 4);
  EXPECT_EQ(play.executedOf(0, weakens, 3, 100, 1), 0);
  EXPECT_EQ(play.executedOf(0, frail, 3, 100, 7), 0);
  // Another size, of which nothing is known: skipped at the burst's own rate, and said.
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, frail, 10000, 0), 10000 * (7.0 / 100));
  EXPECT_EQ(play.sampler.guessed(), 1u);
}

// Intent: a list of the record says whom a burst weakens: others are executed as before; it waits
// for the samples of the first frail_waits only.
TEST(Sampler, ListsOfTheFrail) {
  Play play(1);
  gnomon_burst &weakens = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  gnomon_burst &before = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  gnomon_burst &later = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  gnomon_burst &other = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  gnomon_burst *list[] = {&before, &later};
  weakens.frail = list;
  weakens.frail_waits = 1;
  weakens.frail_count = 2;
  EXPECT_EQ(play.executedOf(0, weakens, 8, 100, 1), 8);
  play.executedOf(0, before, 4, 100, 7);
  EXPECT_EQ(play.executedOf(0, weakens, 3, 100, 1), 0);
  EXPECT_EQ(play.executedOf(0, later, 3, 100, 7), 0);
  EXPECT_EQ(play.sampler.guessed(), 3u);
  EXPECT_EQ(play.executedOf(0, other, 3, 100, 7), 3);
}

// Intent: a frail burst that is never met does not hold the others up for ever.
TEST(Sampler, PatienceEnds) {
  Play play(2);
  gnomon_burst &weakens = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  gnomon_burst &frail = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  play.sampler.declare(frail);
  int executed = play.executedOf(0, weakens, 400, 100, 1);
  EXPECT_GE(executed, 50);
  EXPECT_LE(executed, 101);
  // It is charged though it was never seen: at the mean rate of all, 1 for 100.
  EXPECT_DOUBLE_EQ(play.instance(0, frail, 50, 0), 0.5);
}

// Intent: nor does it hold up one long loop, in which nothing else can be met.
TEST(Sampler, PatienceEndsInALongPass) {
  Play play(1);
  gnomon_burst &weakens = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  play.sampler.declare(play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL));
  int executed = 0;
  for (int i = 0; i < 11000; ++i)
    executed += play.instance(0, weakens, 100, 1) < 0;
  // It looks at every 64th instance only by then.
  EXPECT_NEAR(executed, 10000, 64);
}

// Intent: a frail burst of a later phase can neither be executed safely nor skipped: nothing that
// weakens it is skipped before.
TEST(Sampler, FrailOfALaterPhaseHoldsUp) {
  Play play(1);
  gnomon_burst &weakens = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS);
  gnomon_burst &frail = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL);
  frail.phase = 1;
  gnomon_burst *const list[] = {&frail};
  weakens.frail = list;
  weakens.frail_count = 1;
  play.sampler.declare(frail);
  play.executedOf(0, frail, 10, 100, 1);
  EXPECT_EQ(play.executedOf(0, weakens, 200, 100, 1), 200);
  play.sampler.enterPhase(play.ranks[0], 1);
  EXPECT_EQ(play.executedOf(0, weakens, 10, 100, 1), 0);
}

// Intent: the user's flops are the cost, whatever the work; 0 samples: never executed; n: n times.
TEST(Sampler, UsersCosts) {
  Play play(1); // 1e9 flop for a unit of cost
  gnomon_burst &never = play.burst();
  never.flops = 3e9;
  EXPECT_DOUBLE_EQ(play.instance(0, never, 0, 9), 3);
  EXPECT_DOUBLE_EQ(play.instance(0, never, 77, 9), 3);
  gnomon_burst &twice = play.burst();
  twice.flops = 2e9;
  twice.samples = 2;
  EXPECT_EQ(play.executedOf(0, twice, 20, 0, 9), 3); // a first one, two of the others
  EXPECT_DOUBLE_EQ(play.instance(0, twice, 0, 9), 2);
}

// Intent: the user's number of samples holds, however they spread.
TEST(Sampler, UsersSamples) {
  Play play(1);
  gnomon_burst &burst = play.burst();
  burst.samples = 5;
  int executed = 0;
  for (int i = 0; i < 50; ++i) {
    play.call();
    executed += play.instance(0, burst, 100, 1 + i % 7) < 0;
  }
  EXPECT_EQ(executed, 6);
}

// Intent: LOCAL and GLOBAL of a record win over --sample.
TEST(Sampler, RecordsChooseTheirScope) {
  Play play(2, {Scope::Global});
  gnomon_burst &local = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_LOCAL);
  play.executedOf(0, local, 20, 100, 1);
  EXPECT_EQ(play.executedOf(1, local, 20, 100, 1), 4);
  Play other(2, {Scope::Local});
  gnomon_burst &global = other.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_GLOBAL);
  other.executedOf(0, global, 20, 100, 1);
  EXPECT_LE(other.executedOf(1, global, 20, 100, 1), 1);
}

// Intent: rates of an earlier run need no samples; a bucket of its own comes first.
TEST(Sampler, KnownRates) {
  Play play(4, {Scope::Auto});
  gnomon_burst &burst = play.burst();
  play.sampler.know(burst, AnyBucket, {2, 2, 2});
  play.sampler.know(burst, 7, {5, 4, 3});
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 1000, 0), 2000);
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 500);
  play.call();
  EXPECT_DOUBLE_EQ(play.instance(0, burst, 100, 0), 300);
}

// Intent: where nothing costs time, whatever may be skipped is, at once and at no cost.
TEST(Sampler, CostNothing) {
  Play play(2, {Scope::Auto});
  play.sampler.costNothing();
  EXPECT_DOUBLE_EQ(play.instance(0, play.burst(), 100, 0), 0);
  EXPECT_LT(play.instance(0, play.burst(0), 100, 0), 0);
}

} // namespace

// Intent: an instance is skipped at once when nothing is left to decide; else nothing has happened to the rank.
TEST(Sampler, SkipsAtOnceOnlyWhereNothingIsOwed) {
  Play play(64, {Scope::Auto});
  gnomon_burst &burst = play.burst();
  auto skipsAtOnce = [&](uint32_t rank, uint64_t work) { return play.atOnce(rank, burst, work); };
  EXPECT_FALSE(skipsAtOnce(1, 100)); // nobody has met it
  EXPECT_EQ(play.ranks[1].pass, 0U);
  play.executedOf(1, burst, 10, 100, 200);
  EXPECT_DOUBLE_EQ(skipsAtOnce(1, 110).value(), 220);
  const uint32_t pass = play.ranks[1].pass;
  EXPECT_FALSE(skipsAtOnce(1, 1000)); // another bucket
  EXPECT_EQ(play.ranks[1].pass, pass);
  EXPECT_FALSE(skipsAtOnce(2, 100)); // a rank's first instance, of which no rate is known
  EXPECT_EQ(play.ranks[2].pass, 0U);
  // A witness owes a sample of its own of its second instance, too.
  ASSERT_TRUE(Watches::isWitness(0, 64));
  EXPECT_EQ(play.executedOf(0, burst, 1, 100, 200), 1);
  play.call();
  EXPECT_LT(play.instance(0, burst, 100, 200), 0);
  play.call();
  EXPECT_TRUE(skipsAtOnce(0, 100));
}

// Intent: slots of which a rank has no bit are told apart as the first ones are.
TEST(Sampler, SkipsAtOnceInManySlots) {
  Play play(1);
  for (int i = 0; i < 300; ++i) {
    gnomon_burst &burst = play.burst();
    play.sampler.know(burst, AnyBucket, {Rate(2), Rate(2), Rate(3)});
    play.call();
    EXPECT_FALSE(play.atOnce(0, burst, 100)) << i;
    EXPECT_EQ(play.instance(0, burst, 100, 0), 200) << i;
    for (int more = 0; more < 3; ++more) {
      play.call();
      EXPECT_EQ(play.atOnce(0, burst, 100), 300) << i;
    }
  }
}

// Intent: a rank's first pass is skipped at once, too, at the rates of its warmths: the first instance, further
// iterations of the pass, and those of the next one.
TEST(Sampler, SkipsAtOnceInTheFirstPass) {
  Play play(2);
  gnomon_burst &burst = play.burst(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_ITERATION);
  play.sampler.know(burst, AnyBucket, {Rate(5), Rate(4), Rate(3)});
  play.call();
  EXPECT_EQ(play.instance(0, burst, 100, 0), 500); // makes the slot
  // The other rank has not met the burst, and knows no slots: that is still to be thought of.
  EXPECT_FALSE(play.atOnce(1, burst, 100));
  for (int iteration = 0; iteration < 3; ++iteration)
    EXPECT_EQ(play.atOnce(0, burst, 100), 400);
  play.call();
  for (int iteration = 0; iteration < 3; ++iteration)
    EXPECT_EQ(play.atOnce(0, burst, 100), 300);
  EXPECT_EQ(play.ranks[0].pass, 2U);
  EXPECT_EQ(play.instance(1, burst, 100, 0), 500);
  EXPECT_EQ(play.atOnce(1, burst, 100), 400);
}
