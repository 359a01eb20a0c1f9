// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/BurstText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gnomon::output;
using gnomon::process::burst::Report;
using testing::HasSubstr;
using testing::Not;

namespace {

Report example() {
  Report report;
  report.active = true;
  auto &row = report.rows.emplace_back();
  row.function = "f";
  row.file = "f.c";
  row.line = 3;
  row.executed = 10;
  row.seconds = 0.5;
  row.skippable = true;
  report.executed = 10;
  report.computedSeconds = report.watchedSeconds = 2;
  report.skippableSeconds = 0.5;
  return report;
}

// Intent: a run that skipped nothing says which share could have been.
TEST(BurstText, OffersToSkip) {
  EXPECT_EQ(burstLines(example(), 2),
            "gnomon: --shadow would skip up to 25 % of the computation (1 of 1 burst)\n");
  EXPECT_THAT(burstTable(example(), true), HasSubstr("25.0 %  f.c:3 f"));
}

// Intent: of bursts that were watched for a time only, the share is of that time.
TEST(BurstText, OffersOfAPart) {
  Report report = example();
  report.watchedInPart = true;
  report.watchedSeconds = 1;
  EXPECT_EQ(burstLines(report, 2), "gnomon: --shadow would skip up to 50 % of the first 1 s of "
                                   "computation (1 of 1 burst); then bursts were too short to be "
                                   "watched\n");
}

// Intent: shares that are not known are withheld, with the reason and what to do.
TEST(BurstText, WithholdsSharesThatAreNotKnown) {
  Report report = example();
  report.sharesKnown = false;
  const std::string lines = burstLines(report, 2), table = burstTable(report, true);
  EXPECT_THAT(lines, HasSubstr("would skip 1 of 1 burst; their share is not known: bursts seemed"));
  EXPECT_THAT(table, HasSubstr("shares are not known: bursts seemed"));
  EXPECT_THAT(lines, HasSubstr("run again when the machine is less busy"));
  EXPECT_THAT(table, Not(HasSubstr("25.0 %")));
  report.skipped = 1;
  EXPECT_THAT(burstLines(report, 2), Not(HasSubstr("most of the computation")));
}

// Intent: who asks to skip and has a program without bursts is told why that may be.
TEST(BurstText, SaysThatThereAreNoBursts) {
  Report report;
  report.active = true;
  EXPECT_EQ(burstLines(report, 2), "");
  report.skipping = true;
  EXPECT_THAT(burstLines(report, 2), HasSubstr("came to no burst; linked with"));
}

} // namespace
