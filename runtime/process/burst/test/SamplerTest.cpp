// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Sampler.h"

#include <deque>
#include <gtest/gtest.h>

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
      ranks[i].witness = Sampler::isWitness(i, count);
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

// Intent: no sample is taken right behind a skipped instance, where the caches are not as they are
// in the program; the burst before is executed while the one behind it needs samples.
TEST(Sampler, BurstsBeforeAreExecutedForSamples) {
  Play play(1);
  gnomon_burst &before = play.burst(), &behind = play.burst();
  int beforeExecuted = 0, behindExecuted = 0;
  for (int i = 0; i < 60; ++i) {
    play.call();
    const bool skipped = play.instance(0, before, 100, 100) >= 0;
    beforeExecuted += !skipped;
    // It costs twice as much where the caches are cold, and spreads: 20 samples and more.
    const double cost = (i % 2 ? 120 : 80) * (skipped ? 2 : 1);
    behindExecuted += play.instance(0, behind, 100, cost) < 0;
  }
  const double rate = play.sampler.slots()[1].rate[static_cast<size_t>(Warmth::Warm)];
  EXPECT_NEAR(rate, 1, 0.05);
  EXPECT_GE(behindExecuted, 17);
  EXPECT_NEAR(beforeExecuted, behindExecuted, 2);
  EXPECT_LT(behindExecuted, 30);
}

// Intent: a burst that always runs is never skipped by its samples, so nothing is executed to feed
// it.
TEST(Sampler, NothingFeedsWhatAlwaysRuns) {
  Play play(1);
  gnomon_burst &before = play.burst(), &behind = play.burst(0);
  int executed = 0;
  for (int i = 0; i < 60; ++i) {
    play.call();
    executed += play.instance(0, before, 100, 100) < 0;
    play.instance(0, behind, 100, i % 2 ? 120 : 80);
  }
  EXPECT_EQ(executed, 4);
}

// Intent: a call of the runtime in between lets other ranks run: whatever was before it is no
// matter.
TEST(Sampler, NothingFeedsAcrossCalls) {
  Play play(1);
  gnomon_burst &before = play.burst(), &behind = play.burst();
  int executed = 0;
  for (int i = 0; i < 60; ++i) {
    play.call();
    executed += play.instance(0, before, 100, 100) < 0;
    play.call();
    play.instance(0, behind, 100, i % 2 ? 120 : 80);
  }
  EXPECT_EQ(executed, 4);
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
    const bool witness = Sampler::isWitness(rank, 64);
    witnesses += witness;
    const int executed = play.executedOf(rank, burst, 10, 100, 100);
    if (rank >= 20)                                 // by then there are samples enough
      EXPECT_EQ(executed, witness ? 2 : 0) << rank; // a first one, a warm one
  }
  EXPECT_EQ(witnesses, 8);
  EXPECT_TRUE(Sampler::isWitness(0, 64));
  EXPECT_TRUE(Sampler::isWitness(63, 64));
  EXPECT_TRUE(Sampler::isWitness(0, 1));
  EXPECT_TRUE(Sampler::isWitness(1, 2));
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
  play.sampler.know(burst, Sampler::AnyBucket, {2, 2, 2});
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
