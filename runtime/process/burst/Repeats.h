// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Instances that come again as they came before. A run that records decisions executes everything, and most instances of a
/// burst have the work of the one before on the same rank, and execute as many instructions. Nothing is to be decided of them: they
/// are counted, in one line of the cache, and told to the sampler and to the volumes together, at the end of the stretch.
/// Instances that last about a microsecond would take half as much again if each were told by itself.
#pragma once

#include "process/burst/Kinds.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace gnomon::process::burst {

/// What a rank's latest instance of a burst and such a work was like that was executed and not measured.
struct alignas(64) Repeat {
  uint64_t work = 0;      ///< as the hook was told
  uint64_t volume = 0;    ///< instructions that it executed; 0: not known yet
  double cost = 0;        ///< that is expected of it
  uint32_t burst = 0;     ///< its burst's index - 1
  uint32_t slot = NoSlot; ///< number of its Slot; NoSlot: there is none
  uint32_t left = 0;      ///< so many like it may begin before one is looked at again
  // Since they were told last.
  uint32_t begun = 0, ended = 0;
  uint32_t passes = 0; ///< that began with one
  uint32_t next = 0;   ///< place of what the rank began behind a row of these the last time
  bool listed = false; ///< it is among those that have begun in the rank's stretch
};
static_assert(sizeof(Repeat) == 64);

/// A rank's. Each has a place, from 1 on.
class Repeats {
public:
  /// Works of a burst that are told apart: programs have few, by turns.
  static constexpr uint32_t Ways = 8;
  static constexpr uint32_t indexOf(uint32_t place) { return place / Ways; }
  static constexpr uint32_t firstOf(uint32_t index) { return index * Ways; }

  /// Of the burst \p index, from 1 on, where one of \p work may begin with nothing to be decided; 0: nowhere.
  [[gnu::always_inline]] uint32_t find(uint32_t index, uint64_t work) {
    uint32_t place = firstPlaceOf(index, work);
    if (place >= all_.size()) [[unlikely]]
      return 0;
    if (all_[place].work != work) [[unlikely]]
      place = otherOf(place);
    return all_[place].work == work && all_[place].left > 0 ? place : 0;
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
  /// The one of the burst \p index of which instances have ended, and are not told; null: none. What comes in turn is
  /// told in turn, so there is one at most.
  Repeat *endedOf(uint32_t index) {
    const uint32_t place = index < ended_.size() ? ended_[index] : 0;
    return place != 0 ? &all_[place] : nullptr;
  }
  /// It is told how many have: returns that.
  uint32_t takeEnded(Repeat &again, uint32_t index) {
    ended_[index] = 0;
    return std::exchange(again.ended, 0);
  }
  /// An instance at \p place is the first that has ended since then.
  void beginEnded(uint32_t place) {
    all_[place].ended = 1;
    ended_[indexOf(place)] = place;
    list(all_[place], place);
  }
  /// One at \p place begins.
  [[gnu::always_inline]] void begin(Repeat &again, uint32_t place) {
    --again.left;
    ++again.begun;
    list(again, place);
    // The program has driven the line of the next one out of the first cache, and this one lasts long enough to fetch it.
    if (latest_ != place) {
      all_[latest_].next = place;
      latest_ = place;
    }
    __builtin_prefetch(&all_[again.next], 1);
  }
  /// Something is to be told of what is at \p place.
  [[gnu::always_inline]] void list(Repeat &again, uint32_t place) {
    if (!again.listed) [[unlikely]]
      append(again, place);
  }
  /// \p tell (place) all that are listed, in the order of their first ones. \p expect (what is there): it will soon be told.
  template <class Expect, class Tell> void tellAll(const Expect &expect, const Tell &tell) {
    for (const uint32_t place : listed_)
      expect(std::as_const(all_[place]));
    for (const uint32_t place : listed_) {
      tell(place);
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
  uint32_t latest_ = 0;          ///< place of the one that began last
};

} // namespace gnomon::process::burst
