// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Rates.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr auto Warm = static_cast<size_t>(Warmth::Warm);

/// One burst that is asked for three samples, and a rank that executes it.
struct Table {
  Rates rates;
  RankBursts rank;
  gnomon_burst record{};

  Entry &add() {
    record.flags = GNOMON_BURST_SKIPPABLE;
    Entry entry;
    entry.record = &record;
    entry.policy = {SamplePolicy::Scope::Global};
    return rates.add(entry);
  }
  void sample(Entry &entry, uint64_t work, double cost) {
    rank.work = work;
    rank.slot = rates.slotOf(entry, bucketOf(work));
    rank.slots.resize(rates.slots().size());
    rates.measured(rank, entry, cost, false);
    const Sample sample{cost, unitsOf(work), 0, false};
    rates.keep(rank, entry, sample, Warm);
    rates.learn(rank, entry, sample, Warm);
  }
  Rate rate() const { return rates.slots()[rank.slot].rate[Warm]; }
};

// Intent: a rate is unknown until there are samples enough; then it is theirs.
TEST(Rates, KnownWithEnoughSamples) {
  Table table;
  Entry &entry = table.add();
  for (int i = 0; i < 2; ++i) {
    table.sample(entry, 100, 50);
    EXPECT_FALSE(table.rate());
  }
  table.sample(entry, 100, 50);
  ASSERT_TRUE(table.rate());
  EXPECT_EQ(*table.rate(), 0.5);
  EXPECT_TRUE(table.rates.suffice(entry));
}

// Intent: one sample is enough where the neighbouring bucket has enough, and its rate agrees.
TEST(Rates, BorrowedFromTheNextBucket) {
  Table table;
  Entry &entry = table.add();
  for (int i = 0; i < 3; ++i)
    table.sample(entry, 100, 50);
  table.sample(entry, 200, 101);
  ASSERT_TRUE(table.rate());
  EXPECT_NEAR(*table.rate(), 251.0 / 500, 1e-12);
  table.sample(entry, 50, 80);
  EXPECT_FALSE(table.rate());
}

// Intent: what an earlier run has told needs no sample, in its bucket or in any.
TEST(Rates, KnownFromAnEarlierRun) {
  Table table;
  table.rates.know(table.record, AnyBucket, {1, 2, 3}, {});
  table.rates.know(table.record, bucketOf(100), {4, 5, 6}, {});
  Entry &entry = table.add();
  EXPECT_EQ(*table.rates.slots()[table.rates.slotOf(entry, bucketOf(100))].rate[Warm], 6);
  EXPECT_EQ(*table.rates.slots()[table.rates.slotOf(entry, bucketOf(9))].rate[Warm], 3);
  EXPECT_TRUE(table.rates.suffice(entry));
}

// Intent: what can be executed no more is charged at its own samples' rate, however few, or else
// at the mean of all that was measured, which is called a guess.
TEST(Rates, TheBestOfWhatThereIs) {
  Table table;
  Entry &entry = table.add();
  bool guessed = true;
  table.sample(entry, 100, 50);
  EXPECT_EQ(table.rates.best(table.rank, entry, Warm, guessed), 0.5);
  EXPECT_FALSE(guessed);
  table.rank.work = 1000;
  table.rank.slot = table.rates.slotOf(entry, bucketOf(1000));
  table.rank.slots.resize(table.rates.slots().size());
  EXPECT_EQ(table.rates.best(table.rank, entry, Warm, guessed), 0.5);
  EXPECT_TRUE(guessed);
}

} // namespace
