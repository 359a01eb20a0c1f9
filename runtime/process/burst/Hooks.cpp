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

// The hooks' own code calls nothing but the functions here, at its end, so that it saves few registers: most instances
// are skipped at once, or only told.

[[gnu::noinline]] int begin(gnomon_burst &record, uint64_t work, const void *frame) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  return burst::bursts()->begin(rank->burst, record, work, frame);
}

/// What hooks say of an instance that is not executed. The compiler is not to know it of the functions that end with
/// this: it would give it back in their callers, which could then not end with their calls.
[[gnu::always_inline]] inline int notExecuted() {
  int executed = 0;
  asm("" : "+r"(executed));
  return executed;
}

[[gnu::noinline]] int keepSlice(BurstClock &clock, gnomon_burst &record, uint64_t work,
                                const void *frame, double cost) {
  burst::bursts()->keepSlice(clock, record, work, frame, cost);
  return notExecuted();
}

[[gnu::always_inline]] inline int keepSliceOf(BurstClock &clock, gnomon_burst &record,
                                              uint64_t work, const void *frame, double cost) {
  if (record.flags & GNOMON_BURST_SLICED) [[unlikely]]
    return keepSlice(clock, record, work, frame, cost);
  return notExecuted();
}

[[gnu::always_inline]] inline int skip(BurstClock &clock, burst::Entry &entry, uint32_t slot,
                                       burst::SteadyWork work, const void *frame) {
  const double cost = burst::bursts()->skipAtOnce(clock, entry, slot, work);
  return keepSliceOf(clock, *entry.record, work.units, frame, cost);
}

[[gnu::noinline]] int skipInFirstPass(BurstClock &clock, burst::Entry &entry, uint32_t slot,
                                      burst::SteadyWork work, const void *frame) {
  const auto cost = burst::bursts()->skipInFirstPass(clock, entry, slot, work);
  if (!cost) [[unlikely]]
    return begin(*entry.record, work.units, frame);
  return keepSliceOf(clock, *entry.record, work.units, frame, *cost);
}

[[gnu::always_inline]] inline int skipOrBegin(BurstClock &clock, gnomon_burst &record,
                                              burst::SteadyWork work, const void *frame) {
  const auto found = burst::bursts()->findAtOnce(clock, record, work.units);
  if (!found.entry) [[unlikely]]
    return begin(record, work.units, frame);
  if (!found.behindFirst) [[unlikely]]
    return skipInFirstPass(clock, *found.entry, found.slot, work, frame);
  return skip(clock, *found.entry, found.slot, work, frame);
}

[[gnu::noinline]] int beginWith(gnomon_burst &record, int64_t a, int64_t b, int64_t c, int64_t d,
                                const void *frame) {
  Rank *rank = activeRank();
  if (!rank) [[unlikely]]
    return 1;
  const bool asks = burst::bursts()->asksForWork();
  const uint64_t work = asks ? burst::workOf(*record.formula, a, b, c, d) : 0;
  if (record.flags & GNOMON_BURST_VOLUMES) [[unlikely]]
    return begin(record, work, frame);
  return skipOrBegin(rank->burst, record, {work}, frame);
}

/// Of HookWay::NamesOnly, of a rank that is still to be found.
[[gnu::noinline]] int beginNamed(gnomon_burst *record, const void *frame) {
  Rank *rank = activeRank();
  return !rank || burst::bursts()->beginNamed(*rank, *record, frame);
}

/// gnomon_burst_begin_with where work is asked for: apart, for it saves many registers.
[[gnu::noinline]] int beginOfWork(gnomon_burst &record, int64_t a, int64_t b, int64_t c, int64_t d,
                                  const void *frame) {
  Rank *rank = rankInPlace;
  if (isActive(rank)) [[likely]]
    if (const auto steady = burst::bursts()->steadyWork(
            rank->burst, record, [=] { return burst::knownWork(*record.formula, a, b, c, d); }))
      return skipOrBegin(rank->burst, record, *steady, frame);
  return beginWith(record, a, b, c, d, frame);
}

