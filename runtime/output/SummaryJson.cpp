// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/Summary.h"

#include "output/BurstText.h"
#include "output/File.h"

#include <nlohmann/json.hpp>

namespace gnomon::output {
namespace {

using Json = nlohmann::ordered_json;
using process::burst::Report;
using process::burst::ReportRow;

Json rowJson(const ReportRow &row, const Report &report) {
  return {{"name", row.name},
          {"function", row.function},
          {"file", row.file},
          {"line", row.line},
          {"executed", row.executed},
          {"skipped", row.skipped},
          {"seconds", row.seconds},
          {"share", report.computedSeconds > 0 ? row.seconds / report.computedSeconds : 0},
          {"spread", row.relativeSpread}};
}

Json burstsJson(const Report &report, double rankSeconds) {
  Json largest = Json::array();
  for (size_t i : dominating(report))
    largest.push_back(rowJson(report.rows[i], report));
  const double share = rankSeconds > 0 ? report.sampledSeconds / rankSeconds : 0;
  return {{"executed", report.executed},
          {"skipped", report.skipped},
          {"sampledSeconds", report.sampledSeconds},
          {"sampledShare", share},
          {"intervalSeconds", report.intervalSeconds},
          {"computedSeconds", report.computedSeconds},
          {"skippableSeconds", report.skippableSeconds},
          {"samplesLeftOut", report.outliers},
          {"droppedInstances", report.dropped},
          {"guessedInstances", report.guessed},
          {"guessedSeconds", report.guessedSeconds},
          {"errorPathsNotTaken", report.errorPaths},
          {"notInProfile", report.notInProfile},
          {"meaningfulResults", report.skipped == 0},
          {"dominating", std::move(largest)}};
}

Json pollsJson(const Summary &summary) {
  const double whole = summary.simulatedSeconds;
  const PolledTime &polls = summary.polls;
  return {{"rank", polls.rank},
          {"seconds", polls.seconds},
          {"share", whole > 0 ? polls.seconds / whole : 0},
          {"share_of_all", whole > 0 ? polls.allRanksSeconds / (whole * summary.ranks) : 0}};
}

} // namespace

std::string summaryJson(const Summary &summary) {
  const Json json = {
      {"simulated_time", summary.simulatedSeconds},
      {"ranks", summary.ranks},
      {"messages", summary.messages},
      {"bytes", summary.bytes},
      {"exit_code", summary.exitCode},
      {"complete", summary.complete},
      {"bursts", burstsJson(summary.bursts, summary.simulatedSeconds * summary.ranks)},
      {"polls", pollsJson(summary)},
      {"host",
       {{"wall_seconds", summary.wallSeconds},
        {"cpu_seconds", summary.cpuSeconds},
        {"peak_rss_bytes", summary.peakResidentBytes}}},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string writeJson(const Summary &summary, const std::string &path) {
  return writeFile(path, summaryJson(summary));
}

} // namespace gnomon::output
