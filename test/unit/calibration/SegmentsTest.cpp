// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: breakpoints are where the data say, as many as they say; a line says how sure it is, and
// where there is none.
#include "Synthetic.h"

#include <gtest/gtest.h>

using namespace gnomon::calibration;

namespace {

TEST(Segments, OfTwoPointsAreOneLine) {
  const std::vector<Datum> data{{0, 10e-6, 0}, {1000, 12e-6, 0}};
  const Segmentation pieces = segment(data, {});
  ASSERT_EQ(pieces.segments.size(), 1U);
  EXPECT_NEAR(pieces(500), 11e-6, 1e-12);
}

TEST(Segments, OfOneSizeAreLevel) {
  const Segmentation pieces = segment(std::vector<Datum>{{64, 10e-6, 0.01}}, {});
  ASSERT_EQ(pieces.segments.size(), 1U);
  EXPECT_TRUE(pieces.segments[0].isLevel);
  EXPECT_DOUBLE_EQ(pieces(1e6), 10e-6);
}

TEST(Segments, BreakpointInAGapIsThere) {
  Plan plan;
  plan.gapFrom = 4000;
  plan.gapTo = 30000;
  const std::vector<Datum> data = dataOf(Two, plan);
  const Segmentation pieces = segment(data, {});
  ASSERT_EQ(pieces.segments.size(), 2U);
  EXPECT_GE(pieces.segments[0].toBytes, data[pieces.segments[0].last].bytes);
  EXPECT_LT(pieces.segments[0].toBytes, data[pieces.segments[1].first].bytes);
  EXPECT_LE(data[pieces.segments[0].last].bytes, 4000);
  EXPECT_GE(data[pieces.segments[1].first].bytes, 30000);
  EXPECT_EQ(pieces.segments[0].toBytes, 8192) << "the power of two nearest to the middle, 10954";
}

TEST(Segments, BreakpointIsAtAThresholdThatLiesThere) {
  const std::vector<Datum> data = dataOf(Two, {});
  Choice choice;
  choice.thresholds = {12000};
  EXPECT_EQ(segment(data, choice).segments[0].toBytes, 12000);
}

TEST(Segments, MoreAreFoundWhenTheyCostNothing) {
  Plan plan;
  plan.noise = 0.3;
  plan.samples = 5;
  const std::vector<Datum> data = dataOf(Two, plan);
  Choice dear, cheap;
  dear.penalty = 50;
  cheap.penalty = 0;
  EXPECT_EQ(segment(data, dear).segments.size(), 1U);
  EXPECT_EQ(segment(data, cheap).segments.size(), 12U) << "the most that are looked for";
}

TEST(Segments, AreAsManyAsAskedFor) {
  const std::vector<Datum> data = dataOf(Two, {});
  for (size_t count : {1, 2, 3, 5}) {
    Choice choice;
    choice.segments = count;
    EXPECT_EQ(segment(data, choice).segments.size(), count);
  }
}

TEST(Segments, ByCorrelationHaveTheGreatestProduct) {
  // Two lines, each with a coefficient of 1; one line through both has less.
  std::vector<Datum> data;
  for (double bytes = 1000; bytes <= 8000; bytes += 1000)
    data.push_back({bytes, bytes <= 4000 ? 10e-6 + bytes * 1e-9 : 5e-6 + bytes * 20e-9, 0});
  Choice choice;
  choice.method = Method::Correlation;
  choice.segments = 2;
  const Segmentation pieces = segment(data, choice);
  ASSERT_EQ(pieces.segments.size(), 2U);
  EXPECT_EQ(data[pieces.segments[0].last].bytes, 4000);
  EXPECT_NEAR(pieces.segments[1].line.perByteSeconds, 20e-9, 1e-12);
}

TEST(Segments, ByCorrelationAreThreeUnlessToldOtherwise) {
  Choice choice;
  choice.method = Method::Correlation;
  EXPECT_EQ(segment(dataOf(Four, {}), choice).segments.size(), 3U);
}

TEST(Segments, ALineThatTheDataDoNotShowIsLevel) {
  Plan plan;
  plan.noise = 0.1;
  plan.mostBytes = 1000;
  const Segmentation pieces = segment(dataOf({{NoEnd, 50e-6, 1e12}}, plan), {});
  ASSERT_EQ(pieces.segments.size(), 1U);
  EXPECT_TRUE(pieces.segments[0].isLevel);
  EXPECT_NEAR(pieces(10), 50e-6, 0.02 * 50e-6);
}

TEST(Segments, TimesThatFallAreToldApartFromScatter) {
  std::vector<Datum> falling;
  for (double bytes = 1000; bytes <= 10000; bytes += 500)
    falling.push_back({bytes, 100e-6 - bytes * 5e-9, 0.01});
  Choice choice;
  choice.segments = 1;
  EXPECT_NEAR(segment(falling, choice).segments[0].fall, 45e-6 / 72.5e-6, 0.02);
  Plan plan;
  plan.noise = 0.1;
  plan.mostBytes = 1000;
  EXPECT_EQ(segment(dataOf({{NoEnd, 50e-6, 1e12}}, plan), choice).segments[0].fall, 0);
}

TEST(Segments, NoStartupIsLessThanWhatTheModelAdds) {
  std::vector<Datum> data;
  for (double bytes = 1000; bytes <= 10000; bytes += 1000)
    data.push_back({bytes, bytes * 1e-9 - 0.5e-6, 0.01});
  Choice choice;
  choice.addedBytes = 16;
  choice.segments = 1;
  const StraightLine line = segment(data, choice).segments[0].line;
  EXPECT_NEAR(line.startupSeconds, 16 * line.perByteSeconds, 1e-12);
}

TEST(Outliers, AreThoseFarFromTheirNeighbours) {
  std::vector<Datum> data = dataOf(Four, {});
  data[20].seconds *= 8;
  data[70].seconds /= 4;
  const std::vector<bool> off = outliers(data);
  for (size_t at = 0; at < data.size(); ++at)
    EXPECT_EQ(off[at], at == 20 || at == 70) << at;
}

TEST(Outliers, AreNoSteps) {
  for (const Truth &truth : {Two, Four})
    for (bool off : outliers(dataOf(truth, {})))
      EXPECT_FALSE(off);
}

TEST(Errors, AreLogarithmic) {
  LogError error;
  error.add(1, 2, 1);
  error.add(8, 1, 4);
  EXPECT_NEAR(error.mean, (std::log(2) + std::log(4)) / 2, 1e-12);
  EXPECT_NEAR(error.worst, std::log(4), 1e-12);
  EXPECT_EQ(error.worstBytes, 8);
}

} // namespace
