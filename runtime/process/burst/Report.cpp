// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Report.h"

#include "process/burst/Bursts.h"
#include "process/image/Modules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace gnomon::process::burst {
namespace {

/// Of the standard normal distribution: 95 % lie within so many standard deviations.
constexpr double NormalQuantile = 1.96;

std::string text(const char *value) { return value ? value : ""; }

std::string placeOf(const BurstKey &key) {
  return fmt::format("{} ({}:{})", key.name.empty() ? key.function : key.name, key.file, key.line);
}

/// Whether the plan lets the burst be skipped, in this run: phases with a condition, where a reason stands beside, may be
/// reached or not.
bool maySkip(uint32_t flags, uint32_t phase, const char *reason, const Sampler &sampler) {
  return flags & GNOMON_BURST_SKIPPABLE &&
         (!reason || (phase <= sampler.reachedPhase() && !sampler.isPassedOver(phase)));
}

std::string whyExecuted(const Entry &entry, const Sampler &sampler) {
  const gnomon_burst &record = *entry.record;
  if (!maySkip(record.flags, record.phase, record.reason, sampler))
    return record.reason ? record.reason : "must always run";
  if (!sampler.skips() || entry.skipped)
    return {};
  if (record.phase > sampler.reachedPhase())
    return fmt::format("its results are needed until every rank has begun phase {}", record.phase);
  if (sampler.watching())
    return "its ranks watched to the end: they execute everything until they have seen it again, "
           "and 0.1 s of CPU time";
  return entry.open ? "too few instances, or too unlike each other"
                    : "bursts whose addresses, divisors or loop ends rest on it were not known "
                      "well enough";
}

ReportRow rowOf(const Entry &entry, const Sampler &sampler) {
  const gnomon_burst &record = *entry.record;
  ReportRow row;
  row.name = text(record.name);
  row.function = text(record.function);
  row.file = text(record.file);
  row.line = record.line;
  row.executed = entry.executed;
  row.skipped = entry.skipped;
  row.skippedSeconds = entry.skippedSeconds;
  row.skippable = maySkip(record.flags, record.phase, record.reason, sampler);
  const gnomon_burst_plan *decided = record.decided;
  row.decided = !row.skippable && decided &&
                maySkip(decided->flags, decided->phase, decided->reason, sampler);
  row.local = entry.local;
  row.why = whyExecuted(entry, sampler);
  return row;
}

/// Adds what the samples of \p slot say; returns the variance of its charged seconds.
double addSlot(const Slot &slot, const Entry &entry, ReportRow &row, double &weightedSpread) {
  double variance = 0;
  for (size_t kind = 0; kind < Warmths; ++kind) {
    const Estimator &samples = slot.samples[kind];
    row.samples += samples.count();
    row.outliers += samples.outliers();
    if (samples.rate() > 0)
      weightedSpread += samples.count() * samples.spread() / samples.rate();
    if (slot.skippedSeconds[kind] <= 0 || entry.fixedRate)
      continue;
    // One sample says nothing of its error; it may be off by itself.
    const double relative = slot.knownError[kind].value_or(std::min(1.0, samples.relativeError()));
    const double error = slot.skippedSeconds[kind] * relative;
    variance += error * error;
  }
  return variance;
}

/// Samples are off by no more than so much; what seems longer was something else.
constexpr double MostOff = 3;

/// \p whole: seconds of all that was executed, bursts and what lies between, by the thread's clock.
/// To measure a short instance disturbs it, so that samples may say more than the whole: then they
/// only divide it. Returns whether what they say of the rows' shares is to be believed.
bool divide(std::vector<ReportRow> &rows, double whole) {
  double executed = 0;
  for (const ReportRow &row : rows)
    executed += row.seconds;
  if (executed > whole)
    for (ReportRow &row : rows)
      row.seconds *= std::max(0.0, whole) / executed;
  return executed <= MostOff * whole;
}

/// \p rows: by the records' places.
std::vector<HoldingPoint> holdingPoints(const std::vector<ReportRow> &rows) {
  std::vector<HoldingPoint> all;
  PointNames names;
  for (const gnomon_module *module : modules())
    for (uint64_t i = 0; i < module->point_count; ++i) {
      const gnomon_point &point = *module->points[i];
      HoldingPoint holding{names.next(point), text(point.what), 0, 0};
      for (uint32_t n = 0; n < point.held_count; ++n) {
        const uint32_t index = point.held[n]->index;
        if (index == 0 || !rows[index - 1].decided || rows[index - 1].seconds <= 0)
          continue;
        ++holding.bursts;
        holding.seconds += rows[index - 1].seconds;
      }
      if (holding.seconds > 0)
        all.push_back(std::move(holding));
    }
  std::sort(all.begin(), all.end(), [](const HoldingPoint &a, const HoldingPoint &b) {
    const auto place = [](const PointKey &key) {
      return std::tie(key.file, key.line, key.function, key.ordinal);
    };
    return a.seconds != b.seconds ? a.seconds > b.seconds : place(a.key) < place(b.key);
  });
  return all;
}

} // namespace

