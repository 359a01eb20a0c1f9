// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of the protocols: dates in closed form, delivery, cancelling, probing.
///
/// In what follows T(n) is the network's time for n bytes, and os, ois, or are the protocol's
/// costs.
#include "p2p/Fabric.h"
#include "p2p/test/FakeWorld.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace gnomon::p2p {
namespace {

using test::FakeWorld;

void noTypes(const Buffer &, const Buffer &) { FAIL() << "no buffer here has a type"; }

struct Pair {
  explicit Pair(uint64_t bytes, uint64_t spare = 0) : data(bytes), got(bytes + spare) {
    std::iota(data.begin(), data.end(), static_cast<unsigned char>(3));
  }
  Buffer out() { return {data.data(), data.size(), static_cast<int64_t>(data.size()), nullptr}; }
  Buffer in() { return {got.data(), got.size(), static_cast<int64_t>(got.size()), nullptr}; }
  std::vector<unsigned char> data, got;
};

/// Rank 0 sends one message to rank 1. Dates at which each side goes on.
struct Outcome {
  double sender = -1, receiver = -1;
  bool delivered = false;
};

struct Setup {
  uint64_t bytes = 0;
  SendMode mode = SendMode::Standard;
  bool nonblocking = false;
  double sendAt = 0, receiveAt = 0;
  uint64_t spare = 0; ///< bytes of the receiver's buffer beyond the message
};

Outcome play(FakeWorld &world, const Setup &setup) {
  Fabric fabric(world.world, noTypes);
  Pair pair(setup.bytes, setup.spare);
  Outcome outcome;
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    if (rank.number == 0) {
      world.engine.sleep(setup.sendAt);
      Send send;
      fabric.post(0, 1, {0, 0, 7}, pair.out(), setup.mode, setup.nonblocking, send);
      fabric.wait(send);
      outcome.sender = world.now();
      if (send.message == nullptr)
        std::fill(pair.data.begin(), pair.data.end(), 0); // the buffer is the sender's again
    } else {
      world.engine.sleep(setup.receiveAt);
      Receive receive;
      receive.pattern = {0, 0, 7};
      receive.receiver = 1;
      receive.buffer = pair.in();
      fabric.post(receive);
      fabric.wait(receive);
      fabric.payReceive(receive);
      outcome.receiver = world.now();
      EXPECT_EQ(receive.result.messageBytes, setup.bytes);
      EXPECT_EQ(receive.result.source, 0);
      EXPECT_EQ(receive.result.tag, 7);
    }
  }));
  Pair fresh(setup.bytes);
  outcome.delivered = pair.got == fresh.data;
  return outcome;
}

// Intent: detached: sender free after os; the flow starts at the later of both posts; receiver pays
// or.
TEST(Protocol, DetachedStartsWithTheReceive) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.ois = 9e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 1000, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 1e-3);
  EXPECT_DOUBLE_EQ(o.receiver, 0.5 + world.network.seconds(1000) + 2e-3);
  EXPECT_TRUE(o.delivered);
}

// Intent: detached with the receive posted first: the flow starts after os.
TEST(Protocol, DetachedAfterTheReceive) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 1000, .sendAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0.5 + 1e-3);
  EXPECT_DOUBLE_EQ(o.receiver, 0.5 + 1e-3 + world.network.seconds(1000) + 2e-3);
  EXPECT_TRUE(o.delivered);
}

// Intent: a nonblocking send pays ois instead of os.
TEST(Protocol, NonblockingPaysOis) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.ois = 3e-3;
  Outcome o = play(world, {.bytes = 10, .nonblocking = true});
  EXPECT_DOUBLE_EQ(o.sender, 3e-3);
  EXPECT_DOUBLE_EQ(o.receiver, 3e-3 + world.network.seconds(10));
}

// Intent: the threshold is strict: at detachedBytes a send is rendezvous, and a blocking standard
// one pays no os, its receiver no or.
TEST(Protocol, RendezvousAtTheThreshold) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 65536, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0.5 + world.network.seconds(65536));
  EXPECT_DOUBLE_EQ(o.receiver, o.sender);
  EXPECT_TRUE(o.delivered);
}

