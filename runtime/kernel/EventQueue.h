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
/// the next event follows soon, the heap is not touched.
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
  SimTime nextDate() const {
    if (front_ != None)
      return SimTime{frontSeconds_};
    return heap_.empty() ? Never : SimTime{heap_.front().seconds};
  }

  /// The n-th push or reschedule at a date comes after the ones before it.
  EventId push(SimTime date, Action action);
  /// Removes the earliest event and returns its action. The queue must not be empty.
  Action pop();
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

  uint32_t checkedSlot(EventId event) const;
  void enter(uint32_t slot, double seconds);
  void append(uint32_t slot, double seconds);
  void addTo(uint32_t bucket, uint32_t slot);
  uint32_t newBucket(double seconds, uint64_t sequence);
  void demoteFront();
  /// Takes \p slot out of its bucket, and an empty bucket out of the heap.
  void unlink(uint32_t slot);
  void freeSlot(uint32_t slot);
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
  double frontSeconds_ = 0;
  uint64_t frontSequence_ = 0; ///< for its bucket, if it gets one
  /// The bucket last begun for a date, by a hash of the date; may be out of date.
  std::array<uint32_t, RecentDates> recent_{};
};

} // namespace gnomon::kernel