/// How far this machine's speed lies from itself, as a share: between runs, and by how much its
/// correction may be wrong (CoreSpeed.h).
double Bursts::hostDrift() const {
  return std::hypot(settings_.hostDrift, CoreSpeed::ShareDoubt * cores_.figures().corrected);
}

Report Bursts::report() {
  countRepeats();
  Report report;
  report.active = true;
  report.skipping = sampler_.skips();
  report.learning = sampler_.watching();
  std::vector<ReportRow> rows;
  std::vector<double> spreads(sampler_.entries().size());
  for (const Entry &entry : sampler_.entries())
    rows.push_back(rowOf(entry, sampler_));
  double variance = 0;
  for (const Slot &slot : sampler_.slots()) {
    variance +=
        addSlot(slot, sampler_.entries()[slot.burst], rows[slot.burst], spreads[slot.burst]);
    rows[slot.burst].seconds += sampler_.executedSeconds(slot);
    report.sampledSeconds +=
        std::accumulate(slot.skippedSeconds.begin(), slot.skippedSeconds.end(), 0.0);
  }
  const double all = report.sampledSeconds;
  report.sampledSeconds = std::max(0.0, all - skippedBeyond_);
  for (ReportRow &row : rows)
    row.skippedSeconds *= all > 0 ? report.sampledSeconds / all : 1;
  for (const auto &rank : world_.ranks)
    report.computedSeconds += rank->burst.chargedSeconds();
  report.watchedInPart = stoppedWatching_;
  report.watchedSeconds = stoppedWatching_ ? watchedSeconds_ : report.computedSeconds;
  report.clocked = mode_ == ComputeMode::Measured;
  report.sharesKnown =
      divide(rows, report.watchedSeconds - report.sampledSeconds - variationSeconds_);
  for (ReportRow &row : rows)
    row.seconds += row.skippedSeconds;
  report.holding = holdingPoints(rows);
  for (size_t i = 0; i < rows.size(); ++i) {
    ReportRow &row = rows[i];
    row.relativeSpread = row.samples ? spreads[i] / static_cast<double>(row.samples) : 0;
    report.executed += row.executed;
    report.skipped += row.skipped;
    report.outliers += row.outliers;
    report.skippableSeconds += row.skippable ? row.seconds : 0;
    report.decidedSeconds += row.decided ? row.seconds : 0;
    if (row.executed + row.skipped > 0)
      report.rows.push_back(std::move(row));
  }
  if (decisions())
    report.decisions = decisionReport();
  const double drift = mode_ == ComputeMode::Measured ? hostDrift() : 0;
  const auto interval = [&](double seconds) {
    return NormalQuantile * std::hypot(std::sqrt(variance), drift * seconds);
  };
  report.intervalSeconds = interval(report.sampledSeconds);
  report.computedIntervalSeconds = interval(report.computedSeconds);
  report.preempted = preempted_;
  report.faulted = faulted_;
  report.dropped = dropped_;
  report.guessed = sampler_.guessed();
  report.guessedSeconds = sampler_.guessedSeconds();
  for (const gnomon_error_site *site : errorSites_) {
    report.errorPaths += site->stays ? 0 : site->taken;
    report.errorSites.push_back(
        {text(site->function), text(site->file), site->line, site->taken, site->stays != 0});
  }
  for (const Entry &entry : sampler_.entries())
    if (missing_.contains(entry.record) && entry.executed + entry.skipped > 0)
      report.notInProfile.push_back(placeOf(keys_.at(entry.record)));
  if (fold::FoldedMemory *folded = fold::memory())
    report.folding = folded->report();
  return report;
}

Profile recordedProfile() { return bursts() ? bursts()->recorded() : Profile{}; }

std::vector<EarlierRate> foundRates() {
  return bursts() ? bursts()->foundRates() : std::vector<EarlierRate>();
}

Report report() { return bursts() ? bursts()->report() : Report{}; }

} // namespace gnomon::process::burst
