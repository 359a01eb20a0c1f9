// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pending events, as an indexed 4-ary heap ordered by (date, sequence number).
///
/// push, cancel, reschedule and popping the earliest cost O(log n) in the worst case and touch
/// contiguous arrays; the earliest date costs O(1). The heap holds 24-byte keys; actions lie in
/// slots that are recycled, so nothing is allocated once the queue has been as long as it gets.
/// Four children share a cache line and a half, which halves the depth of a binary heap (Johnson
/// 1975, d-ary heaps).
#pragma once

#include "kernel/Action.h"
#include "support/Time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::kernel {

/// Names a scheduled event until it runs or is cancelled. 0 is no event.
using EventId = uint64_t;

class EventQueue {
public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }
  /// The earliest date; Never when empty.
  SimTime nextDate() const { return heap_.empty() ? Never : SimTime{heap_.front().seconds}; }

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
  struct Key {
    double seconds;
    uint64_t sequence;
    uint32_t slot;

    bool before(const Key &other) const {
      // Without a branch: which child is least is a coin toss that the processor cannot predict.
      return (seconds < other.seconds) | ((seconds == other.seconds) & (sequence < other.sequence));
    }
  };
  struct Slot {
    Action action;
    uint32_t position;   ///< in the heap; in a free slot, the next free one
    uint32_t generation; ///< distinguishes the events that used this slot
  };
  static constexpr size_t Arity = 4;
  static constexpr uint32_t NoSlot = UINT32_MAX;

  uint32_t checkedSlot(EventId event) const;
  void freeSlot(uint32_t slot);
  void removeAt(size_t position);
  void siftUp(size_t position, Key key);
  void siftDown(size_t position, Key key);
  void place(size_t position, const Key &key) {
    heap_[position] = key;
    slots_[key.slot].position = static_cast<uint32_t>(position);
  }

  std::vector<Key> heap_;
  std::vector<Slot> slots_;
  uint32_t firstFree_ = NoSlot;
  uint64_t nextSequence_ = 0;
};

} // namespace gnomon::kernel
