// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The JSON of a run, key by key as schema/run.json has it: tests compare the two in every run that
/// writes one.
#include "output/Summary.h"

#include "output/BurstText.h"

#include <nlohmann/json.hpp>

namespace gnomon::output {
namespace {

using Json = nlohmann::ordered_json;
using process::burst::DecisionReport;
using process::burst::Report;
using process::burst::ReportRow;

/// Of schema/run.json, which explains each key: a key that is renamed, removed or of another meaning
/// makes a new one.
constexpr int Version = 1;

/// Null where it is not known.
Json shareOf(const ReportRow &row, const Report &report) {
  if (!report.sharesKnown)
    return nullptr;
  return report.computedSeconds > 0 ? row.seconds / report.computedSeconds : 0;
}

Json rowJson(const ReportRow &row, const Report &report) {
  return {
      {"name", row.name},       {"function", row.function},      {"file", row.file},
      {"line", row.line},       {"executed", row.executed},      {"skipped", row.skipped},
      {"seconds", row.seconds}, {"share", shareOf(row, report)}, {"spread", row.relativeSpread}};
}

const char *nameOf(DecisionReport::Kind kind) {
  switch (kind) {
  case DecisionReport::Kind::None:
    break;
  case DecisionReport::Kind::Recorded:
    return "recorded";
  case DecisionReport::Kind::Given:
    return "given";
  }
  return "none";
}

Json holdingJson(const Report &report) {
  Json all = Json::array();
  for (const auto &point : report.holding)
    all.push_back({{"file", point.key.file},
                   {"line", point.key.line},
                   {"function", point.key.function},
                   {"number", point.key.ordinal},
                   {"what", point.what},
                   {"bursts", point.bursts},
                   {"seconds", report.sharesKnown ? Json(point.seconds) : Json(nullptr)}});
  return all;
}

Json decisionsJson(const DecisionReport &decisions) {
  return {{"kind", nameOf(decisions.kind)}, {"points", decisions.points},
          {"values", decisions.passed},     {"volumes", decisions.volumes},
          {"executed", decisions.executed}, {"assumed", decisions.assumed},
          {"unseen", decisions.unseen},     {"contradicted", decisions.contradicted},
          {"inputs", decisions.inputs},     {"inputs_different", decisions.inputsDifferent},
          {"notes", decisions.notes}};
}

Json foldingJson(const process::fold::Report &folding) {
  Json sites = Json::array();
  for (const auto &site : folding.sites)
    if (site.blocks)
      sites.push_back({{"file", site.file},
                       {"line", site.line},
                       {"function", site.function},
                       {"blocks", site.blocks},
                       {"bytes", site.bytes},
                       {"folded_bytes", site.foldedBytes},
                       {"foldable", site.foldable},
                       {"phase", site.phase},
                       {"kept_because", site.why}});
  return {{"bytes", folding.bytes},
          {"folded_bytes", folding.foldedBytes},
          {"no_address_bytes", folding.noAddressBytes},
          {"sites", std::move(sites)}};
}

Json burstsJson(const Report &report, double rankSeconds) {
  Json largest = Json::array();
  for (size_t i : dominating(report))
    largest.push_back(rowJson(report.rows[i], report));
  const double share = rankSeconds > 0 ? report.sampledSeconds / rankSeconds : 0;
  return {{"executed", report.executed},
          {"skipped", report.skipped},
          {"sampled_seconds", report.sampledSeconds},
          {"sampled_share", share},
          {"interval_seconds", report.intervalSeconds},
          {"computed_seconds", report.computedSeconds},
          {"computed_interval_seconds", report.computedIntervalSeconds},
          {"skippable_seconds", report.sharesKnown ? Json(report.skippableSeconds) : Json(nullptr)},
          {"decided_seconds", report.sharesKnown ? Json(report.decidedSeconds) : Json(nullptr)},
          {"decisions", decisionsJson(report.decisions)},
          {"holding", holdingJson(report)},
          {"folding", foldingJson(report.folding)},
          {"samples_left_out", report.outliers},
          {"dropped_instances", report.dropped},
          {"guessed_instances", report.guessed},
          {"guessed_seconds", report.guessedSeconds},
          {"error_paths_not_taken", report.errorPaths},
          {"not_in_profile", report.notInProfile},
          {"meaningful_results", report.skipped == 0},
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

Json actionsJson(const std::optional<Actions> &actions) {
  return actions ? Json{{"played", actions->played}, {"total", actions->total}} : Json(nullptr);
}

Json mergedJson(const std::optional<process::merge::Report> &merged) {
  if (!merged)
    return nullptr;
  const process::merge::Figures &figures = merged->figures;
  return {{"pages_looked_at", figures.lookedAtPages},
          {"pages_merged", figures.mergedPages},
          {"pages_zero", figures.zeroPages},
          {"pages_split", figures.splitPages},
          {"given_back_bytes", figures.givenBackBytes},
          {"given_back_bytes_most", figures.mostGivenBackBytes},
          {"resident_bytes", figures.residentBytes},
          {"mappings", 2 * figures.runs},
          {"looks", merged->looks},
          {"looks_refused", merged->disturbed},
          {"cpu_seconds", merged->seconds}};
}

} // namespace

std::string summaryJson(const Summary &summary) {
  const Json json = {
      {"version", Version},
      {"simulated_time", summary.simulatedSeconds},
      {"ranks", summary.ranks},
      {"messages", summary.messages},
      {"bytes", summary.bytes},
      {"exit_code", summary.exitCode},
      {"complete", summary.complete},
      {"bursts", burstsJson(summary.bursts, summary.simulatedSeconds * summary.ranks)},
      {"actions", actionsJson(summary.actions)},
      {"polls", pollsJson(summary)},
      {"host",
       {{"wall_seconds", summary.wallSeconds},
        {"cpu_seconds", summary.cpuSeconds},
        {"peak_rss_bytes", summary.peakResidentBytes},
        {"folded_resident_bytes", summary.bursts.folding.residentBytes},
        {"merging", mergedJson(summary.merged)},
        {"page_seconds", summary.pages.nominalSeconds},
        {"page_seconds_most", summary.pages.mostSeconds},
        {"pages_left_out_seconds", summary.pages.leftOutSeconds},
        {"pages_ahead", summary.pages.aheadPages},
        {"core_looks", summary.cores.looks},
        {"core_slowness", summary.cores.slowness},
        {"core_moves", summary.cores.moves},
        {"slowness_left_out_seconds", summary.cores.leftOutSeconds},
        {"equal_work_moved_seconds", summary.equalWork.movedSeconds},
        {"equal_work_earlier_runs", summary.equalWork.earlierRuns},
        {"equal_work_earlier_seconds", summary.equalWork.earlierSeconds}}},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gnomon::output
