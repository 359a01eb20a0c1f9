// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: parts of a computation that are told to be negative change no sum.
#include "api/RecordVolumes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace gnomon;

namespace {

/// Instructions of parts, settled.
std::vector<double> settled(const std::vector<double> &told) {
  std::vector<process::VolumeTally::Part> parts;
  for (const double instructions : told)
    parts.push_back({static_cast<uint32_t>(parts.size()), {.instructions = instructions}});
  api::settle(parts, &process::Volume::instructions);
  std::vector<double> result;
  for (const auto &part : parts)
    result.push_back(part.volume.instructions);
  return result;
}

using Volumes = std::vector<double>;

} // namespace

TEST(RecordVolumes, WhatAPartLacksIsTheLargestOnes) {
  EXPECT_EQ(settled({-3, 5, 20, 5}), Volumes({0, 5, 17, 5}));
  EXPECT_EQ(settled({4, -1, 7, -2}), Volumes({4, 0, 4, 0}));
}

// -89 + 9 + 8 + 40 + 24 + 8 = 0: code had counted ahead what its bursts executed later.
TEST(RecordVolumes, TheNextOneGivesWhereTheLargestHasNotEnough) {
  EXPECT_EQ(settled({-89, 9, 8, 40, 24, 8}), Volumes({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(settled({-50, 9, 8, 40, 24, 8}), Volumes({0, 9, 8, 0, 14, 8}));
}

TEST(RecordVolumes, NothingIsLeftOfLessThanNothing) {
  EXPECT_EQ(settled({-5}), Volumes({0}));
  EXPECT_EQ(settled({-5, 2, 1}), Volumes({0, 0, 0}));
}

TEST(RecordVolumes, WhatIsNotKnownStaysNotKnown) {
  constexpr double NotKnown = std::numeric_limits<double>::quiet_NaN();
  const Volumes result = settled({NotKnown, -1, 3});
  EXPECT_TRUE(std::isnan(result[0]));
  EXPECT_EQ(result[1], 0);
  EXPECT_EQ(result[2], 2);
  EXPECT_TRUE(std::isnan(settled({NotKnown})[0]));
}
