// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Openings.h"

#include "process/burst/Tuning.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

/// Two bursts: one that weakens the other, which has no samples. By number, for entries move.
struct Pair {
  Rates rates;
  Openings openings{true, 2};
  gnomon_burst records[2] = {};
  RankBursts ranks[2];

  Pair() {
    records[0].flags = GNOMON_BURST_SKIPPABLE | GNOMON_BURST_WEAKENS;
    records[1].flags = GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL;
    for (gnomon_burst &record : records) {
      Entry entry;
      entry.record = &record;
      entry.weakens = entry.toWeaken = record.flags & GNOMON_BURST_WEAKENS;
      rates.add(entry);
    }
    openings.updateAll(rates);
  }
  Entry &weakening() { return rates.entries()[0]; }
  Entry &frail() { return rates.entries()[1]; }
};

// Intent: a burst that weakens others waits for their samples, in the end no longer.
TEST(Openings, PatienceWithTheFrail) {
  Pair pair;
  EXPECT_FALSE(pair.weakening().open);
  EXPECT_TRUE(pair.frail().open);
  pair.openings.lookAgain(pair.ranks[0], pair.weakening(), pair.rates);
  EXPECT_FALSE(pair.weakening().open);
  pair.weakening().passes = 1000;
  pair.openings.lookAgain(pair.ranks[0], pair.weakening(), pair.rates);
  EXPECT_TRUE(pair.weakening().open);
}

// Intent: those that a burst's list has coming first are waited for, with the same patience whether
// they have been met or not; the rest of the list is not waited for.
TEST(Openings, PatienceWithTheListed) {
  for (const uint32_t waits : {0u, 1u})
    for (const bool met : {false, true}) {
      Pair pair;
      gnomon_burst *list[] = {&pair.records[1]};
      pair.records[0].frail = list;
      pair.records[0].frail_count = 1;
      pair.records[0].frail_waits = waits;
      pair.frail().executed = met;
      pair.openings.updateAll(pair.rates);
      EXPECT_EQ(pair.weakening().open, waits == 0) << met;
      pair.weakening().passes = PatiencePasses * 2; // of two ranks
      pair.openings.lookAgain(pair.ranks[0], pair.weakening(), pair.rates);
      EXPECT_TRUE(pair.weakening().open) << met;
    }
}

// Intent: one that an earlier run has not met is not waited for, until it comes.
TEST(Openings, NobodyWaitsForTheUnexpected) {
  Pair pair;
  pair.frail().expected = false;
  pair.openings.updateAll(pair.rates);
  EXPECT_TRUE(pair.weakening().open);
  pair.frail().executed = 1;
  pair.openings.updateAll(pair.rates);
  EXPECT_FALSE(pair.weakening().open);
}

// Intent: once an instance that weakens others has been skipped, they are frozen.
TEST(Openings, TheWeakenedAreFrozen) {
  Pair pair;
  EXPECT_FALSE(pair.openings.isFrozen(pair.frail()));
  pair.openings.weaken(pair.weakening());
  EXPECT_TRUE(pair.openings.isFrozen(pair.frail()));
  EXPECT_FALSE(pair.openings.isFrozen(pair.weakening()));
}

// Intent: while held, nothing is skipped but what the user forces.
TEST(Openings, NothingIsOpenWhileHeld) {
  Pair pair;
  pair.records[0].flags |= GNOMON_BURST_FORCED;
  pair.rates.costNothing();
  pair.openings.hold(true, pair.rates);
  EXPECT_TRUE(pair.weakening().open);
  EXPECT_FALSE(pair.frail().open);
  pair.openings.hold(false, pair.rates);
  EXPECT_TRUE(pair.frail().open);
}

// Intent: while a rank watches, nothing that weakens others is skipped.
TEST(Openings, WatchersHoldUpWeakening) {
  Pair pair;
  pair.rates.costNothing();
  pair.openings.updateAll(pair.rates);
  EXPECT_TRUE(pair.weakening().open);
  pair.openings.setWatching(true, pair.rates);
  EXPECT_FALSE(pair.weakening().open);
  EXPECT_TRUE(pair.frail().open);
  pair.openings.setWatching(false, pair.rates);
  EXPECT_TRUE(pair.weakening().open);
}

