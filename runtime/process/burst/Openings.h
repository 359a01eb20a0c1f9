// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which bursts may be skipped: a burst is open when the pass allows it to be skipped at all, every
/// rank has entered its phase, and, for one that weakens others, the frail bursts have enough
/// samples (they can have no more once an instance has been skipped) and nobody watches. Once
/// weakened, frail bursts are frozen: they are skipped whatever is known of them. So are unsafe ones
/// once memory is folded that their addresses rest on.
#pragma once

#include "process/burst/Rates.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace gnomon::process::burst {

class Openings {
public:
  /// \p skips: whether anything is skipped in this run.
  Openings(bool skips, uint32_t ranks) : skips_(skips), ranks_(ranks) {}

  /// Finds Entry::open anew.
  void update(Entry &entry, const Rates &rates) const;
  void updateAll(Rates &rates) const;
  /// A closed \p entry, whose rate is known, is executed on \p rank: now and then it is looked at
  /// again, and after a while it waits no longer for frail ones.
  void lookAgain(const RankBursts &rank, Entry &entry, const Rates &rates) const;
  /// Some rank watches, or none any more.
  void setWatching(bool watching, Rates &rates);
  /// While held, nothing is skipped but what the user forces.
  void hold(bool held, Rates &rates);

  /// An instance of \p entry, which weakens others, is skipped for the first time.
  void weaken(Entry &entry);
  /// From now on unsafe bursts are skipped as soon as they may be.
  void freezeUnsafe() { unsafeAreFrozen_ = true; }
  /// Whether all unsafe bursts that there are may be skipped, and have samples enough; or none will ever need one.
  bool unsafeAreKnown(const Rates &rates) const;
  /// Whether a frail or unsafe burst can be executed no more.
  bool isFrozen(const Entry &entry) const {
    return (isFrail(entry) &&
            (entry.record->phase < frozenPhases_ || frozen_.contains(entry.record))) ||
           (unsafeAreFrozen_ && isUnsafe(entry) && entry.record->phase <= reached_);
  }

  void enterPhase(RankBursts &rank, uint32_t phase, Rates &rates);
  /// The same of a phase with a condition, which holds on the rank. What it was before all ranks were in the phase
  /// before says nothing.
  void enterPhaseWhere(RankBursts &rank, uint32_t phase, Rates &rates) {
    if (reached_ + 1 >= phase)
      enterPhase(rank, phase, rates);
  }
  /// Whether some rank came to a later phase without it: its condition did not hold there.
  bool isPassedOver(uint32_t phase) const {
    return phase < passedOver_.size() && passedOver_[phase];
  }
  void rankEnded(RankBursts &rank, Rates &rates);
  /// There are so many ranks now. Those that come late pass all phases again.
  void setRanks(uint32_t ranks, Rates &rates);
  /// The last phase that every rank has entered or ended before.
  uint32_t reachedPhase() const { return reached_; }

private:
  bool isKnown(const gnomon_burst &frail, bool needed, const Rates &rates) const;
  bool frailAreKnown(const Entry &weakening, const Rates &rates) const;
  void notePassed(uint32_t after, uint32_t phase, Rates &rates);

  bool skips_;
  uint32_t ranks_;
  bool watching_ = false;
  bool held_ = false;
  /// Frail bursts, one of whose weakening ones has been skipped.
  std::unordered_set<const gnomon_burst *> frozen_;
  /// Frail bursts of phases before it are frozen: a burst that weakens all has been skipped.
  uint32_t frozenPhases_ = 0;
  bool unsafeAreFrozen_ = false;
  uint32_t reached_ = 0; ///< the phase that every rank has entered
  uint32_t ended_ = 0;
  std::vector<uint32_t> passed_; ///< [k - 1]: ranks that have entered phase k or ended
  std::vector<bool> passedOver_;
};

} // namespace gnomon::process::burst
