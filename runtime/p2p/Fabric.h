// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Moves messages between ranks: matching (Mailbox.h) and protocols. Semantics are SMPI's
/// (SimGrid 4.1):
///
///   detached: the size is less than detachedBytes and the send is not synchronous, or the send is
///     buffered. The sender is let go after os (ois when nonblocking); the payload is kept; the
///     flow starts when the receive is posted, or at once if the size is less than asyncSmallBytes.
///     The receiver pays `or` once the flow has ended.
///   rendezvous: otherwise. The flow starts when both sides are there and the sender is held until
///     it ends. Nonblocking and synchronous sends pay ois and os; a blocking standard send and the
///     receiver pay nothing.
///   instant: the sender is held until the match, which ends both sides; no flow, no cost.
///
/// os and ois are slept before the message is posted. Costs of matching do not depend on the number
/// of pending messages.
#pragma once

#include "models/NetworkModel.h"
#include "p2p/Mailbox.h"
#include "p2p/Message.h"
#include "p2p/PayloadStore.h"
#include "process/ranks/Rank.h"
#include "support/Pool.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::p2p {

/// Copies min(from.bytes, to.bytes) bytes of data where at least one side has a type.
using TypedCopy = void (*)(const Buffer &from, const Buffer &to);

struct ProbeResult {
  Message *message = nullptr; ///< null: nothing matches
  int32_t source = 0, tag = 0;
  uint64_t bytes = 0;
};

struct Statistics {
  uint64_t messages = 0, bytes = 0; ///< posted; user bytes
  uint64_t inFlight = 0;            ///< flows and timed operations under way
  /// Grows with everything that can let a waiting rank go on; polling loops compare it
  /// (mpi/request/Polling.h).
  uint64_t progress = 0;
};

class Fabric {
public:
  Fabric(process::World &world, TypedCopy typedCopy);

  /// Whether a send of \p bytes is done as soon as it is posted.
  bool isDetached(uint64_t bytes, SendMode mode) const {
    if (mode == SendMode::Standard) [[likely]]
      return bytes < detachedBelow_;
    if (mode == SendMode::Synchronous || mode == SendMode::Instant)
      return false;
    return mode == SendMode::Buffered || bytes < detachedBelow_;
  }
  /// Posts a message to process \p receiver from the present fiber. os/ois are slept first. On
  /// return \p send is done (detached), or will be.
  void post(uint32_t sender, uint32_t receiver, const Envelope &envelope, const Buffer &payload,
            SendMode mode, bool nonblocking, Send &send);
  /// Carries \p bytes as a message that no receive matches (one-sided communication); \p arrived
  /// runs when the last byte has, and must call endTimed().
  void transfer(uint32_t sender, uint32_t receiver, uint64_t bytes, kernel::Action arrived) {
    ++statistics_.messages;
    statistics_.bytes += bytes;
    noteProgress();
    beginTimed();
    world_.network.transfer(endpoints_[sender], endpoints_[receiver], bytes, arrived);
  }
  /// Ends what Send::lends promises, once \p send is done: what is still lent is copied now, so the
  /// sender's memory is not read any more.
  void takeBack(Send &send) {
    if (send.message)
      keepLent(send);
  }
  /// Seconds that such a post() sleeps first.
  double sendSeconds(uint64_t bytes, SendMode mode, bool nonblocking) const;
  /// post() after that.
  void postPaid(uint32_t sender, uint32_t receiver, const Envelope &envelope, const Buffer &payload,
                SendMode mode, Send &send);
  /// Posts a receive for process receive.receiver.
  void post(Receive &receive);
  /// Parks the present fiber until \p completion is done.
  void wait(Completion &completion);
  /// Sleeps `or` for a done receive, if its sender was detached.
  void payReceive(const Receive &receive) {
    if (takesCpuTime_)
      pay(receiveSeconds(receive));
  }
  /// What payReceive() sleeps.
  double receiveSeconds(const Receive &receive) const {
    return receive.senderDetached ? world_.protocol.receiveSeconds(receive.result.messageBytes) : 0;
  }
  /// Whether sends and receives ever cost their ranks anything.
  bool takesCpuTime() const { return takesCpuTime_; }

