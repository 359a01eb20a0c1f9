// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: copies of a kernel get a core each before any core gets two, and every number of busy cores that matters is tried.
#include "cpu/Curve.h"
#include "cpu/Kernels.h"
#include "cpu/Processors.h"
#include "cpu/Report.h"

#include <gmock/gmock.h>

using namespace gnomon::cpu;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Processors, ListsAreReadAsLinuxWritesThem) {
  EXPECT_THAT(readProcessorList("0-2,8"), ElementsAre(0, 1, 2, 8));
  EXPECT_THAT(readProcessorList("5"), ElementsAre(5));
  EXPECT_THAT(readProcessorList("0-x"), IsEmpty());
  EXPECT_THAT(readProcessorList(""), IsEmpty());
}

TEST(Processors, CoresComeBeforeTheirSecondThreads) {
  int cores = 0;
  // 0 and 2 are one core, 1 and 3 the other.
  EXPECT_THAT(coresFirst({0, 1, 2, 3}, {{0, 2}, {1, 3}, {0, 2}, {1, 3}}, cores),
              ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(cores, 2);
  // 0 and 1 are one core.
  EXPECT_THAT(coresFirst({0, 1, 2}, {{0, 1}, {0, 1}, {2}}, cores), ElementsAre(0, 2, 1));
  EXPECT_EQ(cores, 2);
}

TEST(Processors, ThisHostHasOne) {
  const Processors processors = processorsOfThisHost();
  EXPECT_GE(processors.cores, 1);
  EXPECT_GE(processors.numbers.size(), static_cast<size_t>(processors.cores));
}

TEST(BusyNumbers, EachUpToSixteenThenSomeAndAlwaysAll) {
  EXPECT_THAT(busyNumbers(1), ElementsAre(1));
  EXPECT_THAT(busyNumbers(3), ElementsAre(1, 2, 3));
  const std::vector<int> many = busyNumbers(128);
  EXPECT_EQ(many[14], 15);
  EXPECT_EQ(many.back(), 128);
  EXPECT_LT(many.size(), 40U);
  EXPECT_TRUE(std::is_sorted(many.begin(), many.end()));
}

TEST(Kernels, WorkIsCounted) {
  Kernel flops(0, 0), cache(1, 1 << 20);
  EXPECT_EQ(flops.step(), 160000); // 10,000 rounds of 16
  EXPECT_EQ(cache.step(), 98304);  // 4,096 elements of 24 bytes
}

TEST(Kernels, CopiesFitIntoMemory) {
  Processors processors;
  processors.l3Bytes = uint64_t(1) << 40;
  EXPECT_LE(workingSetBytes(2, processors, 1), uint64_t(1) << 30);
  EXPECT_LE(workingSetBytes(2, processors, 1 << 20), uint64_t(8) << 20);
}

TEST(Report, ADisturbedMeasurementIsSaid) {
  Findings findings;
  findings.processors.cores = 2;
  findings.curves = {{1, 100, {{1, 10, 1, 0, 1}, {2, 5, 2, 0, 0.5}}}};
  EXPECT_THAT(renderText(findings), testing::HasSubstr("for 50 % of the time only"));
  findings.curves[0].points[1].cpuShare = 0.99;
  EXPECT_THAT(renderText(findings), testing::Not(testing::HasSubstr("of the time only")));
}
