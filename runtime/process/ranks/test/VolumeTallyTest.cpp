// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a rank computes is added up by part, in the order in which parts came first.
#include "process/ranks/VolumeSink.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace gnomon::process;

namespace {

constexpr double NotKnown = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST(VolumeTally, PartsStandInTheOrderInWhichTheyCame) {
  VolumeTally tally;
  for (const uint32_t part : {2U, 0U, 2U, 1U, 0U})
    tally.addInstructions(part, 10 + part);
  ASSERT_EQ(tally.parts().size(), 3u);
  EXPECT_EQ(tally.parts()[0].number, 2u);
  EXPECT_EQ(tally.parts()[0].volume.instructions, 24);
  EXPECT_EQ(tally.parts()[1].number, 0u);
  EXPECT_EQ(tally.parts()[1].volume.instructions, 20);
  EXPECT_EQ(tally.parts()[2].number, 1u);
  EXPECT_TRUE(std::isnan(tally.parts()[2].volume.seconds));
}

TEST(VolumeTally, NothingIsNoPart) {
  VolumeTally tally;
  tally.addInstructions(1, 0);
  tally.add(1, {.instructions = 0, .seconds = NotKnown});
  EXPECT_TRUE(tally.empty());
  tally.add(1, {.instructions = NotKnown, .seconds = -1e-9});
  EXPECT_FALSE(tally.empty());
}

TEST(VolumeTally, WhatIsNotKnownOfAPieceIsNotKnownOfThePart) {
  VolumeTally tally;
  tally.add(3, {.instructions = 5, .seconds = 1});
  tally.add(3, {.instructions = NotKnown, .seconds = 2});
  EXPECT_TRUE(std::isnan(tally.parts()[0].volume.instructions));
  EXPECT_EQ(tally.parts()[0].volume.seconds, 3);
}

TEST(VolumeTally, ARanksTallyStaysWhereItIs) {
  struct Sink final : VolumeSink {
    uint32_t part(const std::string &) override { return 0; }
    void played(const Rank &) override {}
    void readClock(const Rank &, uint32_t) override {}
    void sleeps(const Rank &, double) override {}
  } sink;
  VolumeTally &first = sink.tally(0);
  first.addInstructions(0, 7);
  sink.tally(1000).addInstructions(0, 8);
  EXPECT_EQ(&sink.tally(0), &first);
  EXPECT_EQ(sink.tally(0).parts()[0].volume.instructions, 7);
}
