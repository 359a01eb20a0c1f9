// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Protocols: when a sender is let go, when a flow starts, when a receive is done. Fabric.h states
/// the rules.
///
/// The payload is copied once: at the match, from the sender's memory (or from the kept copy of a
/// detached message that came before its receive) to the receiver's, which neither side may touch
/// until its operation is done. A sender that stays in its call *lends*: no copy is kept unless the
/// call ends before the match (takeBack()).
#include "p2p/Fabric.h"

#include "process/ranks/Touched.h"
#include "support/Check.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace gnomon::p2p {

namespace {

/// Ranks run mostly in the order of their numbers and do the same relative to their own: what this
/// one does now, the next ones will do a place further. So what they are going to meet in the
/// mailboxes is asked for: the mailboxes themselves, and what lies in those that were asked for
/// before. Several at a time, for receives lie on their ranks' stacks, in pages of their own, and a
/// processor translates several addresses at once.
void fetchNeighbours(const std::vector<Mailbox> &mailboxes, uint32_t sender, uint32_t receiver) {
  constexpr uint32_t Together = 4;
  if (sender % Together != 0 ||
      size_t{std::max(sender, receiver)} + 2 * Together >= mailboxes.size())
    return;
  for (uint32_t i = 1; i <= Together; ++i) {
    mailboxes[receiver + i].prefetchReceive();
    mailboxes[sender + i].prefetchMessage();
  }
  for (uint32_t i = Together + 1; i <= 2 * Together; ++i) {
    fetchToWrite(&mailboxes[receiver + i]);
    fetchToWrite(&mailboxes[sender + i]);
  }
}

/// memmove, without a call for one or two numbers, as most messages of collectives are.
[[gnu::always_inline]] inline void move(void *to, const void *from, uint64_t bytes) {
  constexpr uint64_t Word = sizeof(uint64_t);
  if (bytes - Word > Word) {
    std::memmove(to, from, bytes);
    return;
  }
  uint64_t first, last; // which overlap
  std::memcpy(&first, from, Word);
  std::memcpy(&last, static_cast<const char *>(from) + bytes - Word, Word);
  std::memcpy(to, &first, Word);
  std::memcpy(static_cast<char *>(to) + bytes - Word, &last, Word);
}

/// The longest that waitForAny waits.
struct Limit {
  kernel::Engine &engine;
  Waiter &waiter;
  bool reached = false;

  static void reach(void *object, uint64_t) {
    auto &self = *static_cast<Limit *>(object);
    self.reached = true;
    if (--self.waiter.remaining == 0)
      self.engine.wake(*self.waiter.fiber);
  }
};

} // namespace

Fabric::Fabric(process::World &world, TypedCopy typedCopy)
    : world_(world), engine_(world.engine), detachedBelow_(world.protocol.detachedBytes()),
      asyncBelow_(world.protocol.asyncSmallBytes()), takesCpuTime_(world.protocol.takesCpuTime()),
      announces_(world.network.announces()), typedCopy_(typedCopy) {
  ranksAdded();
  engine_.fetchAhead(flowDone, fetchForEnd);
  engine_.fetchAhead(received, fetchForEnd);
}

void Fabric::ranksAdded() {
  const auto &ranks = world_.ranks;
  mailboxes_.resize(ranks.size());
  manyRanks_ = ranks.size() > FewFibers;
  if (!probers_.empty())
    probers_.resize(ranks.size());
  endpoints_.reserve(ranks.size());
  while (endpoints_.size() < ranks.size())
    endpoints_.push_back(world_.network.endpoint(ranks[endpoints_.size()]->host));
}

[[gnu::noinline]] void Fabric::pay(double seconds) {
  if (seconds > 0)
    engine_.sleep(seconds);
}

