// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The hooks of bursts (gnomon/Hooks.def). A thread that is no rank, code that the runtime itself
/// calls (a reduction's function), and runs that leave bursts alone execute everything.
#include "gnomon/Module.h"
#include "process/burst/Bursts.h"
#include "process/burst/Formula.h"
#include "process/image/Modules.h"
#include "process/ranks/BurstClock.h"
#include "process/ranks/CountedStretch.h"
#include "process/ranks/CycleClock.h"
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

/// Of HookWay::NamesOnly, where CountedStretch does not do.
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

// Where what comes again is counted (Repeats.h): ways that call nothing, and those that the others end with.

[[gnu::noinline]] int beginOtherwise(gnomon_burst &record, uint64_t work, const void *frame) {
  Rank *rank = activeRank();
  return !rank || burst::bursts()->beginRepeat(rank->burst, record, work, frame);
}

/// One in many is timed.
[[gnu::noinline]] int beginTimed(gnomon_burst &record, uint64_t work, const void *frame) {
  burst::RepeatHooks &hooks = burst::repeatHooks;
  if (!burst::bursts() || !burst::bursts()->timesHooks())
    return beginOtherwise(record, work, frame);
  hooks.untilTimed = burst::RepeatHooks::HooksPerTimed;
  const uint64_t since = readCycles();
  burst::Repeat *again = hooks.find(record.index, work);
  if (!again || hooks.expectedCost > burst::Bursts::LongStretchSeconds)
    return beginOtherwise(record, work, frame);
  hooks.expectedCost += hooks.HooksPerTimed * again->cost;
  int runs = 1;
  if (onlyCounter) [[likely]]
    hooks.begin(*again, record, frame, *onlyCounter);
  else
    runs = beginOtherwise(record, work, frame); // several modules count: all go this way
  burst::bursts()->noteHook(since);
  return runs;
}

/// gnomon_burst_begin.
[[gnu::noinline]] int beginAgain(gnomon_burst &record, uint64_t work, const void *frame) {
  burst::RepeatHooks &hooks = burst::repeatHooks;
  if (--hooks.untilTimed == 0) [[unlikely]]
    return beginTimed(record, work, frame);
  burst::Repeat *again = hooks.find(record.index, work);
  const uint64_t *counter = onlyCounter;
  if (!again || !counter) [[unlikely]]
    return beginOtherwise(record, work, frame);
  hooks.begin(*again, record, frame, *counter);
  return 1;
}

[[gnu::noinline]] int beginOfOtherWork(gnomon_burst &record, int64_t a, int64_t b, int64_t c,
                                       int64_t d, const void *frame) {
  const std::optional<uint64_t> work = burst::knownWork(*record.formula, a, b, c, d);
  return work ? beginAgain(record, *work, frame)
              : beginOtherwise(record, burst::workOf(*record.formula, a, b, c, d), frame);
}

/// gnomon_burst_begin_with.
[[gnu::noinline]] int beginAgainWith(gnomon_burst &record, int64_t a, int64_t b, int64_t c,
                                     int64_t d, const void *frame) {
  const gnomon_formula &formula = *record.formula;
  if (formula.work != 0 && burst::isOf(formula, a, b, c, d)) [[likely]]
    return beginAgain(record, formula.work, frame);
  return beginOfOtherWork(record, a, b, c, d, frame);
}

[[gnu::noinline]] void endOtherwise(gnomon_burst &record, int64_t ahead) {
  if (Rank *rank = activeRank())
    burst::bursts()->endRepeat(rank->burst, record, ahead);
}

[[gnu::noinline]] void endTimed(gnomon_burst &record, int64_t ahead) {
  burst::RepeatHooks &hooks = burst::repeatHooks;
  if (!burst::bursts() || !burst::bursts()->timesHooks())
    return endOtherwise(record, ahead);
  hooks.untilTimed = burst::RepeatHooks::HooksPerTimed;
  const uint64_t since = readCycles();
  const bool same = hooks.record == &record;
  if (same && onlyCounter && hooks.end(*onlyCounter - static_cast<uint64_t>(ahead))) [[likely]] {
    burst::bursts()->noteHook(since);
    return;
  }
  endOtherwise(record, ahead);
  if (same && !onlyCounter)
    burst::bursts()->noteHook(since);
}

/// gnomon_burst_end.
[[gnu::noinline]] void endAgain(gnomon_burst &record, int64_t ahead) {
  burst::RepeatHooks &hooks = burst::repeatHooks;
  if (--hooks.untilTimed == 0) [[unlikely]]
    return endTimed(record, ahead);
  const uint64_t *counter = onlyCounter;
  if (hooks.record != &record || !counter || !hooks.end(*counter - static_cast<uint64_t>(ahead)))
      [[unlikely]]
    endOtherwise(record, ahead);
}

[[gnu::always_inline]] inline void endOf(Rank &rank, gnomon_burst &record, int64_t ahead) {
  if (burst::hookWay == burst::HookWay::NamesOnly)
    burst::bursts()->endNamed(rank, record, ahead);
  else
    burst::bursts()->end(rank.burst, record, ahead);
}

/// The end of an instance, of a rank that is still to be found.
[[gnu::noinline]] void endAnywhere(gnomon_burst *record, int64_t ahead) {
  if (Rank *rank = activeRank())
    endOf(*rank, *record, ahead);
}

/// Of HookWay::NamesOnly.
[[gnu::always_inline]] inline int beginCounted(gnomon_burst *record, const void *frame) {
  const uint64_t *const counter = onlyCounter;
  if (countedStretch.instance || !counter || record->index == 0)
    return beginNamed(record, frame);
  countedStretch.begin(*record, frame, *counter);
  return 1;
}

[[gnu::always_inline]] inline void endCounted(gnomon_burst *record, int64_t ahead) {
  const uint64_t *const counter = onlyCounter;
  if (countedStretch.instance != record || !counter) [[unlikely]]
    return endAnywhere(record, ahead);
  burst::bursts()->endCounted(*record, countedStretch.end(ahead, *counter));
}

[[gnu::always_inline]] inline void end(gnomon_burst *record, int64_t ahead) {
  if (burst::hookWay == burst::HookWay::NamesOnly)
    return endCounted(record, ahead);
  if (burst::hookWay == burst::HookWay::Repeats)
    return endAgain(*record, ahead);
  Rank *rank = rankInPlace;
  if (!isActive(rank)) [[unlikely]]
    return endAnywhere(record, ahead);
  burst::bursts()->end(rank->burst, *record, ahead);
}

} // namespace

#define GNOMON_EXPORTED extern "C" __attribute__((visibility("default")))

GNOMON_EXPORTED int gnomon_burst_begin(gnomon_burst *record, uint64_t work) {
  const void *frame = __builtin_frame_address(0);
  if (burst::hookWay == burst::HookWay::NamesOnly)
    return beginCounted(record, frame);
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
  if (burst::hookWay == burst::HookWay::NamesOnly)
    return beginCounted(record, frame);
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

GNOMON_EXPORTED void gnomon_reads_back(int what, int64_t of) {
  if (WrittenFiles *files = currentRank() ? writtenFiles() : nullptr)
    files->mayReadBack(static_cast<uint32_t>(what), of);
}
