// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances that come again as they came before. A run that records decisions executes everything, and so does a counted one
/// that skips nothing. Most instances of a burst have the work of the one before on the same rank, and execute as many
/// instructions. Nothing is to be decided of them: they are counted in one line of the cache, and told to the sampler and to
/// the volumes together: at the end of the stretch, or, where nobody looks at stretches, before one of them is looked at.
/// Instances that last about a microsecond would take half as much again if each were told by itself.
#pragma once

#include "gnomon/Burst.h"
#include "process/burst/Kinds.h"
#include "process/ranks/BurstClock.h"

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace gnomon::process::burst {

/// What a rank's latest instance of a burst and such a work was like that was executed and not measured.
struct alignas(64) Repeat {
  uint64_t work = 0;   ///< as the hook was told
  uint64_t volume = 0; ///< instructions that it executed; 0: not known yet
  uint32_t begun = 0;  ///< in the rank's stretch, or its present part
  uint32_t limit = 0;  ///< so many may begin; 0 while it is not listed
  uint32_t ended = 0;  ///< behind the last that is noted among the rank's volumes
  uint32_t next = 0;   ///< place of what the rank began behind a row of these the last time

  uint32_t noted = 0;     ///< of that volume, since the rank's stretch began: those that are noted
  uint32_t before = 0;    ///< of those that have ended, how many did before that
  uint32_t uncounted = 0; ///< have begun before, and the sampler has not heard of them
  uint32_t left = 0;      ///< so many like it may begin, when it is listed
  uint32_t burst = 0;     ///< its burst's index - 1
  uint32_t slot = NoSlot; ///< number of its Slot; NoSlot: there is none
  bool noting = false;    ///< what its burst's instances execute is noted
  bool listed = false;    ///< something is to be told of it at the end of the rank's stretch
  double cost = 0;        ///< that is expected of it
  uint64_t kind = 0;      ///< tells it from what has another slot, work or volume

  /// Of that volume in the rank's stretch.
  uint32_t endedNow() const { return noted + ended - before; }
  void beginStretch() {
    before = ended;
    noted = begun = limit = 0;
  }
};
static_assert(sizeof(Repeat) == 128);

/// A rank's. Each has a place, from 1 on.
class Repeats {
public:
  /// Works of a burst that are told apart: programs have few, by turns.
  static constexpr uint32_t Ways = 8;
  static constexpr uint32_t indexOf(uint32_t place) { return place / Ways; }
  static constexpr uint32_t firstOf(uint32_t index) { return index * Ways; }

  /// The place of the burst \p index, from 1 on, at which instances of \p work are kept; 0: nowhere.
  [[gnu::always_inline]] uint32_t find(uint32_t index, uint64_t work) const {
    const uint32_t place = findIn(all_.data(), all_.size(), index, work);
    return all_.empty() || all_[place].slot == NoSlot ? 0 : place;
  }
  /// The same of \p size places that begin at \p all; 0 or one with another slot: nowhere.
  [[gnu::always_inline]] static uint32_t findIn(const Repeat *all, size_t size, uint32_t index,
                                                uint64_t work) {
    uint32_t place = firstPlaceOf(index, work);
    if (place >= size) [[unlikely]]
      return 0;
    if (all[place].work != work) [[unlikely]]
      place = otherOf(place);
    return all[place].work == work ? place : 0;
  }
  /// Where one of \p work is kept, or will be.
  uint32_t placeFor(uint32_t index, uint64_t work) {
    makeRoom(index);
    const uint32_t place = firstPlaceOf(index, work), other = otherOf(place);
    const auto isFree = [&](uint32_t at) { return all_[at].slot == NoSlot; };
    if (all_[place].work == work || isFree(place))
      return place;
    return all_[other].work == work || isFree(other) ? other : place;
  }
  Repeat &operator[](uint32_t place) { return all_[place]; }
  /// There are places for the burst \p index.
  void makeRoom(uint32_t index) {
    if (firstOf(index + 1) <= all_.size())
      return;
    all_.resize(firstOf(index + 1));
    ended_.resize(index + 1);
  }
  /// The place of the burst \p index of which instances have ended, and are not noted; 0: none. What comes in turn is
  /// noted in turn, so there is one at most.
  uint32_t &endedOf(uint32_t index) { return ended_[index]; }
  /// So many bursts have places, 0 included.
  uint32_t bursts() const { return static_cast<uint32_t>(ended_.size()); }
  /// \p tell (what is there) all places, listed or not.
  template <class Tell> void forEach(const Tell &tell) {
    for (Repeat &again : all_)
      if (again.slot != NoSlot)
        tell(again);
  }
  Repeat *data() { return all_.data(); }
  size_t size() const { return all_.size(); }
  /// Something is to be told of what is at \p place.
  [[gnu::always_inline]] void list(Repeat &again, uint32_t place) {
    if (!again.listed) [[unlikely]]
      append(again, place);
  }
  const std::vector<uint32_t> &listed() const { return listed_; }
  /// Tells apart what stretches are made of: Σ of a number for each instance; 0: of nothing.
  uint64_t composition() const {
    uint64_t sum = 0;
    for (const uint32_t place : listed_) {
      const Repeat &again = all_[place];
      sum += again.begun * again.kind + again.endedNow() * std::rotl(again.kind, 32);
    }
    return sum;
  }
  /// \p tell (what is there) all places that are listed, in the order of their first ones. \p expect (what is there): it will soon be told.
  template <class Expect, class Tell> void tellAll(const Expect &expect, const Tell &tell) {
    for (const uint32_t place : listed_)
      expect(std::as_const(all_[place]));
    for (const uint32_t place : listed_) {
      tell(all_[place]);
      all_[place].listed = false;
    }
    listed_.clear();
  }

private:
  static constexpr uint32_t firstPlaceOf(uint32_t index, uint64_t work) {
    return firstOf(index) + static_cast<uint32_t>(work * 0x9e3779b97f4a7c15 >> 61);
  }
  static constexpr uint32_t otherOf(uint32_t place) { return place ^ 1; }
  [[gnu::noinline, clang::preserve_most]] void append(Repeat &again, uint32_t place) {
    again.listed = true;
    listed_.push_back(place);
  }

  std::vector<Repeat> all_;      ///< by place
  std::vector<uint32_t> listed_; ///< places
  std::vector<uint32_t> ended_;  ///< by the burst's index: the place of endedOf; 0: none
};

/// Where no rank has any.
inline constinit Repeat noRepeats[1];

/// What the hooks of such instances need, in two lines of the cache: of the rank in whose stretch one has begun, until
/// that stretch is over. Only one rank's code runs at a time.
struct alignas(64) RepeatHooks {
  Repeat *all = noRepeats;        ///< the rank's, by place
  size_t size = 0;                ///< of them
  size_t free = 0;                ///< the same, where a next instance may begin at once; else 0
  Repeat *open = nullptr;         ///< the instance that runs is like that one; null: none is
  gnomon_burst *record = nullptr; ///< its burst
  const void *frame = nullptr;    ///< of its hook's call
  uint64_t instructions = 0;      ///< counted at its begin
  Repeat *latest = nullptr;       ///< what began last

  BurstClock *clock = nullptr; ///< the rank's; null: no rank has begun one
  double seconds = 0;          ///< that both hooks of an instance take
  uint32_t untilTimed = HooksPerTimed;
  uint32_t entries = 0;    ///< of the rank into the runtime
  uint32_t passes = 0;     ///< rows of instances of one place that have begun
  double expectedCost = 0; ///< of what has begun since parts of the stretch were told

  /// So many hooks for one that is timed. An odd number: a begin's turn comes, then an end's.
  static constexpr uint32_t HooksPerTimed = 31;
  static constexpr uint32_t Never = ~uint32_t{0};

  /// Where one of the burst \p index of \p work may begin with nothing to be decided; null: nowhere.
  [[gnu::always_inline]] Repeat *find(uint32_t index, uint64_t work) const {
    Repeat *again =
        all + Repeats::findIn(all, free, index, work); // of the first one none may begin
    return again->begun < again->limit ? again : nullptr;
  }
  /// It begins, when \p counted instructions have been counted.
  [[gnu::always_inline]] void begin(Repeat &again, gnomon_burst &burst, const void *caller,
                                    uint64_t counted) {
    ++again.begun;
    // The program has driven the line of the next one out of the first cache, and this one lasts long enough to fetch it.
    if (latest != &again) {
      latest->next = static_cast<uint32_t>(&again - all);
      latest = &again;
      ++passes;
    }
    __builtin_prefetch(&all[again.next], 1);
    clock->takeOut(seconds);
    free = 0;
    open = &again;
    record = &burst;
    frame = caller;
    instructions = counted;
  }
  /// Whether the instance that runs ends as the one before it did, when \p counted instructions have been counted. If not,
  /// nothing has happened.
  [[gnu::always_inline]] bool end(uint64_t counted) {
    Repeat &again = *open;
    if (counted - instructions != again.volume || again.ended == 0) [[unlikely]]
      return false;
    ++again.ended;
    close();
    return true;
  }
  void close() {
    record = nullptr;
    free = size;
  }
};
inline constinit thread_local RepeatHooks repeatHooks [[gnu::tls_model("initial-exec")]];

} // namespace gnomon::process::burst
