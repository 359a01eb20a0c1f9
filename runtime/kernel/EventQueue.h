// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pending events, ordered by (date, sequence number): an indexed 4-ary heap of dates (Johnson
/// 1975, d-ary heaps), and at each date a list of events in the order of scheduling.
///
/// Ranks that do the same thing at the same time schedule many events at equal dates. Those share
/// one place in the heap: scheduling at a date that was used lately, cancelling and popping cost
/// O(1) then, and O(log dates) otherwise. A date used lately is found in a small table by the bits
/// of the date; when the table has forgotten it, a second list for the same date is begun, which
/// comes after the first. Actions lie in slots that are recycled, so nothing is allocated once the
/// queue has been as long as it gets.
///
/// An event scheduled before all others waits outside the heap, in front of it, and enters the heap
/// only when an earlier one comes: where little is pending (a token that goes around a ring), or
/// the next event follows soon, the heap is not touched. That way is inline, for each message takes
/// it several times; what touches the heap is not. The earliest date is kept: it is asked for more
/// often than it changes.
#pragma once

#include "kernel/Action.h"
#include "support/Time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gnomon::kernel {

/// Names a scheduled event until it runs or is cancelled. 0 is no event.
using EventId = uint64_t;

class EventQueue {
public:
  EventQueue() { buckets_.push_back(FreeBucket); } // NoBucket: what recent_ names at first

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  /// The earliest date; Never when empty.
  SimTime nextDate() const { return next_; }

  /// The n-th push or reschedule at a date comes after the ones before it.
  EventId push(SimTime date, const Action &action) {
    if (firstFreeSlot_ == None) [[unlikely]]
      addSlot();
    const uint32_t index = firstFreeSlot_;
    Slot &slot = slots_[index];
    firstFreeSlot_ = slot.next;
    ++size_;
    slot.action = action;
    return enter(index, date);
  }
  /// Removes the earliest event and returns its action. The queue must not be empty.
  Action pop() {
    const uint32_t slot = front_;
    if (slot == None)
      return popFromHeap();
    const Action action = slots_[slot].action;
    unlinkFront();
    freeSlot(slot);
    return action;
  }
  /// Moves a pending event; its place among equals is the newest.
  void reschedule(EventId event, SimTime date);
  /// Forgets a pending event.
  void cancel(EventId event);
  bool pending(EventId event) const;

private:
  static constexpr size_t Arity = 4;
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr size_t RecentDates = 64;
  static constexpr uint32_t NoBucket = 0; ///< for ever free

  struct Slot {
    Action action;
    uint32_t bucket; ///< None: in front of the heap
    uint32_t previous;
    uint32_t next;       ///< in the bucket; in a free slot, the next free one
    uint32_t generation; ///< distinguishes the events that used this slot
  };
  /// Events at one date.
  struct Bucket {
    double seconds;    ///< NaN while free
    uint32_t position; ///< in the heap; in a free bucket, the next free one
    uint32_t first;
    uint32_t last;
  };
  static constexpr Bucket FreeBucket{std::numeric_limits<double>::quiet_NaN(), None, None, None};
  struct Key {
    double seconds;
    uint64_t sequence; ///< of the bucket
    uint32_t bucket;

    bool before(const Key &other) const {
      // Without a branch: which child is least is a coin toss that the processor cannot predict.
      return (seconds < other.seconds) | ((seconds == other.seconds) & (sequence < other.sequence));
    }
  };

  static constexpr EventId makeId(uint32_t slot, uint32_t generation) {
    return (uint64_t{generation} << 32) | (uint64_t{slot} + 1);
  }
  void addSlot();
  uint32_t checkedSlot(EventId event) const;
  EventId idOf(uint32_t slot) const { return makeId(slot, slots_[slot].generation); }
  EventId enter(uint32_t slot, SimTime date) {
    if (date >= next_)
      return append(slot, date.seconds);
    if (front_ != None)
      return overtake(slot, date);
    return putInFront(slot, date);
  }
  EventId putInFront(uint32_t slot, SimTime date) {
    front_ = slot;
    next_ = date;
    frontSequence_ = nextSequence_++;
    slots_[slot].bucket = None;
    return idOf(slot);
  }
  EventId overtake(uint32_t slot, SimTime date);
  EventId append(uint32_t slot, double seconds);
  void addTo(uint32_t bucket, uint32_t slot);
  uint32_t newBucket(double seconds, uint64_t sequence);
  void demoteFront();
  /// Takes \p slot out of its bucket, and an empty bucket out of the heap.
  void unlink(uint32_t slot) {
    if (slots_[slot].bucket != None)
      return unlinkFromHeap(slot);
    unlinkFront();
  }
  void unlinkFront() {
    front_ = None;
    next_ = heap_.empty() ? Never : SimTime{heap_.front().seconds};
  }
  Action popFromHeap();
  void unlinkFromHeap(uint32_t slot);
  void freeSlot(uint32_t slot) {
    ++slots_[slot].generation;
    slots_[slot].next = firstFreeSlot_;
    firstFreeSlot_ = slot;
    --size_;
  }
  void removeAt(size_t position);
  void siftUp(size_t position, Key key);
  void siftDown(size_t position, Key key);
  void place(size_t position, const Key &key) {
    heap_[position] = key;
    buckets_[key.bucket].position = static_cast<uint32_t>(position);
  }

  std::vector<Key> heap_;
  std::vector<Bucket> buckets_;
  std::vector<Slot> slots_;
  uint32_t firstFreeBucket_ = None;
  uint32_t firstFreeSlot_ = None;
  size_t size_ = 0;
  uint64_t nextSequence_ = 0;
  /// The event that was scheduled before all others, if it still is: None, or its slot.
  uint32_t front_ = None;
  SimTime next_ = Never;       ///< the earliest date; the front's, if there is one
  uint64_t frontSequence_ = 0; ///< for its bucket, if it gets one
  /// The bucket last begun for a date, by a hash of the date; may be out of date.
  std::array<uint32_t, RecentDates> recent_{};
};

} // namespace gnomon::kernel
