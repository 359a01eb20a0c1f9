// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pending events, ordered by (date, sequence number): an indexed 4-ary heap of dates (Johnson
/// 1975, d-ary heaps), and at each date a list of events in the order of scheduling.
///
/// Ranks that do the same thing at the same time schedule many events at equal dates. Those share
/// one place in the heap: scheduling at a date that was used lately, cancelling and popping cost
/// O(1) then, and O(log dates) otherwise. A date used lately is found in a small table by the bits
/// of the date; when the table has forgotten it, a second list for the same date is begun, which
/// comes after the first. Events lie in slots that are recycled, so nothing is allocated once the
/// queue has been as long as it gets.
///
/// The heap's keys are integers of 128 bits, so that four children are a cache line and to compare
/// two takes no branch: the bits of the date (those of doubles from 0 on are in the order of the
/// numbers), the sequence number of the list, and which list it is. Where in the heap a list stands
/// is not kept: a list that is emptied by cancelling stays until its date comes, or until such lists
/// are half of the heap.
///
/// While dates are few, their keys stand sorted in place of a heap: mostly a new date comes after most
/// others, so that few have to move, and the earliest is dropped without a look at any other.
///
/// An event scheduled before all others waits outside the heap, in front of it, and enters the heap
/// only when an earlier one comes: where little is pending (a token that goes around a ring), or
/// the next event follows soon, the heap is not touched. That way is inline, for each message takes
/// it several times; what touches the heap is not. The earliest date is kept: it is asked for more
/// often than it changes.
///
/// An alarm is an event that keeps its slot: who has one date at a time, and moves it, sets it again
/// in place. It stands where an event would that is scheduled at the moment of the setting.
#pragma once

#include "kernel/Action.h"
#include "support/Time.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gnomon::kernel {

/// Names a scheduled event until it runs or is cancelled. 0 is no event.
using EventId = uint64_t;
/// Names an alarm for as long as its queue lives.
using AlarmId = uint32_t;