// Intent: with the receive posted first as well, nothing but the flow takes time.
TEST(Protocol, BlockingRendezvousPaysNothing) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.ois = 3e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 65536});
  EXPECT_DOUBLE_EQ(o.sender, world.network.seconds(65536));
  EXPECT_DOUBLE_EQ(o.receiver, o.sender);
}

// Intent: a nonblocking rendezvous pays ois before it is posted.
TEST(Protocol, NonblockingRendezvousPaysOis) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.ois = 3e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 65536, .nonblocking = true});
  EXPECT_DOUBLE_EQ(o.sender, 3e-3 + world.network.seconds(65536));
  EXPECT_DOUBLE_EQ(o.receiver, o.sender);
}

// Intent: a blocking synchronous send pays os before it is posted.
TEST(Protocol, SynchronousPaysOs) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.ois = 3e-3;
  Outcome o = play(world, {.bytes = 1, .mode = SendMode::Synchronous});
  EXPECT_DOUBLE_EQ(o.sender, 1e-3 + world.network.seconds(1));
}

// Intent: the receiver pays for what was sent, not for the room it had.
TEST(Protocol, ReceiveCostIsOfTheMessage) {
  FakeWorld world(2);
  world.protocol.orPerByte = 1e-6;
  Outcome o = play(world, {.bytes = 1000, .spare = 5000});
  EXPECT_DOUBLE_EQ(o.receiver, world.network.seconds(1000) + 1e-3);
}

// Intent: one byte below the threshold a send is detached.
TEST(Protocol, DetachedBelowTheThreshold) {
  FakeWorld world(2);
  Outcome o = play(world, {.bytes = 65535, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0);
  EXPECT_TRUE(o.delivered);
}

// Intent: synchronous sends are rendezvous whatever their size, and pay os.
TEST(Protocol, SynchronousIsRendezvous) {
  FakeWorld world(2);
  world.protocol.os = 1e-3;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 1, .mode = SendMode::Synchronous, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0.5 + world.network.seconds(1));
  EXPECT_DOUBLE_EQ(o.receiver, o.sender);
  world.protocol.os = 0;
}

