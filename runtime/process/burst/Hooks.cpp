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

[[gnu::always_inline]] inline bool isActive(const Rank *rank) {
  return rank && rank->burst.bursts() && rank->burst.inProgram();
}

/// The rank whose own code runs; null: everything is executed, nothing is counted.
[[gnu::always_inline]] inline Rank *activeRank() {
  Rank *rank = rankInPlace;
  if (!rank) [[unlikely]]
    rank = currentRank();
  return isActive(rank) ? rank : nullptr;
}

// Hooks keep nothing on the stack: what has to is apart.

/// gnomon_burst_begin_with, of a rank that is still to be found or a work that is not yet known.
[[gnu::noinline]] int beginWith(gnomon_burst *record, int64_t a, int64_t b, int64_t c, int64_t d,
                                const void *frame) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  const uint64_t work = burst::workOf(*record->formula, a, b, c, d);
  return burst::bursts()->begin(rank->burst, *record, work, frame);
}

/// The same where namesOnly.
[[gnu::noinline]] int beginNamed(gnomon_burst *record, const void *frame) {
  Rank *rank = activeRank();
  return !rank || burst::bursts()->beginNamed(*rank, *record, frame);
}

/// gnomon_burst_end_with, of a rank that is still to be found.
[[gnu::noinline]] void endWith(gnomon_burst *record, int64_t ahead) {
  Rank *rank = activeRank();
  if (!rank)
    return;
  if (burst::namesOnly)
    burst::bursts()->endNamed(*rank, *record, ahead);
  else
    burst::bursts()->end(rank->burst, *record, ahead);
}

[[gnu::always_inline]] inline void end(gnomon_burst *record, int64_t ahead) {
  Rank *rank = rankInPlace;
  if (!isActive(rank)) [[unlikely]]
    return endWith(record, ahead);
  if (burst::namesOnly)
    burst::bursts()->endNamed(*rank, *record, ahead);
  else
    burst::bursts()->end(rank->burst, *record, ahead);
}

} // namespace

#define GNOMON_EXPORTED extern "C" __attribute__((visibility("default")))

GNOMON_EXPORTED int gnomon_burst_begin(gnomon_burst *record, uint64_t work) {
  if (burst::namesOnly)
    return beginNamed(record, __builtin_frame_address(0));
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  return burst::bursts()->begin(rank->burst, *record, work, __builtin_frame_address(0));
}

GNOMON_EXPORTED int gnomon_burst_begin_with(gnomon_burst *record, int64_t a, int64_t b, int64_t c,
                                            int64_t d) {
  const void *frame = __builtin_frame_address(0);
  Rank *rank = rankInPlace;
  if (burst::namesOnly)
    return isActive(rank) ? burst::bursts()->beginNamed(*rank, *record, frame)
                          : beginNamed(record, frame);
  if (isActive(rank)) [[likely]]
    if (const uint64_t work = burst::knownWork(*record->formula, a, b, c, d)) [[likely]]
      return burst::bursts()->begin(rank->burst, *record, work, frame);
  return beginWith(record, a, b, c, d, frame);
}

GNOMON_EXPORTED void gnomon_burst_end(gnomon_burst *record) { end(record, 0); }

GNOMON_EXPORTED void gnomon_burst_end_with(gnomon_burst *record, int64_t ahead) {
  end(record, ahead);
}

GNOMON_EXPORTED int64_t gnomon_decide(gnomon_point *point, int64_t value) {
  const Rank *rank = currentRank();
  return rank && burst::bursts() ? burst::bursts()->decide(*rank, *point, value) : value;
}

GNOMON_EXPORTED int gnomon_computes(gnomon_point *point) {
  const Rank *rank = currentRank();
  return !rank || !burst::bursts() || burst::bursts()->computes(*rank, *point);
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