/// \p Event is what comes due: an Action, or a number. Dates are not negative.
template <class Event> class DateQueue {
public:
  /// \p firstSequence is for tests of what happens when sequence numbers are used up.
  explicit DateQueue(uint32_t firstSequence = 0) : nextSequence_(firstSequence) {
    buckets_.push_back(FreeBucket); // NoBucket: what recent_ names at first
  }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  /// The earliest date; Never when empty.
  SimTime nextDate() const { return next_; }

  /// The n-th push or reschedule at a date comes after the ones before it.
  [[gnu::always_inline]] EventId push(SimTime date, const Event &event) {
    const uint32_t index = newSlot();
    slots_[index].event = event;
    ++size_;
    enter(index, date);
    return idOf(index);
  }
  /// Removes the earliest event and returns it. The queue must not be empty.
  [[gnu::always_inline]] Event pop() {
    const uint32_t slot = front_;
    if (slot == None)
      return popFromHeap();
    const Event event = slots_[slot].event;
    unlinkFront();
    freeSlot(slot);
    return event;
  }
  /// Removes the earliest event, and tells \p visit of those that have come nearer thereby:
  /// visit(event, steps), where few events at distinct dates are less than 4^steps before it. An
  /// event is told of once for each step as a rule, down to 0: it is the next. With \p visitsAlike,
  /// the next events of one date are told of as well, one step apart. For asking the processor for
  /// what they will touch; nothing may hang on it.
  template <class Visit> Event popAhead(Visit visit, bool visitsAlike) {
    nearer_ = 0;
    const Event event = pop();
    if (visitsAlike && nearer_ == 0)
      visitAlike(visit);
    for (uint32_t step = 0; step < nearer_; ++step)
      if (const size_t place = nearerPlace(step); place < keys_.size())
        if (const uint32_t slot = buckets_[keys_[place].bucket()].first; slot != None)
          visit(slots_[slot].event, step);
    return event;
  }
  /// Moves a pending event; its place among equals is the newest.
  void reschedule(EventId event, SimTime date);
  /// Forgets a pending event.
  void cancel(EventId event);
  bool pending(EventId event) const;

  /// An alarm that brings \p event, not set yet.
  AlarmId addAlarm(const Event &event);
  /// Has the alarm come due at \p date, and at no other that it was set to before.
  [[gnu::always_inline]] void setAlarm(AlarmId alarm, SimTime date) {
    if (slots_[alarm].bucket != Idle)
      unlink(alarm);
    else
      ++size_;
    enter(alarm, date);
  }
  /// Has it come due no more; it may be set again. One that is not set stays so.
  void clearAlarm(AlarmId alarm);

private:
  static constexpr size_t Arity = 4;
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr size_t RecentDates = 64;
  static constexpr uint32_t NoBucket = 0;           ///< for ever free
  static constexpr uint32_t Idle = UINT32_MAX - 1;  ///< in place of a bucket: an alarm not set
  static constexpr uint32_t OfAlarm = 0x8000'0000U; ///< the generation of an alarm's slot
  static constexpr size_t FewEmptied = 64;
  static constexpr size_t MostSorted = 64;
  static constexpr uint32_t StepsAhead = 4;

  struct Slot {
    Event event;
    uint32_t bucket; ///< None: in front of the heap
    uint32_t previous;
    uint32_t next;       ///< in the bucket; in a free slot, the next free one
    uint32_t generation; ///< distinguishes the events that used this slot
  };
  /// Events at one date.
  struct Bucket {
    double seconds; ///< NaN while free
    uint32_t first; ///< None: emptied; in a free bucket, the next free one
    uint32_t last;
  };
  static constexpr Bucket FreeBucket{std::numeric_limits<double>::quiet_NaN(), None, None};
  struct Key {
    uint64_t date;  ///< its bits
    uint64_t place; ///< sequence number and index of the bucket

    unsigned __int128 order() const { return (static_cast<unsigned __int128>(date) << 64) | place; }
    bool operator<(const Key &other) const { return order() < other.order(); }
    uint32_t bucket() const { return static_cast<uint32_t>(place); }
    SimTime when() const { return {std::bit_cast<double>(date)}; }
  };

  static constexpr EventId makeId(uint32_t slot, uint32_t generation) {
    return (uint64_t{generation} << 32) | (uint64_t{slot} + 1);
  }
  [[gnu::noinline]] void addSlot();
  [[gnu::always_inline]] uint32_t newSlot() {
    if (firstFreeSlot_ == None) [[unlikely]]
      addSlot();
    const uint32_t index = firstFreeSlot_;
    firstFreeSlot_ = slots_[index].next;
    return index;
  }
  uint32_t checkedSlot(EventId event) const;
  EventId idOf(uint32_t slot) const { return makeId(slot, slots_[slot].generation); }
  [[gnu::always_inline]] void enter(uint32_t slot, SimTime date) {
    if (date >= next_)
      return append(slot, date.seconds);
    if (front_ != None)
      return overtake(slot, date);
    putInFront(slot, date);
  }
  [[gnu::always_inline]] void putInFront(uint32_t slot, SimTime date) {
    front_ = slot;
    next_ = date;
    frontSequence_ = newSequence();
    slots_[slot].bucket = None;
  }
  uint32_t newSequence() {
    if (nextSequence_ == UINT32_MAX) [[unlikely]]
      renumber();
    return nextSequence_++;
  }
  [[gnu::noinline]] void renumber();
  [[gnu::noinline]] void overtake(uint32_t slot, SimTime date);
  [[gnu::noinline]] void append(uint32_t slot, double seconds);
  void addTo(uint32_t bucket, uint32_t slot);
  [[gnu::always_inline]] uint32_t newBucket(double seconds, uint32_t sequence);
  void demoteFront();
  /// Takes \p slot out of its bucket.
  [[gnu::always_inline]] void unlink(uint32_t slot) {
    if (slots_[slot].bucket != None)
      return unlinkFromHeap(slot);
    unlinkFront();
  }
  [[gnu::always_inline]] void unlinkFront() {
    front_ = None;
    next_ = earliest();
  }
  /// But for the one in front.
  SimTime earliest() const { return head_ == keys_.size() ? Never : keys_[head_].when(); }
  [[gnu::noinline]] Event popFromHeap();
  [[gnu::noinline]] void unlinkFromHeap(uint32_t slot);
  [[gnu::always_inline]] void freeSlot(uint32_t index) {
    Slot &slot = slots_[index];
    --size_;
    if (slot.generation == OfAlarm) {
      slot.bucket = Idle;
      return;
    }
    slot.generation = (slot.generation + 1) & ~OfAlarm;
    slot.next = firstFreeSlot_;
    firstFreeSlot_ = index;
  }
  void freeBucket(uint32_t bucket) {
    buckets_[bucket] = FreeBucket;
    buckets_[bucket].first = firstFreeBucket_;
    firstFreeBucket_ = bucket;
  }
  bool emptied(const Key &key) const { return buckets_[key.bucket()].first == None; }
  [[gnu::always_inline]] void removeFirst();
  void dropSorted();
  void dropRoot();
  [[gnu::always_inline]] void insert(Key key);
  void insertEarly(Key key);
  [[gnu::noinline]] void dropHead();
  [[gnu::noinline]] void forgetEmptied();
  void siftUp(size_t position, Key key);
  /// Tells \p visit of those next in the earliest list.
  template <class Visit> void visitAlike(Visit visit) const {
    if (front_ != None || keys_.empty())
      return;
    uint32_t slot = buckets_[keys_[head_].bucket()].first;
    for (uint32_t step = 0; step < StepsAhead && slot != None; ++step) {
      visit(slots_[slot].event, step);
      slot = slots_[slot].next;
    }
  }
  size_t nearerPlace(uint32_t step) const {
    return sorted_ ? head_ + (size_t{1} << 2 * step) - 1 : nearerPlaces_[step];
  }

  std::vector<Key> keys_; ///< from head_ on; sorted, or a heap
  std::vector<Bucket> buckets_;
  std::vector<Slot> slots_;
  uint32_t firstFreeBucket_ = None;
  uint32_t firstFreeSlot_ = None;
  size_t size_ = 0;
  uint32_t nextSequence_;
  /// The event that was scheduled before all others, if it still is: None, or its slot.
  uint32_t front_ = None;
  SimTime next_ = Never;       ///< the earliest date; the front's, if there is one
  uint32_t frontSequence_ = 0; ///< for its bucket, if it gets one
  uint32_t emptied_ = 0;       ///< buckets in the heap without events: never the first
  /// The bucket last begun for a date, by a hash of the date; may be out of date.
  std::array<uint32_t, RecentDates> recent_{};
  /// Where lists have moved to since popAhead() began, one for each of the first levels of the heap.
  std::array<uint32_t, StepsAhead> nearerPlaces_{};
  uint32_t nearer_ = 0; ///< how many those are
  uint16_t head_ = 0;   ///< of a heap, 0
  bool sorted_ = true;
};

extern template class DateQueue<Action>;
extern template class DateQueue<uint64_t>;

using EventQueue = DateQueue<Action>;

} // namespace gnomon::kernel