/// Where what comes again is counted, an instance of which the work is known. \p since: Bursts::startOfHook.
[[gnu::always_inline]] inline int beginAgain(gnomon_burst &record, uint64_t work, const void *frame,
                                             uint64_t since) {
  Rank *rank = rankInPlace;
  if (isActive(rank)) [[likely]]
    if (burst::bursts()->beginAgain(rank->burst, record, work, frame, since)) [[likely]]
      return 1;
  return begin(record, work, frame);
}

/// gnomon_burst_begin where what comes again is counted.
[[gnu::noinline]] int beginAgain(gnomon_burst &record, uint64_t work, const void *frame) {
  return beginAgain(record, work, frame, burst::bursts()->startOfHook());
}

/// gnomon_burst_begin_with where what comes again is counted.
[[gnu::noinline]] int beginAgainWith(gnomon_burst &record, int64_t a, int64_t b, int64_t c,
                                     int64_t d, const void *frame) {
  const uint64_t since = burst::bursts()->startOfHook();
  const std::optional<uint64_t> work = burst::knownWork(*record.formula, a, b, c, d);
  return work ? beginAgain(record, *work, frame, since) : beginWith(record, a, b, c, d, frame);
}

[[gnu::noinline]] void endUsually(Rank &rank, gnomon_burst &record, int64_t ahead) {
  burst::bursts()->end(rank.burst, record, ahead);
}

[[gnu::noinline]] void endAgain(Rank &rank, gnomon_burst &record, int64_t ahead) {
  burst::Bursts &bursts = *burst::bursts();
  if (!bursts.endAgain(rank.burst, record, ahead, bursts.startOfHook())) [[unlikely]]
    endUsually(rank, record, ahead);
}

[[gnu::always_inline]] inline void endOf(Rank &rank, gnomon_burst &record, int64_t ahead) {
  if (burst::hookWay == burst::HookWay::NamesOnly)
    burst::bursts()->endNamed(rank, record, ahead);
  else if (burst::hookWay == burst::HookWay::Repeats)
    endAgain(rank, record, ahead);
  else
    burst::bursts()->end(rank.burst, record, ahead);
}

/// The end of an instance, of a rank that is still to be found.
[[gnu::noinline]] void endAnywhere(gnomon_burst *record, int64_t ahead) {
  if (Rank *rank = activeRank())
    endOf(*rank, *record, ahead);
}

[[gnu::always_inline]] inline void end(gnomon_burst *record, int64_t ahead) {
  Rank *rank = rankInPlace;
  if (!isActive(rank)) [[unlikely]]
    return endAnywhere(record, ahead);
  endOf(*rank, *record, ahead);
}

} // namespace

#define GNOMON_EXPORTED extern "C" __attribute__((visibility("default")))

GNOMON_EXPORTED int gnomon_burst_begin(gnomon_burst *record, uint64_t work) {
  const void *frame = __builtin_frame_address(0);
  if (burst::hookWay == burst::HookWay::NamesOnly)
    return beginNamed(record, frame);
  if (burst::hookWay == burst::HookWay::Repeats)
    return beginAgain(*record, work, frame);
  Rank *rank = rankInPlace;
  if (isActive(rank)) [[likely]]
    if (const auto steady =
            burst::bursts()->steadyWork(rank->burst, *record, [=] { return std::optional(work); }))
      return skipOrBegin(rank->burst, *record, *steady, frame);
  return begin(*record, work, frame);
}

GNOMON_EXPORTED int gnomon_burst_begin_with(gnomon_burst *record, int64_t a, int64_t b, int64_t c,
                                            int64_t d) {
  const void *frame = __builtin_frame_address(0);
  if (burst::hookWay == burst::HookWay::NamesOnly) {
    Rank *rank = rankInPlace;
    return isActive(rank) ? burst::bursts()->beginNamed(*rank, *record, frame)
                          : beginNamed(record, frame);
  }
  if (burst::hookWay == burst::HookWay::Repeats)
    return beginAgainWith(*record, a, b, c, d, frame);
  return beginOfWork(*record, a, b, c, d, frame);
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
