// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/Summary.h"

#include "output/OutputFile.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gnomon::output;

namespace {

Summary example() {
  return {.simulatedSeconds = 1.25,
          .ranks = 4,
          .messages = 1,
          .bytes = 1234567,
          .wallSeconds = 0.5,
          .cpuSeconds = 0.25,
          .peakResidentBytes = 45600000,
          .exitCode = 0};
}

// Intent: the summary is one line with everything in it.
TEST(Summary, IsOneLine) {
  EXPECT_EQ(summaryLine(example()), "gnomon: simulated time 1.25 s, 4 ranks, 1 message, 1.23 MB "
                                    "sent; wall time 0.5 s, peak memory 45.6 MB\n");
}

// Intent: a run that was cut short says so.
TEST(Summary, SaysIncomplete) {
  Summary summary = example();
  summary.complete = false;
  EXPECT_NE(summaryLine(summary).find("INCOMPLETE"), std::string::npos);
}

// Intent: a replay that was cut short says how many of its actions it has played; one that was not,
// and a run, do not.
TEST(Summary, SaysHowManyActionsWerePlayed) {
  Summary summary = example();
  summary.actions = {12, 34};
  EXPECT_EQ(summaryLine(summary).find("actions"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(summaryJson(summary))["actions"]["played"], 12);
  summary.complete = false;
  EXPECT_NE(summaryLine(summary).find("; 12 of 34 actions played\n"), std::string::npos);
  summary.actions.reset();
  EXPECT_EQ(summaryLine(summary).find("actions"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(summaryJson(summary))["actions"].is_null());
}

// Intent: from a tenth of the simulated time on there is one note of polls, with the shares, the
// rank and what to set; below there is none.
TEST(Summary, NotesPollsThatDominate) {
  Summary summary = example();
  const std::string line = summaryLine(summary);
  summary.polls = {.rank = 3, .seconds = 1, .allRanksSeconds = 4};
  EXPECT_EQ(summaryLine(summary), line) << "they cost what they do";
  summary.polls = {.rank = 3, .seconds = 0.12499, .allRanksSeconds = 0.4, .costMuch = true};
  EXPECT_EQ(summaryLine(summary), line);
  summary.polls = {.rank = 3, .seconds = 0.125, .allRanksSeconds = 0.25, .costMuch = true};
  EXPECT_EQ(summaryLine(summary),
            line + "gnomon: note: 10 % of the simulated time on rank 3, 5 % on all ranks together, "
                   "is what polls cost (MPI_Test, MPI_Iprobe and their like); where ranks had work "
                   "to do between them, set what a real MPI takes: --set smpi/test=25ns --set "
                   "smpi/iprobe=25ns --set smpi/grow-injected-times=no (docs/models.md)\n");
  const auto json = nlohmann::json::parse(summaryJson(summary))["polls"];
  EXPECT_EQ(json, (nlohmann::json{
                      {"rank", 3}, {"seconds", 0.125}, {"share", 0.1}, {"share_of_all", 0.05}}));
  summary.simulatedSeconds = 0;
  EXPECT_EQ(summaryLine(summary).find("note"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(summaryJson(summary))["polls"]["share"], 0);
}

// Intent: what --merge-pages gave and took has a line; a second one says that other threads were in its way, if
// they were.
TEST(Summary, SaysWhatMergingGave) {
  Summary summary = example();
  EXPECT_TRUE(nlohmann::json::parse(summaryJson(summary))["host"]["merging"].is_null());
  summary.merged.emplace();
  summary.merged->figures = {.lookedAtPages = 9,
                             .mergedPages = 6,
                             .zeroPages = 2,
                             .splitPages = 1,
                             .givenBackBytes = 12000,
                             .mostGivenBackBytes = 16000};
  summary.merged->looks = 3;
  summary.merged->seconds = 0.25;
  const std::string line =
      "gnomon: of 9 pages looked at, 6 merged and 2 zero, 1 of them written again later: 16 kB "
      "less memory at the most, 12 kB at the end, for 0.25 s of CPU time (--merge-pages)\n";
  EXPECT_TRUE(summaryLine(summary).ends_with("\n" + line)) << summaryLine(summary);
  summary.merged->disturbed = 2;
  EXPECT_TRUE(summaryLine(summary).ends_with(line +
                                             "gnomon: note: 2 of 5 times threads beside the ranks' "
                                             "own were there, such as OpenMP's, and pages were "
                                             "left alone (--merge-pages)\n"))
      << summaryLine(summary);
  const auto json = nlohmann::json::parse(summaryJson(summary))["host"]["merging"];
  EXPECT_EQ(json["pages_merged"], 6);
  EXPECT_EQ(json["looks_refused"], 2);
}

// Intent: where pages took a hundredth of the CPU time more than is charged for them, a note says so
// and how to charge it; the JSON has the figures in any case.
TEST(Summary, NotesPagesThatWereSlow) {
  Summary summary = example();
  const std::string line = summaryLine(summary);
  summary.pages = {
      .nominalSeconds = 1.2e-6, .mostSeconds = 14.4e-6, .leftOutSeconds = 0.0099 * 0.25};
  EXPECT_EQ(summaryLine(summary), line);
  summary.pages.leftOutSeconds = 0.1;
  EXPECT_EQ(summaryLine(summary),
            line + "gnomon: note: the first use of a page of memory took this machine 1.2 to 14 "
                   "us; the least is charged, and 0.1 s of CPU time are left out (--pages=measured "
                   "charges them)\n");
  EXPECT_EQ(nlohmann::json::parse(summaryJson(summary))["host"]["pages_left_out_seconds"], 0.1);
}

// Intent: so it is for cores that were slow.
TEST(Summary, NotesCoresThatWereSlow) {
  Summary summary = example();
  const std::string line = summaryLine(summary);
  summary.cores = {.looks = 100, .slowness = 1.234, .leftOutSeconds = 0.49, .moves = 2};
  EXPECT_EQ(summaryLine(summary), line);
  summary.cores.leftOutSeconds = 0.5;
  EXPECT_EQ(summaryLine(summary),
            line + "gnomon: note: this machine's cores were 23 % slower than usual, in the mean; "
                   "0.5 s of CPU time are left out (--speed=measured charges them)\n");
  const auto json = nlohmann::json::parse(summaryJson(summary))["host"];
  EXPECT_EQ(json["core_slowness"], 1.234);
  EXPECT_EQ(json["slowness_left_out_seconds"], 0.5);
  EXPECT_EQ(json["core_moves"], 2);
}

// Intent: and for time that is charged to others than took it.
TEST(Summary, NotesTimeThatIsChargedToOtherRanks) {
  Summary summary = example();
  const std::string line = summaryLine(summary);
  summary.equalWork.movedSeconds = 0.49;
  EXPECT_EQ(summaryLine(summary), line);
  summary.equalWork.movedSeconds = 0.5;
  EXPECT_EQ(summaryLine(summary),
            line + "gnomon: note: ranks took different times for the same number of instructions; "
                   "each is charged their mean, which moves 0.5 s of CPU time between them "
                   "(--equal-work=measured charges what each took)\n");
  EXPECT_EQ(nlohmann::json::parse(summaryJson(summary))["host"]["equal_work_moved_seconds"], 0.5);
}

// Intent: and for time that earlier runs say, and not this one.
TEST(Summary, NotesTimeThatEarlierRunsSay) {
  Summary summary = example();
  const std::string line = summaryLine(summary);
  summary.equalWork.earlierRuns = 3;
  summary.equalWork.earlierSeconds = -0.49;
  EXPECT_EQ(summaryLine(summary), line);
  summary.equalWork.earlierSeconds = -0.5;
  EXPECT_EQ(summaryLine(summary),
            line + "gnomon: note: computations took longer than in earlier runs of this program; "
                   "each is charged the median of up to 4 runs, which is 0.5 s of CPU time less "
                   "(--equal-work=run counts this run alone)\n");
  summary.equalWork.earlierSeconds = 0.5;
  EXPECT_NE(summaryLine(summary).find("took less than"), std::string::npos);
  EXPECT_NE(summaryLine(summary).find("CPU time more"), std::string::npos);
  const auto json = nlohmann::json::parse(summaryJson(summary))["host"];
  EXPECT_EQ(json["equal_work_earlier_runs"], 3);
  EXPECT_EQ(json["equal_work_earlier_seconds"], 0.5);
}

// Intent: the JSON file has the documented keys, and no temporary file stays behind.
TEST(Summary, JsonHasTheKeys) {
  auto folder =
      std::filesystem::temp_directory_path() / ("gnomon-summary-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::string path = folder / "out.json";
  EXPECT_EQ(OutputFile(path).finish(summaryJson(example())), "");
  std::ifstream file(path);
  auto json = nlohmann::json::parse(file);
  for (const char *key : {"version", "simulated_time", "ranks", "messages", "bytes", "exit_code",
                          "bursts", "polls", "host"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char *key : {"wall_seconds", "cpu_seconds", "peak_rss_bytes"})
    EXPECT_TRUE(json["host"].contains(key)) << key;
  EXPECT_EQ(json["simulated_time"], 1.25);
  auto files = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

} // namespace