// Intent: buffered sends are detached whatever their size.
TEST(Protocol, BufferedIsDetached) {
  FakeWorld world(2);
  Outcome o = play(world, {.bytes = 1 << 20, .mode = SendMode::Buffered, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0);
  EXPECT_DOUBLE_EQ(o.receiver, 0.5 + world.network.seconds(1 << 20));
  EXPECT_TRUE(o.delivered);
}

// Intent: below asyncSmallBytes the flow starts when the send is posted: a late receive finds the
// message there.
TEST(Protocol, AsyncMovesBeforeTheReceive) {
  FakeWorld world(2);
  world.protocol.async = 2000;
  world.protocol.orCost = 2e-3;
  Outcome o = play(world, {.bytes = 1000, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.sender, 0);
  EXPECT_DOUBLE_EQ(o.receiver, 0.5 + 2e-3);
  EXPECT_TRUE(o.delivered);
}

// Intent: an async message that is under way when the receive comes arrives when its flow ends.
TEST(Protocol, AsyncUnderWay) {
  FakeWorld world(2);
  world.protocol.async = 2000;
  world.network.latencySeconds = 1;
  Outcome o = play(world, {.bytes = 1000, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.receiver, world.network.seconds(1000));
  EXPECT_EQ(world.network.transfers, 1u);
}

// Intent: the threshold is strict, and synchronous messages wait for their receive whatever it is.
TEST(Protocol, NotAsyncFromTheThresholdOnNorSynchronous) {
  for (auto [bytes, mode] : {std::pair{2000, SendMode::Standard}, {1, SendMode::Synchronous}}) {
    FakeWorld world(2);
    world.protocol.async = 2000;
    const auto size = static_cast<uint64_t>(bytes);
    Outcome o = play(world, {.bytes = size, .mode = mode, .receiveAt = 0.5});
    EXPECT_DOUBLE_EQ(o.receiver, 0.5 + world.network.seconds(size));
  }
}

// Intent: below asyncSmallBytes a message moves at once even if its sender waits for its end.
TEST(Protocol, AsyncWithoutBeingDetached) {
  FakeWorld world(2);
  world.protocol.async = 2000;
  world.protocol.detached = 100;
  Outcome o = play(world, {.bytes = 1000, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(o.receiver, 0.5);
  EXPECT_DOUBLE_EQ(o.sender, 0.5);
}

// Intent: the network is told since when the sender of a rendezvous has waited, and of no other
// message.
TEST(Protocol, RendezvousTellsWhenItWasPosted) {
  FakeWorld world(2);
  play(world, {.bytes = 100000, .sendAt = 0.25, .receiveAt = 0.5});
  EXPECT_DOUBLE_EQ(world.network.lastPosted, 0.25);
  FakeWorld other(2);
  play(other, {.bytes = 1000, .sendAt = 0.25, .receiveAt = 0.5});
  EXPECT_EQ(other.network.lastPosted, -1);
}

// Intent: an instant message costs nobody anything, holds its sender until the match, and is no
// message of the network.
TEST(Protocol, Instant) {
  for (uint64_t bytes : {1000u, 100000u}) {
    FakeWorld world(2);
    world.protocol.os = world.protocol.ois = world.protocol.orCost = 1;
    world.protocol.async = 2000;
    Outcome o = play(world, {.bytes = bytes, .mode = SendMode::Instant, .receiveAt = 0.5});
    EXPECT_DOUBLE_EQ(o.sender, 0.5);
    EXPECT_DOUBLE_EQ(o.receiver, 0.5);
    EXPECT_TRUE(o.delivered);
    EXPECT_EQ(world.network.transfers, 0u);
  }
}

// Intent: messages of no bytes are messages.
TEST(Protocol, ZeroBytes) {
  FakeWorld world(2);
  Outcome o = play(world, {.bytes = 0});
  EXPECT_DOUBLE_EQ(o.receiver, world.network.seconds(0));
  EXPECT_EQ(world.network.transfers, 1u);
}

// Intent: a rank sends to itself through the network's loopback, detached as well as rendezvous.
TEST(Fabric, SelfMessages) {
  for (uint64_t bytes : {8u, 100000u}) {
    FakeWorld world(1);
    Fabric fabric(world.world, noTypes);
    Pair pair(bytes);
    EXPECT_TRUE(world.run([&](process::Rank &) {
      Send send;
      Receive receive;
      receive.pattern = {0, 0, 1};
      receive.buffer = pair.in();
      fabric.post(0, 0, {0, 0, 1}, pair.out(), SendMode::Standard, true, send);
      fabric.post(receive);
      fabric.wait(receive);
      fabric.wait(send);
    }));
    EXPECT_EQ(pair.got, pair.data);
  }
}

// Intent: a message longer than the buffer fills it, leaves what lies behind alone, and says so.
TEST(Fabric, Truncation) {
  FakeWorld world(2);
  Fabric fabric(world.world, noTypes);
  Pair pair(100);
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    if (rank.number == 0) {
      Send send;
      fabric.post(0, 1, {0, 0, 1}, pair.out(), SendMode::Standard, false, send);
    } else {
      Receive receive;
      receive.pattern = {0, 0, 1};
      receive.receiver = 1;
      receive.buffer = pair.in();
      receive.buffer.bytes = 40;
      fabric.post(receive);
      fabric.wait(receive);
      EXPECT_TRUE(receive.truncated());
      EXPECT_EQ(receive.result.messageBytes, 100u);
    }
  }));
  EXPECT_TRUE(std::equal(pair.data.begin(), pair.data.begin() + 40, pair.got.begin()));
  EXPECT_EQ(pair.got[40], 0);
}

// Intent: what has not been matched can be cancelled, on both sides; what has been cannot.
TEST(Fabric, Cancel) {
  FakeWorld world(2);
  Fabric fabric(world.world, noTypes);
  Pair pair(100000);
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    if (rank.number == 1)
      return;
    Receive receive;
    receive.pattern = {0, AnySource, 1};
    fabric.post(receive);
    EXPECT_TRUE(fabric.cancel(receive));
    EXPECT_TRUE(receive.done && receive.cancelled);
    EXPECT_FALSE(fabric.cancel(receive));
    Send send;
    fabric.post(0, 1, {0, 0, 1}, pair.out(), SendMode::Standard, true, send);
    EXPECT_TRUE(fabric.cancel(send));
    EXPECT_TRUE(send.done && send.cancelled);
    // Matched: too late.
    Send other;
    Receive self;
    self.pattern = {0, 0, 2};
    self.buffer = pair.in();
    fabric.post(self);
    fabric.post(0, 0, {0, 0, 2}, pair.out(), SendMode::Standard, true, other);
    EXPECT_FALSE(fabric.cancel(self));
    EXPECT_FALSE(fabric.cancel(other));
    fabric.wait(self);
  }));
  EXPECT_EQ(fabric.mailbox(1).unexpectedCount(), 0u);
}

