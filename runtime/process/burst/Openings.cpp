// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Openings.h"

#include "process/burst/Tuning.h"

#include <algorithm>

namespace gnomon::process::burst {

void Openings::update(Entry &entry, const Rates &rates) const {
  const bool held = held_ && !(entry.record->flags & GNOMON_BURST_FORCED);
  entry.open = skips_ && !held && isSkippable(entry) && entry.record->phase <= reached_ &&
               (!entry.weakens || ((!watching_ || !entry.toWeaken || entry.impatient) &&
                                   frailAreKnown(entry, rates)));
}

void Openings::updateAll(Rates &rates) const {
  for (Entry &entry : rates.entries())
    update(entry, rates);
}

void Openings::lookAgain(const RankBursts &rank, Entry &entry, const Rates &rates) const {
  if (entry.executed >= InstancesLookedAt && entry.executed % InstancesBetweenLooks != 0)
    return;
  entry.impatient |= entry.passes >= PatiencePasses * ranks_ || rank.inPass > PatienceInstances;
  update(entry, rates);
}

void Openings::setWatching(bool watching, Rates &rates) {
  watching_ = watching;
  updateAll(rates);
}

void Openings::hold(bool held, Rates &rates) {
  held_ = held;
  updateAll(rates);
}

/// The pass lists whom a burst weakens; without a list it weakens all. A burst of a later phase is none of them: before
/// that it always runs, and what it needs is kept of all that may be skipped earlier.
void Openings::weaken(Entry &entry) {
  entry.toWeaken = false;
  const gnomon_burst &record = *entry.record;
  if (!record.frail)
    frozenPhases_ = std::max(frozenPhases_, record.phase + 1);
  for (uint32_t i = 0; record.frail && i < record.frail_count; ++i)
    frozen_.insert(record.frail[i]);
}

/// Whether \p frail may be frozen. It must be of a phase that has begun, because it is skipped from
/// then on; and have samples enough, where they are \p needed.
bool Openings::isKnown(const gnomon_burst &frail, bool needed, const Rates &rates) const {
  if (frail.phase > reached_)
    return false;
  if (!needed || rates.free() || rates.knowsAll())
    return true;
  const Entry *entry = rates.find(frail);
  return entry && (rates.suffice(*entry) || (!entry->expected && entry->executed == 0));
}

bool Openings::frailAreKnown(const Entry &weakening, const Rates &rates) const {
  const gnomon_burst &record = *weakening.record;
  if (!record.frail)
    return std::all_of(rates.entries().begin(), rates.entries().end(), [&](const Entry &entry) {
      return !isFrail(entry) || entry.record->phase > record.phase ||
             isKnown(*entry.record, !weakening.impatient, rates);
    });
  for (uint32_t i = 0; i < record.frail_count; ++i)
    if (!isKnown(*record.frail[i], i < record.frail_waits && !weakening.impatient, rates))
      return false;
  return true;
}

/// One that nobody has met may still come. Of one whose cost is given no sample is wanted, whatever its phase.
bool Openings::unsafeAreKnown(const Rates &rates) const {
  if (rates.free() || rates.knowsAll())
    return true;
  return std::all_of(rates.entries().begin(), rates.entries().end(), [&](const Entry &entry) {
    return !isUnsafe(entry) || entry.fixedRate || rates.knows(*entry.record) ||
           (entry.record->phase <= reached_ && rates.suffice(entry));
  });
}

void Openings::notePassed(uint32_t after, uint32_t phase, Rates &rates) {
  if (phase > passed_.size())
    passed_.resize(phase, ended_);
  for (uint32_t k = after; k < phase; ++k)
    ++passed_[k];
  const uint32_t before = reached_;
  while (reached_ < passed_.size() && passed_[reached_] >= ranks_)
    ++reached_;
  if (reached_ != before)
    updateAll(rates);
}

void Openings::setRanks(uint32_t ranks, Rates &rates) {
  ranks_ = ranks;
  if (reached_ == 0)
    return;
  reached_ = 0;
  updateAll(rates);
}

void Openings::enterPhase(RankBursts &rank, uint32_t phase, Rates &rates) {
  if (phase <= rank.phase || rank.ended)
    return;
  const uint32_t before = rank.phase;
  rank.phase = phase;
  if (passedOver_.size() < phase)
    passedOver_.resize(phase, false);
  for (uint32_t k = before + 1; k < phase; ++k)
    passedOver_[k] = true;
  notePassed(before, phase, rates);
}

void Openings::rankEnded(RankBursts &rank, Rates &rates) {
  if (rank.ended)
    return;
  rank.ended = true;
  notePassed(rank.phase, std::max(rank.phase, static_cast<uint32_t>(passed_.size())), rates);
  ++ended_;
}

} // namespace gnomon::process::burst
