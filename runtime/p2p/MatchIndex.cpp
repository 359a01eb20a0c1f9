// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matching among many. The algorithm is stated in MatchIndex.h.
#include "p2p/MatchIndex.h"

#include "support/Check.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gnomon::p2p {

MatchIndex::Queue::List<Message> &MatchIndex::Queue::listOfMessages() {
  CHECK(!ofReceives || !receives.first, "messages that no posted receive accepts");
  if (ofReceives)
    messages = {nullptr, nullptr};
  ofReceives = false;
  return messages;
}

MatchIndex::Queue::List<Receive> &MatchIndex::Queue::listOfReceives() {
  CHECK(ofReceives || !messages.first, "receives that accept no pending message");
  if (!ofReceives)
    receives = {nullptr, nullptr};
  ofReceives = true;
  return receives;
}

MatchIndex::Queue *MatchIndex::findQueue(const Envelope &key) const {
  if (capacity_ == 0)
    return nullptr;
  uint32_t mask = capacity_ - 1;
  for (uint32_t i = static_cast<uint32_t>(hash(key)) & mask;; i = (i + 1) & mask) {
    if (!queues_[i].used)
      return nullptr;
    if (queues_[i].key == key)
      return &queues_[i];
  }
}

MatchIndex::Queue &MatchIndex::findOrAdd(const Envelope &key) {
  if (Queue *found = findQueue(key))
    return *found;
  if ((usedQueues_ + 1) * 4 > capacity_ * 3)
    rehash();
  uint32_t mask = capacity_ - 1;
  uint32_t i = static_cast<uint32_t>(hash(key)) & mask;
  while (queues_[i].used)
    i = (i + 1) & mask;
  queues_[i].used = true;
  queues_[i].key = key;
  ++usedQueues_;
  return queues_[i];
}

/// Drops the queues that are empty, and makes room so that at most half of the slots are used.
/// Emptied queues stay until then, for most patterns come again.
void MatchIndex::rehash() {
  uint32_t live = 0;
  for (uint32_t i = 0; i < capacity_; ++i)
    live += queues_[i].used && !queues_[i].empty();
  uint32_t capacity = 8;
  while (capacity < 2 * (live + 1))
    capacity *= 2;
  auto old = std::move(queues_);
  uint32_t oldCapacity = capacity_;
  queues_ = std::make_unique<Queue[]>(capacity);
  capacity_ = capacity;
  usedQueues_ = live;
  for (uint32_t i = 0; i < oldCapacity; ++i) {
    if (!old[i].used || old[i].empty())
      continue;
    uint32_t j = static_cast<uint32_t>(hash(old[i].key)) & (capacity - 1);
    while (queues_[j].used)
      j = (j + 1) & (capacity - 1);
    queues_[j] = old[i];
  }
}

/// The table goes, with its queues, which are empty.
[[gnu::noinline]] void MatchIndex::giveBack() {
  queues_.reset();
  capacity_ = usedQueues_ = 0;
}

void MatchIndex::append(Message &message, uint32_t kind) {
  auto &[first, last] = findOrAdd(keyOf(message.envelope, kind)).listOfMessages();
  message.linkOf(kind) = {nullptr, last};
  (last ? last->linkOf(kind).next : first) = &message;
  last = &message;
}

void MatchIndex::unlink(Message &message, uint32_t kind) {
  auto [next, previous] = message.linkOf(kind);
  if (next && previous) {
    next->linkOf(kind).previous = previous;
    previous->linkOf(kind).next = next;
    return;
  }
  Queue *queue = findQueue(keyOf(message.envelope, kind));
  CHECK(queue, "an unexpected message is in its queues");
  (next ? next->linkOf(kind).previous : queue->messages.last) = previous;
  (previous ? previous->linkOf(kind).next : queue->messages.first) = next;
}

/// Starts to keep the unexpected queues of a wildcard kind: enters the messages that are there,
/// oldest first.
void MatchIndex::index(uint32_t kind) {
  indexed_[kind] = true;
  std::vector<Message *> messages;
  for (uint32_t i = 0; i < capacity_; ++i)
    if (kindOf(queues_[i].key) == Exact)
      for (Message *m = queues_[i].oldestMessage(); m; m = m->link.next)
        messages.push_back(m);
  std::sort(messages.begin(), messages.end(),
            [](const Message *a, const Message *b) { return a->sequence < b->sequence; });
  for (Message *m : messages) {
    if (!m->wildcardLinks)
      m->wildcardLinks = wildcardLinks_.create();
    append(*m, kind);
  }
}

Receive *MatchIndex::take(const Message &message) {
  Queue *best = nullptr;
  uint32_t bestKind = 0;
  for (uint32_t kind = 0; kind < Kinds; ++kind) {
    if (postedOfKind_[kind] == 0)
      continue;
    Queue *queue = findQueue(keyOf(message.envelope, kind));
    Receive *oldest = queue ? queue->oldestReceive() : nullptr;
    if (oldest && (!best || oldest->place.sequence < best->receives.first->place.sequence)) {
      best = queue;
      bestKind = kind;
    }
  }
  if (!best)
    return nullptr;
  auto &[first, last] = best->receives;
  Receive *receive = first;
  first = receive->place.next;
  (first ? first->place.previous : last) = nullptr;
  --postedOfKind_[bestKind];
  return receive;
}

void MatchIndex::add(Message &message) {
  if (indexed_[AnySourceKind] || indexed_[AnyTagKind] || indexed_[AnyKind])
    message.wildcardLinks = wildcardLinks_.create();
  for (uint32_t kind = 0; kind < Kinds; ++kind)
    if (indexed_[kind])
      append(message, kind);
}

void MatchIndex::add(Receive &receive) {
  auto &[first, last] = findOrAdd(receive.pattern).listOfReceives();
  receive.place.next = nullptr;
  receive.place.previous = last;
  (last ? last->place.next : first) = &receive;
  last = &receive;
  ++postedOfKind_[kindOf(receive.pattern)];
}

Message *MatchIndex::find(const Envelope &pattern) {
  Kind kind = kindOf(pattern);
  if (!indexed_[kind])
    index(kind);
  Queue *queue = findQueue(pattern);
  return queue ? queue->oldestMessage() : nullptr;
}

void MatchIndex::remove(Message &message) {
  for (uint32_t kind = 0; kind < Kinds; ++kind)
    if (indexed_[kind])
      unlink(message, kind);
  if (message.wildcardLinks)
    wildcardLinks_.destroy(std::exchange(message.wildcardLinks, nullptr));
}

void MatchIndex::remove(Receive &receive) {
  Queue *queue = findQueue(receive.pattern);
  CHECK(queue, "a posted receive is in its queue");
  (receive.place.next ? receive.place.next->place.previous : queue->receives.last) =
      receive.place.previous;
  (receive.place.previous ? receive.place.previous->place.next : queue->receives.first) =
      receive.place.next;
  --postedOfKind_[kindOf(receive.pattern)];
}

} // namespace gnomon::p2p
