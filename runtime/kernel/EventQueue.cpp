// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The heap of dates and their lists behind EventQueue.
#include "kernel/EventQueue.h"

#include "support/Check.h"
#include "support/Hash.h"

#include <bit>

namespace gnomon::kernel {

namespace {

/// By the date's bits: neighbouring dates differ in the low ones.
size_t hashDate(double seconds, size_t places) {
  return (spread(std::bit_cast<uint64_t>(seconds)) >> 32) % places;
}

} // namespace

[[gnu::noinline]] void EventQueue::addSlot() {
  const auto slot = static_cast<uint32_t>(slots_.size());
  CHECK(slot != None, "fewer than 2^32 pending events");
  slots_.push_back({});
  slots_.back().next = None;
  firstFreeSlot_ = slot;
}

void EventQueue::reschedule(EventId event, SimTime date) {
  uint32_t slot = checkedSlot(event);
  unlink(slot);
  enter(slot, date);
}

void EventQueue::cancel(EventId event) {
  uint32_t slot = checkedSlot(event);
  unlink(slot);
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

/// The event in front enters the heap. What was scheduled for the same date meanwhile comes after
/// it, by the older sequence number of its bucket; and so does what will be, for recent_ must not
/// name that bucket.
inline void EventQueue::demoteFront() {
  const uint32_t slot = front_;
  front_ = None;
  const uint32_t bucket = newBucket(next_.seconds, frontSequence_);
  uint32_t &recent = recent_[hashDate(next_.seconds, RecentDates)];
  if (recent == bucket) // from an earlier use
    recent = NoBucket;
  addTo(bucket, slot);
}

/// The slot's event comes before the one in front.
[[gnu::noinline]] EventId EventQueue::overtake(uint32_t slot, SimTime date) {
  demoteFront();
  return putInFront(slot, date);
}

[[gnu::noinline]] EventId EventQueue::append(uint32_t slot, double seconds) {
  uint32_t &recent = recent_[hashDate(seconds, RecentDates)];
  if (buckets_[recent].seconds != seconds)
    recent = newBucket(seconds, nextSequence_++);
  addTo(recent, slot);
  if (front_ == None)
    next_ = SimTime{heap_.front().seconds};
  return idOf(slot);
}

[[gnu::noinline]] Action EventQueue::popFromHeap() {
  const uint32_t slot = buckets_[heap_.front().bucket].first;
  const Action action = slots_[slot].action;
  unlinkFromHeap(slot);
  freeSlot(slot);
  return action;
}

void EventQueue::addTo(uint32_t bucketIndex, uint32_t index) {
  Bucket &bucket = buckets_[bucketIndex];
  Slot &slot = slots_[index];
  slot.bucket = bucketIndex;
  slot.previous = bucket.last;
  slot.next = None;
  if (bucket.last != None)
    slots_[bucket.last].next = index;
  else
    bucket.first = index;
  bucket.last = index;
}

uint32_t EventQueue::newBucket(double seconds, uint64_t sequence) {
  uint32_t index = firstFreeBucket_;
  if (index != None) {
    firstFreeBucket_ = buckets_[index].position;
  } else {
    index = static_cast<uint32_t>(buckets_.size());
    buckets_.emplace_back();
  }
  buckets_[index] = {seconds, 0, None, None};
  heap_.emplace_back();
  siftUp(heap_.size() - 1, {seconds, sequence, index});
  return index;
}

void EventQueue::unlinkFromHeap(uint32_t index) {
  const Slot &slot = slots_[index];
  Bucket &bucket = buckets_[slot.bucket];
  if (slot.previous != None)
    slots_[slot.previous].next = slot.next;
  else
    bucket.first = slot.next;
  if (slot.next != None)
    slots_[slot.next].previous = slot.previous;
  else
    bucket.last = slot.previous;
  if (bucket.first != None)
    return;
  removeAt(bucket.position);
  bucket = FreeBucket;
  bucket.position = firstFreeBucket_;
  firstFreeBucket_ = slot.bucket;
  if (front_ == None)
    next_ = heap_.empty() ? Never : SimTime{heap_.front().seconds};
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
