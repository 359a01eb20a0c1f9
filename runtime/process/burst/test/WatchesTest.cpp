// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Watches.h"

#include <algorithm>

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr auto Warm = static_cast<size_t>(Warmth::Warm);

/// A rank in its first instance of one burst, of which nothing is known.
struct Scene {
  Rates rates;
  Watches watches;
  gnomon_burst record{};
  RankBursts rank;

  Scene() {
    Entry entry;
    entry.record = &record;
    rank.slot = rates.slotOf(rates.add(entry), 0);
    rank.slots.resize(1);
    rank.warmth = Warmth::Warm;
  }
  Entry &entry() { return rates.entries()[0]; }
  bool consider(Rate rate = {}) { return watches.consider(rank, entry(), rate, rates); }
};

// Intent: witnesses are up to eight ranks, the first and the last among them.
TEST(Watches, WitnessesAreSpread) {
  for (uint32_t ranks : {1u, 2u, 7u, 8u, 9u, 100u, 16384u}) {
    uint32_t witnesses = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
      witnesses += Watches::isWitness(rank, ranks);
    EXPECT_EQ(witnesses, std::min(ranks, 8u));
    EXPECT_TRUE(Watches::isWitness(0, ranks));
    EXPECT_TRUE(Watches::isWitness(ranks - 1, ranks));
  }
}

// Intent: where costs are counted, nobody watches.
TEST(Watches, OnlyWhereCachesMatter) {
  Scene scene;
  EXPECT_FALSE(scene.consider());
  EXPECT_FALSE(scene.watches.any());
}

// Intent: a rank that meets a kind without a rate watches; with one, only a witness does, once.
TEST(Watches, WhoMustLearn) {
  Scene scene;
  scene.watches.enable(true);
  EXPECT_FALSE(scene.consider(0.5));
  EXPECT_TRUE(scene.consider());
  EXPECT_TRUE(scene.watches.watches(scene.rank));
  Scene other;
  other.watches.enable(true);
  other.rank.witness = true;
  EXPECT_TRUE(other.consider(0.5));
}

// Intent: a watch ends when a third of what was executed had nothing more to teach, and at least a
// tenth of a second has been seen.
TEST(Watches, EndsWhenNothingIsLeftToLearn) {
  Scene scene;
  scene.watches.enable(true);
  scene.consider();
  scene.entry().asUserSays = true; // nothing to learn
  scene.watches.noteExecuted(scene.rank, scene.entry(), 0, Warm, 0.09, scene.rates);
  scene.watches.stretchEnded(scene.rank, 0.09, scene.rates);
  EXPECT_TRUE(scene.watches.any());
  scene.watches.noteExecuted(scene.rank, scene.entry(), 0, Warm, 0.02, scene.rates);
  scene.watches.stretchEnded(scene.rank, 0.02, scene.rates);
  EXPECT_FALSE(scene.watches.any());
  EXPECT_FALSE(scene.watches.watches(scene.rank));
}

// Intent: a run that learns for later ones watches on each rank to its end.
TEST(Watches, SomeWatchToTheEnd) {
  Scene scene;
  scene.watches.enable(true, true);
  EXPECT_TRUE(scene.consider(0.5));
  scene.entry().asUserSays = true; // nothing to learn
  for (int i = 0; i < 100; ++i) {
    scene.watches.noteExecuted(scene.rank, scene.entry(), 0, Warm, 0.09, scene.rates);
    scene.watches.stretchEnded(scene.rank, 0.09, scene.rates);
  }
  EXPECT_TRUE(scene.watches.watches(scene.rank));
}

// Intent: a sample among skipped neighbours is not taken, but the third in a row is.
TEST(Watches, SamplesTooNearToSkippedOnes) {
  Scene scene;
  scene.watches.enable(true);
  EXPECT_FALSE(scene.watches.standsTooNear(scene.rank, scene.entry(), scene.rates));
  scene.rank.watch.sinceSkip = 0;
  EXPECT_TRUE(scene.watches.standsTooNear(scene.rank, scene.entry(), scene.rates));
  EXPECT_TRUE(scene.watches.standsTooNear(scene.rank, scene.entry(), scene.rates));
  EXPECT_FALSE(scene.watches.standsTooNear(scene.rank, scene.entry(), scene.rates));
}

} // namespace
