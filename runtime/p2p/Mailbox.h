// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matching for one receiving process. MPI wants: a message goes to the oldest posted receive that
/// accepts it; a receive takes the oldest message that it accepts.
///
/// Few are pending as a rule: then two lists in order of posting are searched, and the mailbox is
/// one cache line. From FewPending on of either kind, an index (MatchIndex.h) makes every step O(1)
/// expected, however many messages and receives are pending; it is left again once nothing is.
#pragma once

#include "p2p/MatchIndex.h"
#include "p2p/Message.h"
#include "support/Prefetch.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gnomon::p2p {

class alignas(64) Mailbox {
public:
  /// The oldest posted receive that accepts \p message, taken out; null and \p message is kept as
  /// unexpected.
  Receive *arrive(Message &message) {
    message.sequence = ++sequence_;
    return search(message);
  }
  /// The receive that was posted first, taken out, if it accepts such a message, as mostly: then that
  /// needs no arrive(). Else null. (With an index there is no list.)
  Receive *takeFirst(const Envelope &envelope) {
    Receive *first = firstReceive_;
    if (!first || !first->pattern.accepts(envelope))
      return nullptr;
    ++sequence_;
    removePosted(*first);
    return first;
  }
  /// The oldest unexpected message that \p receive accepts, taken out; null and \p receive is kept
  /// as posted.
  Message *post(Receive &receive) {
    if (unexpected_ > 0 || posted_ >= FewPending || indexed_)
      return search(receive);
    receive.place.sequence = ++sequence_;
    ++posted_;
    append(receive);
    return nullptr;
  }
  /// The oldest unexpected message that \p pattern accepts, left in place; null when there is none.
  Message *probe(const Envelope &pattern);
  /// Takes an unexpected message out.
  void remove(Message &message);
  /// Takes a posted receive out.
  void remove(Receive &receive);

  /// Asks the processor for what arrive() and post() look at first, if this mailbox is to be used
  /// soon.
  void prefetchReceive() const {
    if (firstReceive_)
      fetchToWrite(firstReceive_, (sizeof(Receive) + CacheLineBytes - 1) / CacheLineBytes);
  }
  void prefetchMessage() const {
    if (firstMessage_)
      fetchToWrite(firstMessage_);
  }

  /// To whom the owner of this mailbox sent last, where that is kept (Fabric.cpp); else Nobody.
  uint32_t partner() const { return partner_; }
  void setPartner(uint32_t receiver) { partner_ = receiver; }
  static constexpr uint32_t Nobody = UINT32_MAX;

  size_t unexpectedCount() const { return unexpected_; }
  size_t postedCount() const { return posted_; }
  /// Of the index's table, in queues; 0 while there is none.
  size_t capacity() const { return index_ ? index_->capacity() : 0; }
  /// Unexpected messages, those of one sender in order of posting; for reports. \p visit returns
  /// false to stop.
  template <class Visit> void forEachUnexpected(Visit visit) const {
    if (indexed_)
      return index_->forEachUnexpected(visit);
    for (const Message *m = firstMessage_; m; m = m->link.next)
      if (!visit(*m))
        return;
  }

private:
  static constexpr uint32_t FewPending = 12;
  Receive *search(Message &message);
  Message *search(Receive &receive);
  /// At the end of the list of receives.
  void append(Receive &receive) {
    receive.place.next = nullptr;
    receive.place.previous = lastReceive_;
    (lastReceive_ ? lastReceive_->place.next : firstReceive_) = &receive;
    lastReceive_ = &receive;
  }
  /// Takes a receive out of that list.
  void removePosted(Receive &receive) {
    --posted_;
    (receive.place.next ? receive.place.next->place.previous : lastReceive_) =
        receive.place.previous;
    (receive.place.previous ? receive.place.previous->place.next : firstReceive_) =
        receive.place.next;
  }
  void makeIndex();
  void leaveIndex();

  // While there is no index: the two lists, oldest first. Messages are linked by link.
  Message *firstMessage_ = nullptr, *lastMessage_ = nullptr;
  Receive *firstReceive_ = nullptr, *lastReceive_ = nullptr;
  uint32_t unexpected_ = 0, posted_ = 0;
  uint64_t sequence_ = 0;
  std::unique_ptr<MatchIndex> index_; ///< kept when it is left, with a table that is not large
  uint32_t partner_ = Nobody;
  bool indexed_ = false;
};
static_assert(sizeof(Mailbox) == 64, "a mailbox is one cache line");

} // namespace gnomon::p2p
