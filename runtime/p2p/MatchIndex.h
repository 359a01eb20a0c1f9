// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The pending messages and receives of one process, when they are many.
///
/// A message m = (context, source, tag) is accepted by receives of four kinds of pattern:
///   Exact (c, s, t)   AnySource (c, *, t)   AnyTag (c, s, *)   Any (c, *, *)
/// Order is kept with queues in a hash table, one for each pattern that occurs:
///   arrival   looks at the heads of the four queues of posted receives that can accept m, takes
///             the lowest sequence number; if all are empty, appends m to the queues of unexpected
///             messages of all four patterns;
///   posting   looks at the head of the one queue of unexpected messages of its own pattern; if
///             empty, appends the receive to the queue of posted receives of its pattern.
/// A pattern never has both messages and receives pending (they would have matched), so one queue
/// serves both. Each step is O(1) expected, however many messages and receives are pending. Queues
/// of unexpected messages for a wildcard kind are kept from the first wildcard pattern of that kind
/// on (indexed once then): programs without wildcards pay for one queue.
#pragma once

#include "p2p/Message.h"
#include "support/Hash.h"
#include "support/Pool.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gnomon::p2p {

class MatchIndex {
public:
  /// The oldest posted receive that accepts \p message, taken out; or null.
  Receive *take(const Message &message);
  /// The oldest unexpected message that \p pattern accepts, left in place; or null.
  Message *find(const Envelope &pattern);
  /// Keeps what has been given a sequence number above all of its kind here.
  void add(Message &message);
  void add(Receive &receive);
  void remove(Message &message);
  void remove(Receive &receive);

  /// Nothing is pending: a large table is given back.
  void leave() {
    if (capacity_ > MostKept) [[unlikely]]
      giveBack();
  }

  size_t capacity() const { return capacity_; } ///< of the table, in queues
  template <class Visit> void forEachUnexpected(Visit visit) const {
    for (uint32_t i = 0; i < capacity_; ++i)
      if (kindOf(queues_[i].key) == Exact)
        for (const Message *m = queues_[i].oldestMessage(); m; m = m->link.next)
          if (!visit(*m))
            return;
  }

private:
  enum Kind : uint32_t { Exact, AnySourceKind, AnyTagKind, AnyKind, Kinds };
  /// A pattern's queue. It holds unexpected messages or posted receives, oldest first, never both.
  struct Queue {
    template <class T> struct List {
      T *first, *last; ///< both null, or neither
    };

    Envelope key;
    bool used = false;
    bool ofReceives = false;
    union {
      List<Message> messages = {nullptr, nullptr};
      List<Receive> receives;
    };

    Message *oldestMessage() const { return ofReceives ? nullptr : messages.first; }
    Receive *oldestReceive() const { return ofReceives ? receives.first : nullptr; }
    bool empty() const { return ofReceives ? !receives.first : !messages.first; }
    /// The list that is not empty, or is empty and becomes one of messages, or of receives.
    List<Message> &listOfMessages();
    List<Receive> &listOfReceives();
  };
  static_assert(sizeof(Queue) == 32);
  /// Tables of so many queues stay for the next time that many are pending: 128 KiB.
  static constexpr uint32_t MostKept = 4096;

  static Kind kindOf(const Envelope &pattern) {
    return static_cast<Kind>((pattern.source == AnySource ? 1u : 0u) |
                             (pattern.tag == AnyTag ? 2u : 0u));
  }
  static Envelope keyOf(const Envelope &envelope, uint32_t kind) {
    return {envelope.context, (kind & 1) ? AnySource : envelope.source,
            (kind & 2) ? AnyTag : envelope.tag};
  }
  static uint64_t hash(const Envelope &key) {
    return mixed(uint64_t{key.context} << 32 | static_cast<uint32_t>(key.source),
                 static_cast<uint32_t>(key.tag));
  }
  Queue *findQueue(const Envelope &key) const;
  Queue &findOrAdd(const Envelope &key);
  void rehash();
  void giveBack();
  void append(Message &message, uint32_t kind);
  void unlink(Message &message, uint32_t kind);
  void index(uint32_t kind);

  std::unique_ptr<Queue[]> queues_; ///< open addressing, linear probing; capacity a power of two
  uint32_t capacity_ = 0, usedQueues_ = 0;
  Pool<Message::WildcardLinks> wildcardLinks_;
  uint32_t postedOfKind_[Kinds] = {};
  bool indexed_[Kinds] = {true, false, false, false}; ///< kinds whose unexpected queues are kept
};

} // namespace gnomon::p2p