double Fabric::sendSeconds(uint64_t bytes, SendMode mode, bool nonblocking) const {
  if (mode == SendMode::Instant ||
      (!nonblocking && mode != SendMode::Synchronous && !isDetached(bytes, mode)))
    return 0;
  return nonblocking ? world_.protocol.nonblockingSendSeconds(bytes)
                     : world_.protocol.sendSeconds(bytes);
}

/// The mailboxes of a message: the receiver's, and the sender's, where it will probably receive.
[[gnu::noinline]] void Fabric::fetchForPost(uint32_t sender, uint32_t receiver) {
  fetchToWrite(&mailboxes_[receiver]);
  fetchToWrite(&mailboxes_[sender]);
  if (statistics_.inFlight >= FewFlows) {
    world_.network.expect(endpoints_[sender], endpoints_[receiver]);
    if (mailboxes_.size() >= ManyAtOnce)
      fetchNeighbours(mailboxes_, sender, receiver);
    mailboxes_[receiver].prefetchReceive();
  }
  mailboxes_[sender].setPartner(receiver);
}

/// Brings what the end of a flow will touch towards the processor while the flow is simulated: with
/// few flows under way, the receiver is among the next to run. Its waiter stands on its stack, near
/// the frames that it returns through.
[[gnu::noinline]] void Fabric::fetchReceiver(const Receive &receive) const {
  constexpr size_t LinesBelow = 7, LinesAbove = 9, RankLines = 4;
  if (!receive.waiter || statistics_.inFlight > FewFlows)
    return;
  fetchToWrite(reinterpret_cast<const char *>(receive.waiter) - LinesBelow * CacheLineBytes,
               LinesBelow + 1 + LinesAbove);
  fetchToWrite(world_.ranks[receive.receiver].get(), RankLines);
  if (uint32_t partner = mailboxes_[receive.receiver].partner(); partner != Mailbox::Nobody)
    fetchToWrite(&mailboxes_[partner]);
}

void Fabric::post(uint32_t sender, uint32_t receiver, const Envelope &envelope,
                  const Buffer &payload, SendMode mode, bool nonblocking, Send &send) {
  if (takesCpuTime_)
    pay(sendSeconds(payload.bytes, mode, nonblocking));
  postPaid(sender, receiver, envelope, payload, mode, send);
}

[[gnu::always_inline]] void Fabric::postPaid(uint32_t sender, uint32_t receiver,
                                             const Envelope &envelope, const Buffer &payload,
                                             SendMode mode, Send &send) {
  if (manyRanks_)
    fetchForPost(sender, receiver);
  bool detached = isDetached(payload.bytes, mode);
  const bool instant = mode == SendMode::Instant;
  if (!instant) {
    ++statistics_.messages;
    statistics_.bytes += payload.bytes;
  }
  noteProgress();

  send.completedAt = engine_.now(); // if it is not done: when it was posted
  Receive *receive = mailboxes_[receiver].takeFirst(envelope);
  if (detached) {
    send.done = true;
    if (receive)
      return receiveAtOnce(sender, envelope, send.signature, payload, *receive);
  }
  Message &message =
      *messages_.create(envelope, sender, receiver, send.signature, payload, detached, instant);
  if (!detached) {
    message.send = &send;
    send.message = &message;
  }
  if (!receive)
    receive = mailboxes_[receiver].arrive(message);
  if (receive)
    return match(message, *receive);
  if (detached)
    hold(message, send);
  if (payload.bytes < asyncBelow_ && mode != SendMode::Synchronous && !instant)
    startFlow(message);
  else if (announces_ && message.send && !instant)
    message.announced =
        world_.network.announce(endpoints_[sender], endpoints_[receiver], payload.bytes);
  if (!probers_.empty())
    wakeProbers(receiver, envelope);
}

void Fabric::post(Receive &receive) {
  noteProgress();
  if (Message *message = mailboxes_[receive.receiver].post(receive))
    match(*message, receive);
}

/// A detached message that no receive has matched.
inline void Fabric::hold(Message &message, Send &send) {
  send.sequence = message.sequence;
  if (message.payload.isSizeOnly())
    return;
  if (!send.lends)
    return keepPayload(message);
  message.lent = true;
  message.stored = &send;
  send.message = &message;
}

