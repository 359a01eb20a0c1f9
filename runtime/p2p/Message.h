// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The nouns of this room: an envelope, a buffer, a message on its way, a posted receive, and what
/// a fiber waits for. No communicators, no datatypes, no handles: a context is a number, a buffer
/// is bytes or something that upper rooms can turn into bytes.
#pragma once

#include "kernel/Fiber.h"
#include "support/Time.h"

#include <cstdint>

namespace gnomon::p2p {

/// The ABI's wildcards.
inline constexpr int32_t AnySource = -1;
inline constexpr int32_t AnyTag = -2;

/// What a message is matched by. Source is a rank of the context's communicator. A receive's may
/// have wildcards.
struct Envelope {
  uint32_t context = 0;
  int32_t source = 0;
  int32_t tag = 0;

  /// Whether this pattern accepts a message with envelope \p message.
  bool accepts(const Envelope &message) const {
    return context == message.context && (source == AnySource || source == message.source) &&
           (tag == AnyTag || tag == message.tag);
  }
  friend bool operator==(const Envelope &, const Envelope &) = default;
};

/// User memory. Contiguous when `type` is null; otherwise `count` elements of something that only
/// the copier given to the Fabric understands. `bytes` is the amount of data (not the extent).
struct Buffer {
  void *address = nullptr;
  uint64_t bytes = 0;
  int64_t count = 0;
  const void *type = nullptr;

  /// Contiguous data at no address: it has a size, costs time, and nothing is copied.
  bool isSizeOnly() const { return !address && !type; }
};

/// A parked fiber that wants `remaining` more completions.
struct Waiter {
  kernel::Fiber *fiber = nullptr;
  int64_t remaining = 0;
};

/// Something that ends once, and that at most one waiter waits for.
struct Completion {
  Waiter *waiter = nullptr;
  SimTime completedAt;
  bool done = false;
  bool cancelled = false;
};

enum class SendMode : uint8_t {
  Standard,
  Synchronous,
  Buffered,
  Ready,
  /// Moves data of an operation whose time is charged as a whole: arrives when it is matched, costs
  /// nobody anything, is no message of the network.
  Instant,
};

struct Message;

/// The sender's end of a message. Done when the sender's buffer may be used again. A detached send
/// is done at once.
struct Send : Completion {
  /// Null once the message no longer needs its sender, or of a detached one its buffer.
  Message *message = nullptr;
  /// Of a detached message that no receive had matched: Message::sequence, to take it back.
  uint64_t sequence = 0;
  /// What the data is made of, for upper rooms to compare; 0 matches everything. Set before the
  /// post.
  uint32_t signature = 0;
  /// Set before the post by who leaves the buffer alone until the message is matched, or until
  /// Fabric::takeBack(): a detached message is not copied before that.
  bool lends = false;
};

/// A posted receive; owned by whoever posts it, at a fixed address until it is done.
struct Receive : Completion {
  // In what Completion's end leaves.
  bool matched = false;        ///< a message is on its way: too late to cancel
  bool senderDetached = false; ///< then the receiver pays `or` after completion
  Envelope pattern;
  Buffer buffer;
  /// Links and order of a posted receive.
  struct Place {
    Receive *next, *previous;
    uint64_t sequence;
  };
  struct Result {
    int32_t source, tag;
    uint64_t messageBytes;  ///< what was sent
    uint32_t sender;        ///< process number
    uint32_t sentSignature; ///< the send's
  };
  /// It has a place until it is matched, and its result from then on; none if it is cancelled.
  union {
    Place place;
    Result result = {};
  };
  uint32_t receiver = 0;  ///< process number
  uint32_t signature = 0; ///< as Send's
  bool truncated() const { return result.messageBytes > buffer.bytes; }
};

/// A message from its posting until it is matched and its flow starts, which then stands for the
/// receive; until its receive is done where the flow started before the match, or where its sender
/// waits too. Two cache lines: the second is for who waits, or has come too early.
struct alignas(64) Message {
  struct Link {
    Message *next, *previous;
  };
  /// In queues of unexpected messages by kind of pattern (MatchIndex.h), where a pattern has
  /// wildcards.
  struct WildcardLinks {
    Link links[3];
  };

  Envelope envelope;
  uint32_t sender = 0, receiver = 0; ///< process numbers
  uint32_t signature = 0;            ///< the send's
  bool detached = false;
  bool started = false;       ///< the flow is under way
  bool arrived = false;       ///< its last byte is there
  bool extracted = false;     ///< taken out of matching by a matched probe
  Buffer payload;             ///< the sender's memory, or `stored`
  Receive *receive = nullptr; ///< once matched
  Send *send = nullptr;       ///< null for detached messages
  void *stored = nullptr;     ///< a copy, when the sender was let go before the match; or its Send
  uint64_t sequence = 0;      ///< of posting, among those of the receiver
  Link link;                  ///< among unexpected ones; set when it enters their queue
  WildcardLinks *wildcardLinks = nullptr;
  uint32_t announced = 0; ///< what NetworkModel::announce() gave
  bool withdrawn = false; ///< cancelled while its flow was under way
  bool lent = false;      ///< the payload is the sender's memory: `stored` is its Send

  Link &linkOf(uint32_t kind) { return kind == 0 ? link : wildcardLinks->links[kind - 1]; }

  Message() {} // NOLINT(modernize-use-equals-default): that one would clear the link
  /// \p instant: there is no flow to be waited for.
  Message(const Envelope &envelope, uint32_t sender, uint32_t receiver, uint32_t signature,
          const Buffer &payload, bool detached, bool instant)
      : envelope(envelope), sender(sender), receiver(receiver), signature(signature),
        detached(detached), started(instant), arrived(instant), payload(payload) {}
};
static_assert(sizeof(Message) == 128);

} // namespace gnomon::p2p
