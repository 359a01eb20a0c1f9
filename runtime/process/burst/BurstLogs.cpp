// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a run that records decisions writes of bursts, and what one that is given decisions takes of it: what instances
/// cost, and what they execute where no formula tells it.
#include "process/burst/Bursts.h"
#include "process/ranks/Processor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::process::burst {
namespace {

PointKey placeOf(const BurstKey &key) {
  return {key.file, key.function, key.line, key.ordinal + 1};
}

/// With --compute=counted, whose costs are the same everywhere.
constexpr char InstructionsAsMachine[] = "counted instructions";

/// Less computation that is measured, where it is given, is not worth a word.
constexpr double LeastUnlike = 0.02;

/// A mean of kinds' costs, and of their relative errors' squares.
struct Mean {
  double cost = 0, units = 0, squares = 0;
  uint64_t samples = 0;

  void add(double rate, double of, double error, uint64_t count) {
    cost += rate * of;
    units += of;
    squares += rate * of * error * rate * of * error;
    samples += count;
  }
  ProfileRow row(int bucket, int warmth) const {
    ProfileRow row{.bucket = bucket, .warmth = warmth, .instances = samples};
    row.secondsPerWork = units > 0 ? cost / units : 0;
    if (cost > 0)
      row.spread = std::sqrt(squares * static_cast<double>(samples)) / cost;
    return row;
  }
};

} // namespace

std::string Bursts::costUnit() const {
  return mode_ == ComputeMode::Measured  ? processorName()
         : mode_ == ComputeMode::Counted ? InstructionsAsMachine
                                         : "";
}

void Bursts::prepareLogs() {
  const DecisionLog *given = settings_.decisions->given();
  if (!given) {
    // Nothing is executed with counted instructions that would show what a formula is worth.
    volumes_.emplace(mode_ == ComputeMode::Counted ? VolumeRecorder::Kept::All
                                                   : VolumeRecorder::Kept::Missed);
    countsVolumes_ = true;
    if (mode_ == ComputeMode::Measured)
      stretches_.emplace();
    return;
  }
  givenVolumes_.emplace(*given, static_cast<uint32_t>(world_.ranks.size()),
                        settings_.decisions->fromRank(), !decisions()->trusts(),
                        decisions()->nothingDiffers());
  // Where something is an assumption, what is executed to learn costs is compared with what is given, unless the user
  // trusts it. And a user who says how many samples there shall be wants them.
  givesCosts_ = (decisions()->nothingDiffers() || decisions()->trusts()) && !costUnit().empty() &&
                given->machine == costUnit() && sampler_.skips() && !settings_.sample.exact;
  if (!givesCosts_)
    return;
  sampler_.knowAll();
  // On other ranks, and with other input, bursts cost what they cost, but stretches have other work.
  if (mode_ == ComputeMode::Measured && decisions()->nothingDiffers() && !given->stretches.empty())
    givenStretches_.emplace(given->stretches);
}

/// By all of its name; or, where lines have moved, by the rest.
const BurstLog *Bursts::givenLog(const BurstKey &key) const {
  if (!givenVolumes_)
    return nullptr;
  const PointKey place = placeOf(key);
  const BurstLog *moved = nullptr;
  for (const BurstLog &log : settings_.decisions->given()->bursts) {
    if (log.key.file != place.file || log.key.function != place.function ||
        log.key.ordinal != place.ordinal)
      continue;
    if (log.key.line == place.line)
      return &log;
    moved = &log;
  }
  return moved;
}

/// A row for each kind with samples, and one for those that had none. \p byVolume: the unit of work is an instruction.
std::vector<ProfileRow> Bursts::costsOf(const Entry &entry, bool byVolume) const {
  if (mode_ == ComputeMode::Counted)
    return {ProfileRow{.instances = 1, .secondsPerWork = 1}};
  if (byVolume)
    return volumes_->costsPerInstruction(*entry.record);
  std::vector<ProfileRow> rows;
  Mean all;
  for (uint32_t number : entry.slots) {
    if (number == 0)
      continue;
    const Slot &slot = sampler_.slots()[number - 1];
    for (size_t kind = 0; kind < Warmths; ++kind) {
      const Estimator &samples = slot.samples[kind];
      if (samples.count() == 0)
        continue;
      Mean mean;
      for (Mean *of : {&mean, &all})
        of->add(samples.rate() * slot.factor[kind], slot.executedWork[kind],
                std::min(1.0, samples.relativeError()), samples.count());
      rows.push_back(mean.row(slot.bucket, static_cast<int>(kind)));
    }
  }
  if (!rows.empty())
    rows.push_back(all.row(-1, -1));
  return rows;
}

