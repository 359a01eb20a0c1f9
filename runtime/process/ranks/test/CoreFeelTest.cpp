// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CoreFeel.h"

#include <gtest/gtest.h>

using gnomon::process::CoreFeel;

namespace {

constexpr uint64_t Work = 10'000'000;

/// \p rounds of stretches of \p instructions on cores that are shared not at all, half and nearly wholly.
void teach(CoreFeel &feel, uint64_t instructions, double beta, int rounds = 4000) {
  for (int round = 0; round < rounds; ++round)
    for (double x : {0.0, 0.5, 0.9})
      feel.learn(instructions, 1e-9 * static_cast<double>(instructions) * (1 + beta * x), x, 10);
}

TEST(CoreFeel, IsTheUsualOneAtFirst) {
  CoreFeel feel;
  EXPECT_EQ(feel.program(), CoreFeel::Usual);
  EXPECT_EQ(feel.of(Work), CoreFeel::Usual);
  EXPECT_EQ(feel.of(0), CoreFeel::Usual);
}

TEST(CoreFeel, LearnsTheSlope) {
  for (double beta : {0.0, 0.2, 0.4, 1.0}) {
    CoreFeel feel;
    teach(feel, Work, beta);
    EXPECT_NEAR(feel.program(), beta, 0.05 + 0.02 * beta) << beta;
    EXPECT_NEAR(feel.of(Work), beta, 0.05 + 0.02 * beta) << beta;
  }
}

// Intent: a program may have parts that wait for memory beside others that do not.
TEST(CoreFeel, EachWorkHasItsOwn) {
  CoreFeel feel;
  teach(feel, Work, 0);
  teach(feel, 3 * Work, 1);
  EXPECT_NEAR(feel.of(Work), 0, 0.05);
  EXPECT_NEAR(feel.of(3 * Work), 1, 0.05);
  EXPECT_NEAR(feel.of(50 * Work), 0.5, 0.05); // not seen: as the program
}

// Intent: stretches of a loop differ by a few instructions from round to round.
TEST(CoreFeel, NearlyAsManyInstructionsAreTheSameWork) {
  CoreFeel feel;
  for (int i = 0; i < 10'000; ++i)
    feel.learn(Work + static_cast<uint64_t>(i % 300), 1e-2 * (1 + 0.5 * (i % 3 * 0.4)), i % 3 * 0.4,
               10);
  EXPECT_NEAR(feel.of(Work + 7), 0.5, 0.05);
}

// Intent: on a core that is always the thread's own, what varies is not the core.
TEST(CoreFeel, TheKernelsNoiseTeachesNothing) {
  CoreFeel feel;
  for (int i = 0; i < 1000; ++i)
    feel.learn(Work, 1e-2 * (1 + 0.05 * (i % 2)), 0.01 * (i % 2), 10);
  EXPECT_EQ(feel.program(), CoreFeel::Usual);
}

// Intent: what makes stretches long for other reasons (cold caches, memory that others use) comes in phases of seconds,
// in which the core is shared by chance or is not. NPB SP's first five seconds told 0 in place of 0.4.
TEST(CoreFeel, ItsFirstSecondsTeachLittle) {
  CoreFeel feel;
  for (int i = 0; i < 10; ++i)
    feel.learn(Work, 1.5e-2, 0, 5);
  for (int i = 0; i < 60; ++i)
    feel.learn(Work, 1e-2 * (1 + CoreFeel::Usual * 0.8), 0.8, 5);
  EXPECT_NEAR(feel.program(), CoreFeel::Usual, 0.1);
  EXPECT_NEAR(feel.of(Work), CoreFeel::Usual, 0.15);
}

// Intent: one look before a short stretch says little of what was slow in it.
TEST(CoreFeel, AShortStretchTeachesLittle) {
  CoreFeel feel;
  teach(feel, Work, 1);
  feel.learn(Work / 20, 0.5e-3, 0, 0.25);
  feel.learn(Work / 20, 0.5e-3, 1, 0.25);
  EXPECT_NEAR(feel.program(), 1, 0.1);
}

// Intent: a first use of memory, ten times as long, is not what the core takes.
TEST(CoreFeel, ALongStretchIsNoSlope) {
  CoreFeel feel;
  teach(feel, Work, 1);
  feel.learn(Work, 0.1, 0.9, 10);
  EXPECT_NEAR(feel.program(), 1, 0.15);
}

TEST(CoreFeel, StaysWithinReason) {
  CoreFeel feel;
  teach(feel, Work, 40);
  EXPECT_LE(feel.of(Work), CoreFeel::Most);
  CoreFeel other;
  teach(other, Work, -2);
  EXPECT_EQ(other.of(Work), 0);
}

} // namespace
