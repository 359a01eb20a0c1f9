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

/// The rank whose own code runs; null: everything is executed, nothing is counted.
[[gnu::always_inline]] inline Rank *activeRank() {
  Rank *rank = rankInPlace;
  if (!rank) [[unlikely]]
    rank = currentRank();
  if (!rank || !rank->burst.bursts() || !rank->burst.inProgram()) [[unlikely]]
    return nullptr;
  return rank;
}

/// Where a rank's own code runs, and more is asked than in which burst.
[[gnu::noinline]] int beginWith(gnomon_burst *record, int64_t a, int64_t b, int64_t c, int64_t d,
                                const void *frame) {
  Rank *rank = rankInPlace;
  if (!rank) [[unlikely]]
    rank = currentRank();
  const uint64_t work = burst::workOf(*record->formula, a, b, c, d);
  return burst::bursts()->begin(rank->burst, *record, work, frame);
}

[[gnu::always_inline]] inline void endInstance(gnomon_burst *record, int64_t ahead) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return;
  burst::Bursts *bursts = burst::bursts();
  if (bursts->namesOnly())
    bursts->endNamed(*rank, *record, ahead);
  else
    bursts->end(rank->burst, *record, ahead);
}

} // namespace

#define GNOMON_EXPORTED extern "C" __attribute__((visibility("default")))

GNOMON_EXPORTED int gnomon_burst_begin(gnomon_burst *record, uint64_t work) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  burst::Bursts *bursts = burst::bursts();
  if (bursts->namesOnly())
    return bursts->beginNamed(*rank, *record, __builtin_frame_address(0));
  return bursts->begin(rank->burst, *record, work, __builtin_frame_address(0));
}

GNOMON_EXPORTED int gnomon_burst_begin_with(gnomon_burst *record, int64_t a, int64_t b, int64_t c,
                                            int64_t d) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  burst::Bursts *bursts = burst::bursts();
  if (bursts->namesOnly())
    return bursts->beginNamed(*rank, *record, __builtin_frame_address(0));
  return beginWith(record, a, b, c, d, __builtin_frame_address(0));
}

GNOMON_EXPORTED int64_t gnomon_decide(gnomon_point *point, int64_t value) {
  const Rank *rank = currentRank();
  return rank && burst::bursts() ? burst::bursts()->decide(*rank, *point, value) : value;
}

GNOMON_EXPORTED int gnomon_computes(gnomon_point *point) {
  const Rank *rank = currentRank();
  return !rank || !burst::bursts() || burst::bursts()->computes(*rank, *point);
}

GNOMON_EXPORTED void gnomon_burst_end(gnomon_burst *record) { endInstance(record, 0); }

GNOMON_EXPORTED void gnomon_burst_end_with(gnomon_burst *record, int64_t ahead) {
  endInstance(record, ahead);
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
