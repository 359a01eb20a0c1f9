// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points while a program runs: which plans hold of bursts where they are given, what a rank that comes to one gets, and
/// how long nothing is skipped because of them.
#include "process/burst/Bursts.h"
#include "process/burst/ExecutedPoints.h"
#include "process/image/Modules.h"
#include "process/ranks/Threads.h"
#include "process/ranks/World.h"
#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::process::burst {

/// Where decisions are given, another plan holds.
static void choosePlan(gnomon_burst &record) {
  if (!record.decided)
    return;
  const gnomon_burst_plan &plan = *record.decided;
  record.flags = plan.flags & GNOMON_BURST_IN_GROUP ? 0 : plan.flags;
  record.phase = plan.phase;
  record.reason = plan.reason;
  record.frail = plan.frail;
  record.frail_waits = plan.frail_waits;
  record.frail_count = plan.frail_count;
  record.decided = nullptr;
}

void Bursts::choosePlans(gnomon_module &module) const {
  for (uint64_t i = 0; i < module.burst_count; ++i)
    choosePlan(*module.bursts[i]);
  runWhatPointsRestOn(
      module, [this](const gnomon_point &point) { return settings_.decisions->executes(point); });
}

void Bursts::introducePoints(gnomon_module &module) {
  try {
    settings_.decisions->introduce(module);
  } catch (const InputError &error) {
    abortWorld(static_cast<int>(ExitCode::BadInput),
               fmt::format("gnomon: error: {}", error.what()));
  }
}

/// Another thread may come to a point before or behind the main one, as time has it: which values are whose, no file
/// could say.
void Bursts::checkThread(const Rank &rank, const gnomon_point &point) {
  if (runningThread(rank) != 0)
    abortWorld(static_cast<int>(ExitCode::BadInput),
               fmt::format("gnomon: error: a thread that rank {} has started decides at {}:{} in "
                           "{} ({}); decisions can "
                           "be recorded and given only where main's thread makes them: run without",
                           rank.number, point.file ? point.file : "?", point.line, point.function,
                           point.what));
}

/// Asks \p decide for what counts at the point.
template <class Decide>
auto Bursts::passPoint(const Rank &rank, gnomon_point &point, const Decide &decide) {
  if (rank.threads) [[unlikely]]
    checkThread(rank, point);
  Decisions &decisions = *settings_.decisions;
  if (!decisions.gives())
    return decide(decisions, /*exact=*/true); // all is executed, and nothing waited for
  const bool executed = decisions.executes(point);
  const auto counts = decide(decisions, /*exact=*/!sampler_.anySkipped());
  if (!executed && decisions.executes(point)) [[unlikely]]
    executeFromNowOn(point);
  if (holding_) [[unlikely]]
    letGo();
  return counts;
}

int64_t Bursts::decide(const Rank &rank, gnomon_point &point, int64_t value) {
  if (!settings_.decisions)
    return value;
  return passPoint(rank, point, [&](Decisions &decisions, bool exact) {
    return decisions.decide(rank.number, point, value, exact);
  });
}

const void *Bursts::decideEach(const Rank &rank, gnomon_point &point, PointArray array) {
  if (!settings_.decisions)
    return array.numbers;
  return passPoint(rank, point, [&](Decisions &decisions, bool exact) {
    return decisions.decideEach(rank.number, point, array, exact);
  });
}

bool Bursts::computes(const Rank &rank, const gnomon_point &point) {
  return !decisions() || decisions()->computes(rank.number, point, !sampler_.anySkipped());
}

void Bursts::holdWhatIsUnknown() {
  const bool awaits = decisions() && decisions()->awaits();
  const bool looks = givenVolumes_ && givenVolumes_->foundAnew() > 0;
  if (holding_ || sampler_.anySkipped() || !(awaits || looks))
    return;
  holding_ = true;
  sampler_.hold(true);
}

void Bursts::executeAll() {
  executesAll_ = true;
  sampler_.hold(true);
}

/// As soon as all is known.
void Bursts::letGo() {
  if (decisions()->awaits() || (givenVolumes_ && !givenVolumes_->isComplete()))
    return;
  holding_ = false;
  sampler_.hold(executesAll_);
}

/// Nothing has been skipped so far.
void Bursts::executeFromNowOn(const gnomon_point &point) {
  for (gnomon_module *module : modules())
    runWhatPointsRestOn(*module, [&](const gnomon_point &other) { return &other == &point; });
  sampler_.reconsider();
}

} // namespace gnomon::process::burst
