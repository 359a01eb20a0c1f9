// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The indexed heap behind EventQueue.
#include "kernel/EventQueue.h"

#include "support/Check.h"

namespace gnomon::kernel {

namespace {
constexpr EventId makeId(uint32_t slot, uint32_t generation) {
  return (uint64_t{generation} << 32) | (uint64_t{slot} + 1);
}
} // namespace

EventId EventQueue::push(SimTime date, Action action) {
  uint32_t slot = firstFree_;
  if (slot != NoSlot) {
    firstFree_ = slots_[slot].position;
  } else {
    slot = static_cast<uint32_t>(slots_.size());
    CHECK(slot != NoSlot, "fewer than 2^32 pending events");
    slots_.push_back({{}, 0, 0});
  }
  slots_[slot].action = action;
  heap_.emplace_back();
  siftUp(heap_.size() - 1, {date.seconds, nextSequence_++, slot});
  return makeId(slot, slots_[slot].generation);
}

Action EventQueue::pop() {
  uint32_t slot = heap_.front().slot;
  Action action = slots_[slot].action;
  removeAt(0);
  freeSlot(slot);
  return action;
}

void EventQueue::reschedule(EventId event, SimTime date) {
  uint32_t slot = checkedSlot(event);
  size_t position = slots_[slot].position;
  Key key{date.seconds, nextSequence_++, slot};
  if (key.before(heap_[position]))
    siftUp(position, key);
  else
    siftDown(position, key);
}

void EventQueue::cancel(EventId event) {
  uint32_t slot = checkedSlot(event);
  removeAt(slots_[slot].position);
  freeSlot(slot);
}

bool EventQueue::pending(EventId event) const {
  uint64_t slot = (event & UINT32_MAX) - 1;
  return event != 0 && slot < slots_.size() && slots_[slot].generation == event >> 32;
}

uint32_t EventQueue::checkedSlot(EventId event) const {
  CHECK(pending(event), "a pending event");
  return static_cast<uint32_t>(event) - 1;
}

void EventQueue::freeSlot(uint32_t slot) {
  slots_[slot] = {{}, firstFree_, slots_[slot].generation + 1};
  firstFree_ = slot;
}

/// Fills the hole at \p position with the last key.
void EventQueue::removeAt(size_t position) {
  Key last = heap_.back();
  heap_.pop_back();
  if (position == heap_.size())
    return;
  if (position > 0 && last.before(heap_[(position - 1) / Arity]))
    siftUp(position, last);
  else
    siftDown(position, last);
}

void EventQueue::siftUp(size_t position, Key key) {
  while (position > 0) {
    size_t parent = (position - 1) / Arity;
    if (!key.before(heap_[parent]))
      break;
    place(position, heap_[parent]);
    position = parent;
  }
  place(position, key);
}

void EventQueue::siftDown(size_t position, Key key) {
  const size_t count = heap_.size();
  for (;;) {
    size_t first = position * Arity + 1;
    if (first >= count)
      break;
    size_t least = first;
    size_t end = first + Arity < count ? first + Arity : count;
    for (size_t child = first + 1; child < end; ++child)
      least = heap_[child].before(heap_[least]) ? child : least;
    if (!heap_[least].before(key))
      break;
    place(position, heap_[least]);
    position = least;
  }
  place(position, key);
}

} // namespace gnomon::kernel