  /// The oldest message of \p receiver that \p pattern accepts; it stays where it is.
  ProbeResult probe(uint32_t receiver, const Envelope &pattern);
  /// Parks the present fiber until probe() finds one.
  ProbeResult waitForMessage(uint32_t receiver, const Envelope &pattern);
  /// Parks the present fiber, of process \p receiver, until one of \p ends is done, a message comes
  /// that no receive takes and one of \p patterns accepts, or finite \p seconds have gone by.
  void waitForAny(uint32_t receiver, std::span<Completion *const> ends,
                  std::span<const Envelope> patterns, double seconds);
  /// Takes a probed message out of matching, for receiveExtracted (matched probe).
  void extract(Message &message);
  void receiveExtracted(Message &message, Receive &receive);

  /// True when the operation had not been matched: it is done and cancelled now.
  bool cancel(Receive &receive);
  bool cancel(Send &send);
  /// The same for a detached send, which is done already, by process \p sender to \p receiver; \p
  /// sequence: its Send::sequence.
  bool withdraw(uint32_t sender, uint32_t receiver, uint64_t sequence, Completion &send);

  /// Marks something done, and wakes whoever waits for it.
  void complete(Completion &completion);

  /// The world has more ranks than before.
  void ranksAdded();

  const Statistics &statistics() const { return statistics_; }
  /// Messages that are kept: posted and not matched yet, or whose sender waits for their end.
  size_t liveMessages() const { return messages_.live(); }
  void noteProgress() { ++statistics_.progress; }
  /// Something begins, or ends, that takes simulated time without a message: whoever polls
  /// meanwhile does not poll in vain.
  void beginTimed() { ++statistics_.inFlight; }
  void endTimed() {
    --statistics_.inFlight;
    noteProgress();
  }
  const Mailbox &mailbox(uint32_t process) const { return mailboxes_[process]; }
  /// Asks the processor for that of \p process, which is to be used soon.
  void fetchMailbox(uint32_t process) const { fetchToWrite(&mailboxes_[process]); }
  kernel::Engine &engine() const { return engine_; }
  process::World &world() const { return world_; }

private:
  struct Prober {
    Waiter *waiter;
    Envelope pattern;
    Prober *next = nullptr;
  };
  void addProber(uint32_t receiver, Prober &prober);
  void removeProber(uint32_t receiver, const Prober &prober);
  void pay(double seconds);
  void fetchForPost(uint32_t sender, uint32_t receiver);
  void fetchReceiver(const Receive &receive) const;
  void hold(Message &message, Send &send);
  void keepPayload(Message &message);
  void keepLent(Send &send);
  void freePayload(Message &message);
  void receiveAtOnce(uint32_t sender, const Envelope &envelope, uint32_t signature,
                     const Buffer &payload, Receive &receive);
  void accept(Receive &receive, const Receive::Result &result);
  void match(Message &message, Receive &receive);
  void deliver(const Buffer &from, const Send *send, Receive &receive);
  void startReceived(Receive &receive);
  void startReceived(Message &message);
  void startFlow(Message &message);
  void arrive(Message &message);
  void finish(Message &message);
  void wakeProbers(uint32_t receiver, const Envelope &envelope);
  static void letSenderGo(void *fabric, uint64_t message);
  static void flowDone(void *fabric, uint64_t message);
  static void received(void *fabric, uint64_t receive);
  static kernel::Fiber *fetchForEnd(const kernel::Action &event, uint32_t step);

  process::World &world_;
  kernel::Engine &engine_;
  uint64_t detachedBelow_, asyncBelow_; ///< user bytes
  bool takesCpuTime_;
  bool announces_;         ///< the network wants to know of messages that wait for their receivers
  bool manyRanks_ = false; ///< more than the near caches hold
  TypedCopy typedCopy_;
  Pool<Message> messages_;
  PayloadStore payloads_;
  std::vector<Mailbox> mailboxes_;             ///< by process number
  std::vector<platform::HostIndex> endpoints_; ///< of the network, by process number
  std::vector<Prober *> probers_; ///< by process number; made on the first blocking probe
  Statistics statistics_;
};

} // namespace gnomon::p2p