// Intent: a probe waits for the first message that it accepts, passes others by, and leaves it
// there.
TEST(Fabric, ProbeWaits) {
  FakeWorld world(2);
  Fabric fabric(world.world, noTypes);
  Pair pair(64);
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    if (rank.number == 0) {
      Send a, b;
      world.engine.sleep(1);
      fabric.post(0, 1, {0, 0, 5}, pair.out(), SendMode::Standard, false, a);
      world.engine.sleep(1);
      fabric.post(0, 1, {0, 0, 6}, pair.out(), SendMode::Standard, false, b);
      return;
    }
    ProbeResult probed = fabric.waitForMessage(1, {0, AnySource, 6});
    EXPECT_DOUBLE_EQ(world.now(), 2);
    EXPECT_EQ(probed.tag, 6);
    EXPECT_EQ(probed.bytes, 64u);
    EXPECT_EQ(fabric.mailbox(1).unexpectedCount(), 2u);
    // Matched probe: out of matching, then received.
    fabric.extract(*probed.message);
    EXPECT_EQ(fabric.probe(1, {0, AnySource, 6}).message, nullptr);
    Receive receive;
    receive.receiver = 1;
    receive.buffer = pair.in();
    fabric.receiveExtracted(*probed.message, receive);
    fabric.wait(receive);
    EXPECT_EQ(receive.result.tag, 6);
  }));
  EXPECT_EQ(pair.got, pair.data);
}

// Intent: messages and requests come from pools and payloads from recycled blocks: nothing stays
// allocated.
TEST(Fabric, LeavesNothingBehind) {
  FakeWorld world(2);
  Fabric fabric(world.world, noTypes);
  Pair pair(5000);
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    for (int i = 0; i < 100; ++i) {
      Send send;
      Receive receive;
      receive.pattern = {0, 0, i};
      receive.receiver = 1;
      receive.buffer = pair.in();
      if (rank.number == 0)
        fabric.post(0, 1, {0, 0, i}, pair.out(), SendMode::Standard, false, send);
      else {
        fabric.post(receive);
        fabric.wait(receive);
      }
    }
  }));
  EXPECT_EQ(fabric.statistics().messages, 100u);
  EXPECT_EQ(fabric.statistics().bytes, 500000u);
  EXPECT_EQ(fabric.statistics().inFlight, 0u);
  EXPECT_EQ(fabric.liveMessages(), 0u);
}

// Intent: of a detached message nothing but its flow is left once it is matched; one whose sender
// waits is kept until both sides are done.
TEST(Fabric, MatchedMessagesAreKeptForTheirSendersOnly) {
  for (const auto &[mode, kept] :
       {std::pair(SendMode::Standard, 0u), std::pair(SendMode::Synchronous, 1u)}) {
    FakeWorld world(2);
    world.protocol.detached = 1000;
    Fabric fabric(world.world, noTypes);
    Pair pair(100);
    EXPECT_TRUE(world.run([&](process::Rank &rank) {
      if (rank.number == 0) {
        Send send;
        fabric.post(0, 1, {0, 0, 7}, pair.out(), mode, false, send);
        EXPECT_EQ(fabric.liveMessages(), 1u);
        fabric.wait(send);
        return;
      }
      Receive receive;
      receive.pattern = {0, 0, 7};
      receive.receiver = 1;
      receive.buffer = pair.in();
      fabric.post(receive);
      EXPECT_EQ(fabric.liveMessages(), kept);
      EXPECT_EQ(fabric.statistics().inFlight, 1u);
      fabric.wait(receive);
    }));
    EXPECT_EQ(fabric.liveMessages(), 0u);
    EXPECT_EQ(pair.got, pair.data);
  }
}

} // namespace
} // namespace gnomon::p2p
