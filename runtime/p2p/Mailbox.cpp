// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matching for one receiving process: the lists, and the passage to the index and back.
#include "p2p/Mailbox.h"

namespace gnomon::p2p {

/// Enters what is pending, oldest first.
[[gnu::noinline]] void Mailbox::makeIndex() {
  if (!index_)
    index_ = std::make_unique<MatchIndex>();
  for (Message *message = firstMessage_; message;) {
    Message *next = message->link.next;
    index_->add(*message);
    message = next;
  }
  for (Receive *receive = firstReceive_; receive;) {
    Receive *next = receive->place.next;
    index_->add(*receive);
    receive = next;
  }
  firstMessage_ = lastMessage_ = nullptr;
  firstReceive_ = lastReceive_ = nullptr;
  indexed_ = true;
}

void Mailbox::leaveIndex() {
  if (unexpected_ > 0 || posted_ > 0)
    return;
  indexed_ = false;
  index_->leave();
}

/// What arrive() does beyond its first look.
Receive *Mailbox::search(Message &message) {
  if (posted_ > 0) {
    Receive *receive = firstReceive_;
    if (indexed_) {
      receive = index_->take(message);
    } else {
      while (receive && !receive->pattern.accepts(message.envelope))
        receive = receive->place.next;
    }
    if (receive) {
      if (!indexed_) {
        removePosted(*receive);
      } else {
        --posted_;
        leaveIndex();
      }
      return receive;
    }
  }
  if (++unexpected_ > FewPending && !indexed_)
    makeIndex();
  if (indexed_) {
    index_->add(message);
    return nullptr;
  }
  message.link = {nullptr, lastMessage_};
  (lastMessage_ ? lastMessage_->link.next : firstMessage_) = &message;
  lastMessage_ = &message;
  return nullptr;
}

/// What post() does where messages are pending, or much is.
Message *Mailbox::search(Receive &receive) {
  if (Message *message = probe(receive.pattern)) {
    remove(*message);
    return message;
  }
  receive.place.sequence = ++sequence_;
  if (++posted_ > FewPending && !indexed_)
    makeIndex();
  if (indexed_)
    index_->add(receive);
  else
    append(receive);
  return nullptr;
}

Message *Mailbox::probe(const Envelope &pattern) {
  if (unexpected_ == 0)
    return nullptr;
  if (indexed_)
    return index_->find(pattern);
  Message *message = firstMessage_;
  while (message && !pattern.accepts(message->envelope))
    message = message->link.next;
  return message;
}

void Mailbox::remove(Message &message) {
  --unexpected_;
  if (indexed_) {
    index_->remove(message);
    return leaveIndex();
  }
  auto [next, previous] = message.link;
  (next ? next->link.previous : lastMessage_) = previous;
  (previous ? previous->link.next : firstMessage_) = next;
}

void Mailbox::remove(Receive &receive) {
  if (!indexed_)
    return removePosted(receive);
  --posted_;
  index_->remove(receive);
  leaveIndex();
}

} // namespace gnomon::p2p
