// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The hooks of bursts (gnomon/Hooks.def). A thread that is no rank, code that the runtime itself
/// calls (a reduction's function), and runs that leave bursts alone execute everything.
#include "gnomon/Module.h"
#include "process/burst/Bursts.h"
#include "process/burst/Formula.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/Rank.h"
#include "process/ranks/WrittenFiles.h"

using namespace gnomon::process;

namespace {

/// The clock of the rank whose own code runs; null: everything is executed, nothing is counted.
BurstClock *activeClock() {
  Rank *rank = rankInPlace;
  if (!rank) [[unlikely]]
    rank = currentRank();
  if (!rank || !rank->burst.bursts() || !rank->burst.inProgram()) [[unlikely]]
    return nullptr;
  return &rank->burst;
}

} // namespace

#define GNOMON_EXPORTED extern "C" __attribute__((visibility("default")))

GNOMON_EXPORTED int gnomon_burst_begin(gnomon_burst *record, uint64_t work) {
  BurstClock *clock = activeClock();
  if (!clock) [[unlikely]]
    return 1;
  return burst::bursts()->begin(*clock, *record, work, __builtin_frame_address(0));
}

GNOMON_EXPORTED int gnomon_burst_begin_with(gnomon_burst *record, int64_t a, int64_t b, int64_t c,
                                            int64_t d) {
  BurstClock *clock = activeClock();
  if (!clock) [[unlikely]]
    return 1;
  burst::Bursts *bursts = burst::bursts();
  const uint64_t work = bursts->asksForWork() ? burst::workOf(*record->formula, a, b, c, d) : 0;
  return bursts->begin(*clock, *record, work, __builtin_frame_address(0));
}

GNOMON_EXPORTED int64_t gnomon_decide(gnomon_point *point, int64_t value) {
  const Rank *rank = currentRank();
  return rank && burst::bursts() ? burst::bursts()->decide(*rank, *point, value) : value;
}

GNOMON_EXPORTED int gnomon_computes(gnomon_point *point) {
  const Rank *rank = currentRank();
  return !rank || !burst::bursts() || burst::bursts()->computes(*rank, *point);
}

GNOMON_EXPORTED void gnomon_burst_end(gnomon_burst *record) {
  if (BurstClock *clock = activeClock())
    burst::bursts()->end(*clock, *record);
}

GNOMON_EXPORTED void gnomon_burst_end_with(gnomon_burst *record, int64_t ahead) {
  if (BurstClock *clock = activeClock())
    burst::bursts()->end(*clock, *record, ahead);
}

GNOMON_EXPORTED void gnomon_phase(uint32_t phase) {
  Rank *rank = currentRank();
  if (rank && rank->burst.bursts())
    burst::bursts()->enterPhase(*rank->burst.bursts(), phase);
}

GNOMON_EXPORTED void gnomon_phase_where(uint32_t phase, int holds) {
  Rank *rank = holds ? currentRank() : nullptr;
  if (rank && rank->burst.bursts())
    burst::bursts()->enterPhaseWhere(*rank->burst.bursts(), phase);
}

GNOMON_EXPORTED int gnomon_error_path(gnomon_error_site *site) {
  return currentRank() && burst::bursts() ? burst::bursts()->errorPath(*site) : 1;
}

GNOMON_EXPORTED int gnomon_free_path(uint32_t plans) {
  return currentRank() && burst::bursts() ? burst::bursts()->mayFree(plans) : 1;
}

GNOMON_EXPORTED void gnomon_unit(int unit, int use) {
  const Rank *rank = currentRank();
  if (WrittenFiles *files = rank ? writtenFiles() : nullptr)
    files->unit(*rank, unit, static_cast<UnitUse>(use));
}