/// The sender goes on, so its memory may change: copy what it sends.
[[gnu::noinline]] void Fabric::keepPayload(Message &message) {
  Buffer &payload = message.payload;
  if (payload.bytes == 0 || payload.isSizeOnly())
    return;
  message.stored = payloads_.allocate(payload.bytes);
  Buffer stored{message.stored, payload.bytes, static_cast<int64_t>(payload.bytes), nullptr};
  if (payload.type)
    typedCopy_(payload, stored);
  else
    std::memcpy(stored.address, payload.address, payload.bytes);
  payload = stored;
}

[[gnu::noinline]] void Fabric::keepLent(Send &send) {
  Message &message = *std::exchange(send.message, nullptr);
  message.lent = false;
  message.stored = nullptr;
  keepPayload(message);
}

/// A detached message of which the receive was there: nothing is kept of it but its flow.
void Fabric::receiveAtOnce(uint32_t sender, const Envelope &envelope, uint32_t signature,
                           const Buffer &payload, Receive &receive) {
  accept(receive, {.source = envelope.source,
                   .tag = envelope.tag,
                   .messageBytes = payload.bytes,
                   .sender = sender,
                   .sentSignature = signature});
  receive.senderDetached = true;
  deliver(payload, nullptr, receive);
  startReceived(receive);
}

/// \p receive is matched with a message of which \p result tells.
[[gnu::always_inline]] inline void Fabric::accept(Receive &receive, const Receive::Result &result) {
  CHECK(!receive.matched, "a message is matched once");
  if (manyRanks_)
    fetchReceiver(receive);
  receive.matched = true;
  receive.result = result;
}

void Fabric::match(Message &message, Receive &receive) {
  CHECK(!message.receive, "a message is matched once");
  accept(receive, {.source = message.envelope.source,
                   .tag = message.envelope.tag,
                   .messageBytes = message.payload.bytes,
                   .sender = message.sender,
                   .sentSignature = message.signature});
  message.receive = &receive;
  receive.senderDetached = message.detached;
  deliver(message.payload, message.send, receive);
  if (message.stored)
    freePayload(message);
  if (message.arrived)
    finish(message);
  else if (!message.started && !message.send)
    startReceived(message);
  else if (!message.started)
    startFlow(message);
}

/// The data comes to a receive that is matched; \p send: null if it is detached.
[[gnu::always_inline]] inline void Fabric::deliver(const Buffer &from, const Send *send,
                                                   Receive &receive) {
  const Buffer &to = receive.buffer;
  const uint64_t bytes = std::min(from.bytes, to.bytes);
  if (bytes == 0 || from.isSizeOnly() || to.isSizeOnly())
    return;
  process::Touching touching(receive.result.sender, send, receive.receiver, &receive);
  if (from.type || to.type)
    typedCopy_(from, to);
  else if (from.address != to.address)
    move(to.address, from.address, bytes);
}

[[gnu::noinline]] void Fabric::freePayload(Message &message) {
  void *stored = std::exchange(message.stored, nullptr);
  if (message.lent)
    static_cast<Send *>(stored)->message = nullptr;
  else
    payloads_.free(stored, message.payload.bytes);
}

/// The flow of a message of which the receive alone is waited for: it has all that is needed.
inline void Fabric::startReceived(Receive &receive) {
  ++statistics_.inFlight;
  world_.network.transfer(endpoints_[receive.result.sender], endpoints_[receive.receiver],
                          receive.result.messageBytes,
                          {received, this, reinterpret_cast<uint64_t>(&receive)});
}

/// The same for \p message, of which nothing else is needed any more.
inline void Fabric::startReceived(Message &message) {
  Receive &receive = *message.receive;
  messages_.destroy(&message);
  startReceived(receive);
}