static bool isLogged(const Entry &entry) {
  return maySometimesBeSkipped(*entry.record) && entry.executed > 0;
}

std::vector<BurstLog> Bursts::recordedBursts() const {
  std::vector<BurstLog> logs;
  if (!recordsBursts())
    return logs;
  for (const Entry &entry : sampler_.entries()) {
    if (!isLogged(entry))
      continue;
    BurstLog log;
    log.key = placeOf(keys_.at(entry.record));
    log.volumes = volumes_->volumesOf(*entry.record);
    log.repeats = volumes_->repeatsOf(*entry.record, log.volumes);
    if (!log.volumes.empty())
      log.perWork = volumes_->perWork(*entry.record);
    if (!costUnit().empty())
      log.costs = costsOf(entry, !log.volumes.empty());
    if (mode_ == ComputeMode::Measured)
      log.chances = sampler_.chancesOf(*entry.record);
    logs.push_back(std::move(log));
  }
  return logs;
}

/// None where the user says what bursts cost, or how often they are executed: that holds. \p logs: of the bursts.
std::vector<StretchLog> Bursts::recordedStretches(std::span<const BurstLog> logs) const {
  const std::vector<Entry> &entries = sampler_.entries();
  if (!recordsBursts() || !stretches_ || userSays_)
    return {};
  std::vector<StretchRecorder::Later> bursts;
  auto log = logs.begin();
  for (const Entry &entry : entries) {
    const BurstLog *const its = isLogged(entry) ? &*log++ : nullptr;
    bursts.push_back({entry.name, sizingOf(its), its});
  }
  std::vector<uint32_t> firsts;
  std::vector<StretchLog> all = stretches_->logs(bursts, firsts);
  for (size_t i = 0; i < all.size(); ++i)
    if (firsts[i] != 0 && keys_.contains(entries[firsts[i] - 1].record))
      all[i].first = placeOf(keys_.at(entries[firsts[i] - 1].record));
  return all;
}

DecisionReport Bursts::decisionReport() const {
  DecisionReport report = decisions()->report();
  const DecisionLog *given = decisions()->given();
  if (!given) {
    if (recordsBursts())
      report.volumes = static_cast<uint64_t>(
          std::ranges::count_if(sampler_.entries(), [this](const Entry &entry) {
            return isLogged(entry) && volumes_->writes(*entry.record);
          }));
    return report;
  }
  report.volumes = givenVolumes_->bursts();
  const uint64_t anew = givenVolumes_->foundAnew(), taken = report.volumes - anew;
  if (taken && given->ranks != world_.ranks.size())
    report.notes.push_back(fmt::format("what instances of {} burst{} execute was recorded on {} "
                                       "ranks: that those of {} execute the same in turn is an "
                                       "assumption",
                                       taken, taken == 1 ? "" : "s", given->ranks,
                                       world_.ranks.size()));
  if (followFormula_)
    report.notes.push_back(
        fmt::format("what instances of {} burst{} execute was recorded of "
                    "another run: that it follows the work that {} is an "
                    "assumption",
                    followFormula_, followFormula_ == 1 ? "" : "s",
                    followFormula_ == 1 ? "its formula tells" : "their formulas tell"));
  if (anew)
    report.notes.push_back(fmt::format("what instances of {} burst{} execute was recorded on {} "
                                       "ranks: each of {} finds its own with its first instances, "
                                       "and that they are repeated is an assumption",
                                       anew, anew == 1 ? "" : "s", given->ranks,
                                       world_.ranks.size()));
  if (const double share = givenStretches_ ? givenStretches_->unlikeShare() : 0;
      share > LeastUnlike)
    report.notes.push_back(
        fmt::format("{:.0f} % of the computation are stretches unlike those that "
                    "were recorded: they are measured",
                    100 * share));
  const bool wanted = decisions()->nothingDiffers() && !costUnit().empty() && sampler_.skips() &&
                      !given->machine.empty();
  if (wanted && given->machine != costUnit())
    report.notes.push_back(
        mode_ == ComputeMode::Counted || given->machine == InstructionsAsMachine
            ? "what bursts cost was recorded with another --compute: it is learned anew"
            : fmt::format("what bursts cost was measured on another processor ({}, not {}): it is "
                          "measured anew",
                          given->machine, costUnit()));
  return report;
}

} // namespace gnomon::process::burst