// Intent: a phase is reached when all ranks have entered it or ended, and again when ranks come.
TEST(Openings, PhasesAreReachedByAll) {
  Pair pair;
  pair.records[1].phase = 2;
  pair.openings.updateAll(pair.rates);
  EXPECT_FALSE(pair.frail().open);
  pair.openings.enterPhase(pair.ranks[0], 2, pair.rates);
  EXPECT_EQ(pair.openings.reachedPhase(), 0u);
  pair.openings.rankEnded(pair.ranks[1], pair.rates);
  EXPECT_EQ(pair.openings.reachedPhase(), 2u);
  EXPECT_TRUE(pair.frail().open);
  pair.openings.setRanks(3, pair.rates);
  EXPECT_FALSE(pair.frail().open);
}

// Intent: a phase with a condition is reached where that holds on all ranks, seen once all are in the phase before.
TEST(Openings, ConditionsCountInTheirPhase) {
  Pair pair;
  pair.records[1].phase = 2;
  pair.openings.enterPhaseWhere(pair.ranks[0], 2, pair.rates); // too early: it may still change
  for (RankBursts &rank : pair.ranks)
    pair.openings.enterPhase(rank, 1, pair.rates);
  EXPECT_EQ(pair.openings.reachedPhase(), 1u);
  pair.openings.enterPhaseWhere(pair.ranks[1], 2, pair.rates);
  EXPECT_FALSE(pair.frail().open); // on one of them
  pair.openings.enterPhaseWhere(pair.ranks[0], 2, pair.rates);
  EXPECT_TRUE(pair.frail().open);
}

// Intent: a rank on which a condition does not hold comes to the next phase all the same.
TEST(Openings, PhasesBehindAConditionAreReached) {
  Pair pair;
  for (RankBursts &rank : pair.ranks)
    pair.openings.enterPhase(rank, 3, pair.rates);
  EXPECT_EQ(pair.openings.reachedPhase(), 3u);
  EXPECT_TRUE(pair.openings.isPassedOver(2));
  EXPECT_FALSE(pair.openings.isPassedOver(3));
}

// Intent: who weakens all others weakens none of a later phase, which always run before it: it waits for none of them, nor
// are they frozen.
TEST(Openings, LaterPhasesAreNotWeakened) {
  Pair pair;
  pair.rates.costNothing();
  pair.records[1].phase = 1;
  pair.openings.updateAll(pair.rates);
  EXPECT_TRUE(pair.weakening().open);
  pair.openings.weaken(pair.weakening());
  EXPECT_FALSE(pair.openings.isFrozen(pair.frail()));
  pair.records[1].phase = 0;
  EXPECT_TRUE(pair.openings.isFrozen(pair.frail()));
}

// Intent: once memory is folded that an unsafe burst needs, no instance of it is executed from its phase on; before, all are.
TEST(Openings, UnsafeBurstsAreExecutedNoMore) {
  Pair pair;
  pair.records[1].flags = GNOMON_BURST_SKIPPABLE | GNOMON_BURST_UNSAFE;
  pair.records[1].phase = 1;
  pair.openings.freezeUnsafe();
  EXPECT_FALSE(pair.openings.isFrozen(pair.frail()));
  for (RankBursts &rank : pair.ranks)
    pair.openings.enterPhase(rank, 1, pair.rates);
  EXPECT_TRUE(pair.openings.isFrozen(pair.frail()));
  EXPECT_FALSE(pair.openings.isFrozen(pair.weakening()));
}

// Intent: while samples of an unsafe burst are wanted, or it may not be skipped yet, the memory that it needs stays.
TEST(Openings, UnsafeBurstsAreWaitedFor) {
  Pair pair;
  EXPECT_TRUE(pair.openings.unsafeAreKnown(pair.rates));
  pair.records[1].flags = GNOMON_BURST_SKIPPABLE | GNOMON_BURST_UNSAFE;
  pair.frail().executed = 1;
  EXPECT_FALSE(pair.openings.unsafeAreKnown(pair.rates));
  pair.frail().executed = 0;
  pair.records[1].phase = 1;
  EXPECT_FALSE(pair.openings.unsafeAreKnown(pair.rates));
  pair.frail().fixedRate = 1e-9;
  EXPECT_TRUE(pair.openings.unsafeAreKnown(pair.rates));
}

} // namespace
