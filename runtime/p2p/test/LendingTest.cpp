// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of Send::lends: when the sender's memory is read, and when it is not any more.
#include "p2p/Fabric.h"
#include "p2p/test/FakeWorld.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace gnomon::p2p {
namespace {

using test::FakeWorld;

void noTypes(const Buffer &, const Buffer &) { FAIL() << "no buffer here has a type"; }

std::vector<unsigned char> hundredBytes() {
  std::vector<unsigned char> data(100);
  std::iota(data.begin(), data.end(), static_cast<unsigned char>(3));
  return data;
}

Buffer bufferOf(std::vector<unsigned char> &data) {
  return {data.data(), data.size(), static_cast<int64_t>(data.size()), nullptr};
}

/// Rank 1, at 0.5 s.
void receiveLate(FakeWorld &world, Fabric &fabric, std::vector<unsigned char> &data) {
  world.engine.sleep(0.5);
  Receive receive;
  receive.pattern = {0, 0, 7};
  receive.receiver = 1;
  receive.buffer = bufferOf(data);
  fabric.post(receive);
  fabric.wait(receive);
}

// Intent: what a sender lends is read at the match, and the sender is told.
TEST(Lending, IsReadAtTheMatch) {
  FakeWorld world(2);
  Fabric fabric(world.world, noTypes);
  std::vector<unsigned char> data = hundredBytes(), got(100);
  EXPECT_TRUE(world.run([&](process::Rank &rank) {
    if (rank.number == 1)
      return receiveLate(world, fabric, got);
    Send send;
    send.lends = true;
    fabric.post(0, 1, {0, 0, 7}, bufferOf(data), SendMode::Standard, true, send);
    EXPECT_TRUE(send.done);
    EXPECT_NE(send.message, nullptr);
    data[0] = 77; // no sender may do so: it shows that there is no copy
    world.engine.sleep(1);
    EXPECT_EQ(send.message, nullptr);
    fabric.takeBack(send);
  }));
  EXPECT_EQ(got[0], 77);
  EXPECT_EQ(got, data);
  EXPECT_EQ(fabric.liveMessages(), 0u);
}

// Intent: after takeBack the sender's memory is its own, also where the flow is under way; a message
// that is withdrawn tells its sender too.
TEST(Lending, EndsWithTheCall) {
  for (uint64_t async : {uint64_t{0}, uint64_t{2000}}) {
    FakeWorld world(2);
    world.protocol.async = async;
    Fabric fabric(world.world, noTypes);
    std::vector<unsigned char> data = hundredBytes(), got(100);
    EXPECT_TRUE(world.run([&](process::Rank &rank) {
      if (rank.number == 1)
        return receiveLate(world, fabric, got);
      Send send, other;
      send.lends = other.lends = true;
      fabric.post(0, 1, {0, 0, 7}, bufferOf(data), SendMode::Standard, true, send);
      fabric.post(0, 1, {0, 0, 8}, bufferOf(data), SendMode::Standard, true, other);
      fabric.takeBack(send);
      EXPECT_EQ(send.message, nullptr);
      EXPECT_TRUE(fabric.withdraw(0, 1, other.sequence, other));
      EXPECT_EQ(other.message, nullptr);
      std::ranges::fill(data, 0);
    }));
    EXPECT_EQ(got, hundredBytes());
    EXPECT_EQ(fabric.liveMessages(), 0u);
  }
}

} // namespace
} // namespace gnomon::p2p