/// The flow of any other message.
void Fabric::startFlow(Message &message) {
  ++statistics_.inFlight;
  const platform::HostIndex source = endpoints_[message.sender],
                            destination = endpoints_[message.receiver];
  const uint64_t bytes = message.payload.bytes;
  message.started = true;
  const kernel::Action done{flowDone, this, reinterpret_cast<uint64_t>(&message)};
  if (message.send)
    world_.network.rendezvous(
        source, destination, bytes,
        {message.send->completedAt, message.announced, {letSenderGo, this, done.argument}}, done);
  else
    world_.network.transfer(source, destination, bytes, done);
}

void Fabric::received(void *fabric, uint64_t receive) {
  auto &self = *static_cast<Fabric *>(fabric);
  auto &done = *reinterpret_cast<Receive *>(receive);
  --self.statistics_.inFlight;
  if (self.manyRanks_)
    fetchToWrite(&self.mailboxes_[done.receiver]); // where its rank will receive next
  self.complete(done);
}

/// The sender is done before its message has arrived.
void Fabric::letSenderGo(void *fabric, uint64_t number) {
  auto &message = *reinterpret_cast<Message *>(number);
  Send &send = *std::exchange(message.send, nullptr);
  send.message = nullptr;
  static_cast<Fabric *>(fabric)->complete(send);
}

void Fabric::flowDone(void *fabric, uint64_t message) {
  static_cast<Fabric *>(fabric)->arrive(*reinterpret_cast<Message *>(message));
}

/// What the end of a flow will touch: of a message that is still there, itself; the receive, who waits
/// for it and its fiber. Each is found in the one before.
kernel::Fiber *Fabric::fetchForEnd(const kernel::Action &event, uint32_t step) {
  constexpr size_t MessageLines = 2, ReceiveLines = 2;
  const auto *receive = reinterpret_cast<const Receive *>(event.argument);
  if (event.function == flowDone) {
    const auto &message = *reinterpret_cast<const Message *>(event.argument);
    if (step >= 3) {
      fetchToWrite(&message, MessageLines);
      return nullptr;
    }
    receive = message.receive;
    if (step == 2 && receive)
      fetchToWrite(receive, ReceiveLines);
    if (step == 2 || !receive) // nobody waits
      return nullptr;
  }
  if (step >= 3) {
    fetchToWrite(receive, ReceiveLines);
    return nullptr;
  }
  const Waiter *waiter = receive->waiter;
  if (!waiter)
    return nullptr;
  if (step == 2)
    fetchToWrite(waiter);
  else if (step == 1)
    fetchToWrite(waiter->fiber);
  return step == 0 && waiter->remaining == 1 ? waiter->fiber : nullptr;
}

void Fabric::arrive(Message &message) {
  --statistics_.inFlight;
  message.arrived = true;
  if (message.receive)
    finish(message);
  else if (message.withdrawn)
    messages_.destroy(&message);
}

/// The flow has ended and the receive is there: both sides are done.
void Fabric::finish(Message &message) {
  complete(*message.receive);
  if (message.send) {
    message.send->message = nullptr;
    complete(*message.send);
  }
  messages_.destroy(&message);
}

void Fabric::complete(Completion &completion) {
  noteProgress();
  completion.done = true;
  completion.completedAt = engine_.now();
  if (Waiter *waiter = completion.waiter) {
    completion.waiter = nullptr;
    if (--waiter->remaining == 0)
      engine_.wake(*waiter->fiber);
  }
}

void Fabric::wait(Completion &completion) {
  if (completion.done)
    return;
  Waiter waiter{engine_.current(), 1};
  completion.waiter = &waiter;
  engine_.park();
  CHECK(completion.done, "a waiting fiber is woken by what it waits for");
}

ProbeResult Fabric::probe(uint32_t receiver, const Envelope &pattern) {
  Message *message = mailboxes_[receiver].probe(pattern);
  if (!message)
    return {};
  return {message, message->envelope.source, message->envelope.tag, message->payload.bytes};
}

