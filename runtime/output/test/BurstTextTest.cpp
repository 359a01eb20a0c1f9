// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/BurstText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gnomon::output;
using gnomon::process::burst::DecisionReport;
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
  report.clocked = false;
  EXPECT_THAT(burstLines(report, 2), HasSubstr("share is not known: most bursts are too short"));
  report.clocked = true;
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

// Intent: which decisions hold back how much, the most first; those that hold next to nothing are counted.
TEST(BurstText, SaysWhatDecisionsHoldBack) {
  Report report = example();
  report.decidedSeconds = 1.4;
  report.holding = {{{"dir/f.c", "main", 7, 1}, "the end of the loop at f.c:7", 2, 1},
                    {{"", "g", 0, 2}, "a number", 1, 0.4},
                    {{"f.c", "h", 9, 1}, "a condition", 1, 0.001},
                    {{"f.c", "h", 9, 2}, "a condition", 1, 0.001}};
  const std::string table = burstTable(report, true), lines = burstLines(report, 2);
  EXPECT_THAT(
      table, HasSubstr("        2         1  50.0 %  f.c:7 main #1 (the end of the loop at f.c:7)\n"
                       "        1       0.4  20.0 %  ?:0 g #2 (a number)\n"
                       "2 more decisions that hold less than 0.1 % each\n"));
  EXPECT_THAT(
      lines,
      HasSubstr(
          "gnomon: what decides holds back: f.c:7 main #1 (the end of the loop at f.c:7) 1 s, "
          "?:0 g #2 (a number) 0.4 s, f.c:9 h #1 (a condition) 0.001 s and 1 more (--bursts)\n"
          "gnomon: with decisions, --shadow would skip up to 95 % of the computation: "
          "gnomon run --shadow=learn …, twice"));
}

// Intent: a run with --shadow=learn says which of the two it did.
TEST(BurstText, SaysWhatALearningRunDid) {
  Report report = example();
  report.decisions.kind = DecisionReport::Kind::Recorded;
  report.decisions.learning = {"/c/a.dec", "", "in.dat has changed"};
  EXPECT_THAT(
      burstLines(report, 2),
      HasSubstr(
          "gnomon: recorded decisions for later runs: /c/a.dec (anew: in.dat has changed)\n"));
  report.decisions.kind = DecisionReport::Kind::Given;
  report.decisions.learning = {"/c/a.dec", "2026-11-23 09:12", ""};
  EXPECT_THAT(burstLines(report, 2),
              HasSubstr("gnomon: gave decisions of /c/a.dec, recorded on 2026-11-23 09:12\n"));
}

} // namespace
