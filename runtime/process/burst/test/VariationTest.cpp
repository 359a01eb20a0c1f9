// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Variation.h"

#include <cmath>
#include <gtest/gtest.h>

using gnomon::process::burst::Variation;

namespace {

constexpr Variation::Kind Short{1, 100}, Long{1, 200}, Unseen{1, 300}, Elsewhere{7, 400};

/// Stretches with \p work units of kind 0.
void add(Variation &variation, uint32_t rank, Variation::Kind kind, double seconds, double work) {
  const Variation::Term terms[] = {{0, work}};
  variation.add(rank, kind, seconds, work, terms);
}

void weigh(Variation &variation, double rate = 1, double rest = 0) {
  variation.weighRanks();
  variation.weighShapes([=](uint32_t) { return rate; }, [=](uint32_t) { return rest; });
}

double meanDraw(Variation &variation, uint32_t rank, Variation::Kind kind) {
  double sum = 0;
  for (int i = 0; i < 6400; ++i)
    sum += variation.draw(rank, kind);
  return sum / 6400;
}

// Intent: nothing is known: what the rates say stands.
TEST(Variation, OneWithoutStretches) {
  Variation variation;
  weigh(variation);
  EXPECT_DOUBLE_EQ(variation.draw(0, Short), 1);
}

// Intent: each shape keeps its own mean, by the rates and the rest as they are when it is weighed;
// a shape never seen has that of all that begin alike; a beginning never seen has none.
TEST(Variation, ShapesKeepTheirMeans) {
  Variation variation;
  for (int i = 0; i < 10; ++i) {
    add(variation, 0, Short, 15, 10);
    add(variation, 0, Long, 80, 100);
  }
  weigh(variation);
  EXPECT_NEAR(meanDraw(variation, 0, Short), 1.5, 1e-9);
  EXPECT_NEAR(meanDraw(variation, 0, Long), 0.8, 1e-9);
  EXPECT_NEAR(variation.draw(0, Unseen), 95.0 / 110, 1e-9);
  EXPECT_DOUBLE_EQ(variation.draw(0, Elsewhere), 1);
  weigh(variation, 2, 5);
  EXPECT_NEAR(meanDraw(variation, 0, Short), (15.0 - 5) / 20, 1e-9);
}

// Intent: what tells shapes apart by little is the moment in which each was seen: they have the mean of all that begin
// alike; the sum stays. What tells them apart by much is theirs.
TEST(Variation, ShapesThatDifferLittleAreChargedAlike) {
  constexpr Variation::Kind Third{1, 300};
  Variation variation;
  variation.evenOut(0.15);
  for (int i = 0; i < 10; ++i) {
    add(variation, 0, Short, 10.5, 10);
    add(variation, 0, Long, 95, 100);
    add(variation, 0, Third, 13, 10);
  }
  weigh(variation);
  const double all = (10.5 + 95 + 13) / 120;
  EXPECT_NEAR(meanDraw(variation, 0, Short), all, 1e-9);
  EXPECT_NEAR(meanDraw(variation, 0, Long), all, 1e-9);
  EXPECT_NEAR(meanDraw(variation, 0, Third), 1.3, 1e-9);
}

// Intent: equal work costs all ranks the same in an executed run, so that its draws do not differ; those
// of work that is not equal do, and no sum changes.
TEST(Variation, EqualWorkTakesItsMean) {
  Variation variation;
  const Variation::Term terms[] = {{0, 10}};
  for (int i = 0; i < 64; ++i) {
    const double chance = i / 2 % 2 ? 1.1 : 0.9;
    variation.add(0, Short, 10 * chance, 10, terms, 1, 5);
    // Two works in one shape.
    variation.add(0, Long, (i % 2 ? 12 : 8) * chance, 10, terms, 1, i % 2 ? 7 : 6);
    variation.add(0, Unseen, 10 * chance, 10, terms);
  }
  weigh(variation);
  for (int i = 0; i < 64; ++i) {
    EXPECT_NEAR(variation.draw(0, Short), 1, 1e-9);
    EXPECT_NEAR(variation.draw(0, Long), i % 2 ? 1.2 : 0.8, 1e-9);
    EXPECT_NEAR(variation.draw(0, Unseen), i / 2 % 2 ? 1.1 : 0.9, 1e-9);
  }
  EXPECT_NEAR(meanDraw(variation, 0, Long), 1, 1e-9);
}

// Intent: with equal work no rank is slower for good, however it was charged while few had done it; a rank
// whose work is another one is.
TEST(Variation, RanksDifferByUnequalWorkAlone) {
  Variation variation;
  const Variation::Term terms[] = {{0, 10}};
  for (int i = 0; i < 20; ++i)
    for (uint32_t rank = 0; rank < 4; ++rank) {
      const bool other = rank == 3;
      const double chance = 0.9 + 0.05 * rank;
      variation.add(rank, Short, other ? 12 : 10 * chance, 10, terms, 1, other ? 6 : 5);
    }
  weigh(variation);
  EXPECT_NEAR(variation.rankFactor(0), variation.rankFactor(2), 1e-9);
  EXPECT_NEAR(variation.rankFactor(3) / variation.rankFactor(0), 12 / 9.5, 1e-6);
}

// Intent: draws differ as the stretches did, and their mean is 1.
TEST(Variation, DrawsKeepTheSpread) {
  Variation variation;
  for (int i = 0; i < 64; ++i)
    add(variation, 0, Short, i % 2 ? 12 : 8, 10);
  weigh(variation);
  double sum = 0, squares = 0;
  for (int i = 0; i < 6400; ++i) {
    const double q = variation.draw(0, Short);
    sum += q;
    squares += (q - 1) * (q - 1);
  }
  EXPECT_NEAR(sum / 6400, 1, 1e-3);
  EXPECT_NEAR(std::sqrt(squares / 6400), 0.2, 1e-3);
}

// Intent: stretches that were late one after the other are so again.
TEST(Variation, DrawsKeepTheOrder) {
  Variation variation;
  for (int i = 0; i < 100; ++i) // of which the latest 64 are kept
    add(variation, 0, Short, 10 + (i / 16) % 2, 10);
  weigh(variation);
  const double low = variation.draw(0, Short); // of i = 36
  for (int i = 37; i < 164; ++i) {
    const double q = variation.draw(0, Short);
    const int place = i < 100 ? i : i - 64;
    EXPECT_EQ(q > low, (place / 16) % 2 == 1) << i;
  }
}

// Intent: an interrupted stretch is no part of the program's variation.
TEST(Variation, InterruptedStretchesCountAsTheMedian) {
  Variation variation;
  for (int i = 0; i < 31; ++i)
    add(variation, 0, Short, 10, 10);
  add(variation, 0, Short, 500, 10);
  weigh(variation);
  for (int i = 0; i < 100; ++i)
    EXPECT_DOUBLE_EQ(variation.draw(0, Short), 1);
}

// Intent: ranks that differ surely keep their difference; what noise explains is no difference.
TEST(Variation, RanksAreShrunkByTheirNoise) {
  Variation sure;
  for (int i = 0; i < 20; ++i)
    for (uint32_t rank = 0; rank < 4; ++rank)
      add(sure, rank, Short, 10.0 + rank, 10);
  weigh(sure);
  for (uint32_t rank = 0; rank < 4; ++rank)
    EXPECT_NEAR(sure.rankFactor(rank), (10.0 + rank) / 11.5, 1e-9);
  EXPECT_DOUBLE_EQ(sure.rankFactor(4), 1);

  Variation noisy;
  for (int i = 0; i < 20; ++i)
    for (uint32_t rank = 0; rank < 4; ++rank)
      add(noisy, rank, Short, (i + rank) % 2 ? 15 : 5, 10);
  weigh(noisy);
  for (uint32_t rank = 0; rank < 4; ++rank)
    EXPECT_NEAR(noisy.rankFactor(rank), 1, 1e-9);
}

// Intent: a difference between ranks is told once, not again in the draws.
TEST(Variation, DrawsLeaveRanksApart) {
  Variation variation;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 40; ++i)
      for (uint32_t rank = 0; rank < 2; ++rank)
        add(variation, rank, Short, rank ? 12 : 8, 10);
    weigh(variation);
  }
  EXPECT_NEAR(meanDraw(variation, 0, Short), 0.8, 0.01);
  EXPECT_NEAR(meanDraw(variation, 1, Short), 1.2, 0.01);
}

} // namespace