ProbeResult Fabric::waitForMessage(uint32_t receiver, const Envelope &pattern) {
  for (;;) {
    if (ProbeResult result = probe(receiver, pattern); result.message)
      return result;
    Waiter waiter{engine_.current(), 1};
    Prober prober{&waiter, pattern};
    addProber(receiver, prober);
    engine_.park();
    // Another thread of the rank may have taken the message before this one had its turn.
  }
}

void Fabric::addProber(uint32_t receiver, Prober &prober) {
  if (probers_.empty())
    probers_.resize(mailboxes_.size());
  prober.next = probers_[receiver];
  probers_[receiver] = &prober;
}

void Fabric::removeProber(uint32_t receiver, const Prober &prober) {
  for (Prober **link = &probers_[receiver]; *link; link = &(*link)->next)
    if (*link == &prober) {
      *link = prober.next;
      return;
    }
}

void Fabric::waitForAny(uint32_t receiver, std::span<Completion *const> ends,
                        std::span<const Envelope> patterns, double seconds) {
  Waiter waiter{engine_.current(), 1};
  for (Completion *end : ends)
    if (!end->done && !end->waiter)
      end->waiter = &waiter;
  std::vector<Prober> probers(patterns.size());
  for (size_t i = 0; i < patterns.size(); ++i) {
    probers[i] = {&waiter, patterns[i]};
    addProber(receiver, probers[i]);
  }
  Limit limit{engine_, waiter};
  const bool isLimited = std::isfinite(seconds);
  const kernel::EventId timer =
      isLimited ? engine_.after(seconds, {Limit::reach, &limit, 0}) : kernel::EventId{};
  engine_.park();
  if (isLimited && !limit.reached)
    engine_.cancel(timer);
  for (Completion *end : ends)
    if (end->waiter == &waiter)
      end->waiter = nullptr;
  for (const Prober &prober : probers)
    removeProber(receiver, prober);
}

void Fabric::wakeProbers(uint32_t receiver, const Envelope &envelope) {
  Prober **link = &probers_[receiver];
  while (Prober *prober = *link) {
    if (prober->pattern.accepts(envelope)) {
      *link = prober->next;
      if (--prober->waiter->remaining == 0)
        engine_.wake(*prober->waiter->fiber);
    } else {
      link = &prober->next;
    }
  }
}

void Fabric::extract(Message &message) {
  mailboxes_[message.receiver].remove(message);
  message.extracted = true;
}

void Fabric::receiveExtracted(Message &message, Receive &receive) {
  noteProgress();
  match(message, receive);
}

bool Fabric::cancel(Receive &receive) {
  if (receive.done || receive.matched)
    return false;
  mailboxes_[receive.receiver].remove(receive);
  receive.result = {};
  receive.cancelled = true;
  complete(receive);
  return true;
}

bool Fabric::cancel(Send &send) {
  Message *message = send.message;
  if (send.done || !message || message->receive || message->extracted || message->started)
    return false;
  mailboxes_[message->receiver].remove(*message);
  if (message->announced)
    world_.network.forget(message->announced);
  messages_.destroy(message);
  send.message = nullptr;
  send.cancelled = true;
  complete(send);
  return true;
}

bool Fabric::withdraw(uint32_t sender, uint32_t receiver, uint64_t sequence, Completion &send) {
  Message *found = nullptr;
  mailboxes_[receiver].forEachUnexpected([&](const Message &message) {
    if (message.sender == sender && message.sequence == sequence && message.detached)
      found = const_cast<Message *>(&message);
    return !found;
  });
  if (!found || sequence == 0)
    return false;
  mailboxes_[receiver].remove(*found);
  if (found->stored)
    freePayload(*found);
  if (found->started && !found->arrived)
    found->withdrawn = true; // until the flow has ended
  else
    messages_.destroy(found);
  send.cancelled = true;
  noteProgress();
  return true;
}

} // namespace gnomon::p2p
