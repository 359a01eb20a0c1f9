// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Moments.h"

#include "support/Random.h"

#include <functional>
#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::process::burst;

namespace {

constexpr uint32_t Ranks = 8;
constexpr int Rounds = 2000;

/// One of ten stretches, by chance, takes 1.5, the others 1.
double spike(uint64_t seed, uint64_t number) {
  return randomBits(seed, number) % 10 == 0 ? 1.5 : 1;
}

/// What each round of all ranks is over after, and what one stretch takes, in the mean.
struct Waiting {
  double slowest = 0, mean = 0;
};
using Part = std::function<double(uint32_t rank, int round)>;
Waiting waitingOf(const Part &part, int rounds = Rounds) {
  Waiting waiting;
  for (int round = 0; round < rounds; ++round) {
    double slowest = 0;
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      const double its = part(rank, round);
      slowest = std::max(slowest, its);
      waiting.mean += its / Ranks / rounds;
    }
    waiting.slowest += slowest / rounds;
  }
  return waiting;
}

Chances recorded(const Part &part, int rounds = Rounds) {
  MomentRecorder recorder;
  for (int round = 0; round < rounds; ++round)
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      recorder.add(rank, part(rank, round), static_cast<uint64_t>(round) * Ranks + rank);
  const std::vector<double> means(Ranks, waitingOf(part, rounds).mean);
  return recorder.chances(means);
}

/// The same run with what it has recorded, by parts of the mean.
Waiting given(const Chances &chances, uint64_t kind = 1, int rounds = Rounds) {
  return waitingOf(
      [&](uint32_t rank, int round) {
        return chanceOf(chances, kind, static_cast<uint64_t>(rounds) * Ranks,
                        static_cast<uint64_t>(round) * Ranks + rank);
      },
      rounds);
}

} // namespace

// Intent: ranks that were slow together wait for none, whenever that was.
TEST(Moments, RanksThatWereSlowTogetherAreAgain) {
  const Part drift = [](uint32_t, int round) { return round / 20 % 2 ? 1.3 : 0.7; };
  const Chances chances = recorded(drift);
  EXPECT_GE(chances.moments.size(), 32u);
  EXPECT_TRUE(chances.own.empty());
  const Waiting after = given(chances);
  EXPECT_NEAR(after.mean, 1, 0.01);
  EXPECT_NEAR(after.slowest, 1, 0.01);
}

// Intent: ranks of which each is slow by its own chance wait as long for each other as when they were recorded.
TEST(Moments, RanksThatWereSlowByThemselvesAreAgain) {
  const Part own = [](uint32_t rank, int round) {
    return spike(rank, static_cast<uint64_t>(round));
  };
  const Waiting before = waitingOf(own);
  const Waiting after = given(recorded(own));
  EXPECT_NEAR(after.mean, 1, 0.01);
  EXPECT_NEAR(after.slowest, before.slowest / before.mean, 0.03);
}

// Intent: both at once are told apart.
TEST(Moments, SplitWhatIsCommonFromWhatIsOwn) {
  const Part both = [](uint32_t rank, int round) {
    return (round / 250 % 2 ? 2 : 1) * spike(rank, static_cast<uint64_t>(round));
  };
  const Waiting before = waitingOf(both);
  const Chances chances = recorded(both);
  EXPECT_NEAR(chances.moments.front(), 2. / 3, 0.01);
  EXPECT_NEAR(chances.moments.back(), 4. / 3, 0.02);
  const Waiting after = given(chances);
  EXPECT_NEAR(after.mean, 1, 0.01);
  EXPECT_NEAR(after.slowest, before.slowest / before.mean, 0.04);
}

// Intent: where a host has two speeds, a slow stretch among quick ones is as slow as all are at other times, not slower
// than any that was seen; and what all take in sum stays.
TEST(Moments, ASlowOneStandsOutAmongQuickOnesOnly) {
  const Part speeds = [](uint32_t rank, int round) {
    const bool slow = round / 100 % 2 || spike(rank, static_cast<uint64_t>(round)) > 1;
    return slow ? 2.0 : 1.0;
  };
  const Waiting before = waitingOf(speeds);
  const Chances chances = recorded(speeds);
  for (uint64_t i = 0; i < Ranks * Rounds; ++i)
    EXPECT_LT(chanceOf(chances, 1, Ranks * Rounds, i), 1.1 * 2 / before.mean);
  const Waiting after = given(chances);
  EXPECT_NEAR(after.mean, 1, 0.02);
  EXPECT_NEAR(after.slowest, before.slowest / before.mean, 0.04);
}

// Intent: one that was interrupted for long makes no slow moment of the others.
TEST(Moments, OneThatWasInterruptedIsAlone) {
  const Part once = [](uint32_t rank, int round) {
    return rank == 3 && round % 4 == 0 ? 20.0 : 1.0;
  };
  const Chances chances = recorded(once);
  EXPECT_TRUE(chances.moments.empty());
  EXPECT_GT(chances.own.back(), 5 * chances.own.front());
}

// Intent: kinds with few stretches take what each one took.
TEST(Moments, FewTakeWhatEachTook) {
  const Part part = [](uint32_t rank, int round) { return 1 + 0.1 * rank + 0.01 * round; };
  const double mean = waitingOf(part, 8).mean;
  const Chances chances = recorded(part, 8);
  ASSERT_EQ(chances.moments.size(), 64u);
  EXPECT_TRUE(chances.own.empty());
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    EXPECT_NEAR(chanceOf(chances, 1, 64, 40 + rank), part(rank, 5) / mean, 1e-9);
}

TEST(Moments, FewerThanEightSayNothing) {
  MomentRecorder recorder;
  for (uint64_t i = 0; i < 7; ++i)
    recorder.add(0, i % 2 ? 1 : 3, i);
  const Chances chances = recorder.chances(std::vector<double>{2.0});
  EXPECT_TRUE(chances.moments.empty());
  EXPECT_TRUE(chances.own.empty());
  EXPECT_EQ(chanceOf(chances, 1, 7, 3), 1);
}

// Intent: a rank that draws a slow one of one kind draws no slower ones of the others.
TEST(Moments, KindsDoNotDrawAlike) {
  const Chances chances{.moments = {}, .own = {0.9, 0.9, 0.9, 1.3}};
  int both = 0, first = 0;
  for (uint64_t before = 0; before < 16000; ++before) {
    const bool slow = chanceOf(chances, 1, 16000, before) > 1.2;
    first += slow;
    both += slow && chanceOf(chances, 2, 16000, before) > 1.2;
  }
  EXPECT_NEAR(both, first * first / 16000, 60);
}

// Intent: sizes that a later run does not tell apart come in the order in which they came.
TEST(Moments, OfMergedKindsKeepTheirOrder) {
  MomentRecorder one, other;
  for (uint64_t i = 0; i < 512; ++i)
    (i < 128 || i >= 384 ? one : other).add(0, i < 128 ? 1 : i < 384 ? 2 : 3, i);
  MomentRecorder all;
  all.merge(one);
  all.merge(other);
  const Chances chances = all.chances(std::vector<double>{2.0});
  ASSERT_EQ(chances.moments.size(), 64u);
  EXPECT_TRUE(std::ranges::is_sorted(chances.moments));
  EXPECT_DOUBLE_EQ(chances.moments.front(), 0.5);
}
