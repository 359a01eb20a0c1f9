// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The heap of dates and their lists behind DateQueue.
#include "kernel/EventQueue.h"

#include "support/Append.h"
#include "support/Check.h"
#include "support/Hash.h"

#include <algorithm>

namespace gnomon::kernel {

namespace {

/// By the date's bits: neighbouring dates differ in the low ones.
size_t hashDate(double seconds, size_t places) {
  return (spread(std::bit_cast<uint64_t>(seconds)) >> 32) % places;
}

/// The least of the up to four children that begin at \p first in a heap of \p count keys.
template <class Key> size_t leastChild(const Key *heap, size_t first, size_t count) {
  if (first + 4 <= count) [[likely]] {
    // No branch: which one it is cannot be foreseen.
    const size_t left = first + size_t{heap[first + 1] < heap[first]};
    const size_t right = first + 2 + size_t{heap[first + 3] < heap[first + 2]};
    return heap[right] < heap[left] ? right : left;
  }
  size_t least = first;
  for (size_t child = first + 1; child < count; ++child)
    least = heap[child] < heap[least] ? child : least;
  return least;
}

} // namespace

template <class Event> void DateQueue<Event>::addSlot() {
  const auto slot = static_cast<uint32_t>(slots_.size());
  CHECK(slot < Idle, "fewer than 2^32 pending events");
  slots_.push_back({});
  slots_.back().next = None;
  firstFreeSlot_ = slot;
}

template <class Event> AlarmId DateQueue<Event>::addAlarm(const Event &event) {
  const uint32_t index = newSlot();
  slots_[index] = {event, Idle, None, None, OfAlarm};
  return index;
}

template <class Event> void DateQueue<Event>::clearAlarm(AlarmId alarm) {
  if (slots_[alarm].bucket == Idle)
    return;
  unlink(alarm);
  freeSlot(alarm);
}

template <class Event> void DateQueue<Event>::reschedule(EventId event, SimTime date) {
  uint32_t slot = checkedSlot(event);
  unlink(slot);
  enter(slot, date);
}

template <class Event> void DateQueue<Event>::cancel(EventId event) {
  uint32_t slot = checkedSlot(event);
  unlink(slot);
  freeSlot(slot);
}

template <class Event> bool DateQueue<Event>::pending(EventId event) const {
  uint64_t slot = (event & UINT32_MAX) - 1;
  return event != 0 && slot < slots_.size() && slots_[slot].generation == event >> 32;
}

template <class Event> uint32_t DateQueue<Event>::checkedSlot(EventId event) const {
  CHECK(pending(event), "a pending event");
  return static_cast<uint32_t>(event) - 1;
}

/// Numbers the lists from 0 on, in their order: sequence numbers are used up, once in 2^32 lists.
template <class Event> void DateQueue<Event>::renumber() {
  std::sort(keys_.begin() + head_, keys_.end()); // which is a heap as well
  nextSequence_ = 0;
  frontSequence_ = nextSequence_++; // before all lists of its date
  for (size_t i = head_; i < keys_.size(); ++i)
    keys_[i].place = (uint64_t{nextSequence_++} << 32) | keys_[i].bucket();
}

/// The event in front enters the heap. What was scheduled for the same date meanwhile comes after
/// it, by the older sequence number of its bucket; and so does what will be, for recent_ must not
/// name that bucket.
template <class Event> inline void DateQueue<Event>::demoteFront() {
  const uint32_t slot = front_;
  front_ = None;
  const uint32_t bucket = newBucket(next_.seconds, frontSequence_);
  uint32_t &recent = recent_[hashDate(next_.seconds, RecentDates)];
  if (recent == bucket) // from an earlier use
    recent = NoBucket;
  addTo(bucket, slot);
}

/// The slot's event comes before the one in front.
template <class Event> void DateQueue<Event>::overtake(uint32_t slot, SimTime date) {
  demoteFront();
  putInFront(slot, date);
}

template <class Event> void DateQueue<Event>::append(uint32_t slot, double seconds) {
  uint32_t &recent = recent_[hashDate(seconds, RecentDates)];
  const Bucket &bucket = buckets_[recent];
  if (bucket.seconds != seconds)
    recent = newBucket(seconds, newSequence());
  else
    emptied_ -= bucket.first == None; // the newest of its date all the same
  addTo(recent, slot);
  if (front_ == None)
    next_ = keys_[head_].when();
}

template <class Event> Event DateQueue<Event>::popFromHeap() {
  const uint32_t bucketIndex = keys_[head_].bucket();
  Bucket &bucket = buckets_[bucketIndex];
  const uint32_t index = bucket.first;
  Slot &slot = slots_[index];
  const Event event = slot.event;
  bucket.first = slot.next;
  if (bucket.first != None) {
    slots_[bucket.first].previous = None;
  } else {
    bucket.last = None;
    removeFirst();
  }
  freeSlot(index);
  return event;
}

template <class Event> inline void DateQueue<Event>::addTo(uint32_t bucketIndex, uint32_t index) {
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

template <class Event>
inline uint32_t DateQueue<Event>::newBucket(double seconds, uint32_t sequence) {
  uint32_t index = firstFreeBucket_;
  if (index != None) {
    firstFreeBucket_ = buckets_[index].first;
  } else {
    index = static_cast<uint32_t>(buckets_.size());
    buckets_.emplace_back();
  }
  buckets_[index] = {seconds, None, None};
  // To add 0 makes -0 of it 0, whose bits are in order.
  const Key key{std::bit_cast<uint64_t>(seconds + 0.0), (uint64_t{sequence} << 32) | index};
  insert(key);
  return index;
}

template <class Event> inline void DateQueue<Event>::insert(Key key) {
  if (sorted_ && keys_.size() == head_ + MostSorted) [[unlikely]] {
    dropHead();
    sorted_ = false; // it is a heap as well
  }
  if (sorted_ && head_ > 0 && key < keys_[(head_ + keys_.size()) / 2])
    return insertEarly(key);
  if (keys_.size() == 2 * MostSorted && sorted_) [[unlikely]]
    dropHead();
  gnomon::append(keys_, key);
  size_t place = keys_.size() - 1;
  if (!sorted_)
    return siftUp(place, key);
  Key *const keys = keys_.data();
  for (; place > head_ && key < keys[place - 1]; --place)
    keys[place] = keys[place - 1];
  keys[place] = key;
}

/// Among sorted keys: those before \p key move, of which there are fewer than behind it.
template <class Event> void DateQueue<Event>::insertEarly(Key key) {
  Key *const keys = keys_.data();
  size_t place = --head_;
  for (; keys[place + 1] < key; ++place)
    keys[place] = keys[place + 1];
  keys[place] = key;
}

/// Takes the place in front of the keys back.
template <class Event> void DateQueue<Event>::dropHead() {
  keys_.erase(keys_.begin(), keys_.begin() + head_);
  head_ = 0;
}

template <class Event> void DateQueue<Event>::unlinkFromHeap(uint32_t index) {
  const Slot &slot = slots_[index];
  const uint32_t bucketIndex = slot.bucket;
  Bucket &bucket = buckets_[bucketIndex];
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
  if (keys_[head_].bucket() == bucketIndex)
    removeFirst();
  else if (++emptied_ > FewEmptied && emptied_ > (keys_.size() - head_) / 2)
    forgetEmptied();
}

/// Takes the first list out, which is empty, and those behind it that are.
template <class Event> inline void DateQueue<Event>::removeFirst() {
  for (;;) {
    freeBucket(keys_[head_].bucket());
    sorted_ ? dropSorted() : dropRoot();
    if (emptied_ == 0 || head_ == keys_.size() || !emptied(keys_[head_])) [[likely]]
      break;
    --emptied_;
  }
  if (front_ == None)
    next_ = earliest();
}

template <class Event> inline void DateQueue<Event>::dropSorted() {
  nearer_ = StepsAhead;
  if (++head_ == keys_.size()) {
    keys_.clear();
    head_ = 0;
  }
}

template <class Event> [[gnu::noinline]] void DateQueue<Event>::dropRoot() {
  static_assert(Arity == 4);
  const Key last = keys_.back();
  keys_.pop_back();
  const size_t count = keys_.size();
  // The hole goes down to where there are no children: the last key belongs there, or near.
  Key *const heap = keys_.data();
  size_t hole = 0;
  uint32_t levels = 0;
  for (size_t first = 1; first < count; first = hole * Arity + 1) {
    const size_t least = leastChild(heap, first, count);
    heap[hole] = heap[least];
    if (levels < StepsAhead)
      nearerPlaces_[levels++] = static_cast<uint32_t>(hole);
    hole = least;
  }
  nearer_ = levels;
  siftUp(hole, last);
  if (count > MostSorted / 2)
    return;
  std::sort(keys_.begin(), keys_.end());
  sorted_ = true;
}

/// Takes all empty lists out: they have become as many as others.
template <class Event> void DateQueue<Event>::forgetEmptied() {
  dropHead();
  std::erase_if(keys_, [this](const Key &key) {
    if (!emptied(key))
      return false;
    freeBucket(key.bucket());
    return true;
  });
  std::sort(keys_.begin(), keys_.end()); // which is a heap as well
  sorted_ |= keys_.size() <= MostSorted / 2;
  emptied_ = 0;
}

template <class Event> void DateQueue<Event>::siftUp(size_t position, Key key) {
  Key *const heap = keys_.data();
  while (position > 0) {
    const size_t parent = (position - 1) / Arity;
    if (!(key < heap[parent]))
      break;
    heap[position] = heap[parent];
    position = parent;
  }
  heap[position] = key;
}

template class DateQueue<Action>;
template class DateQueue<uint64_t>;

} // namespace gnomon::kernel
