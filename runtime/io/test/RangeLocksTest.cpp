// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a lock waits for earlier ones that it meets, unless both read, and for no others; what
// waits goes on in the order of asking.
#include "io/RangeLocks.h"

#include <gtest/gtest.h>

#include <vector>

using namespace gnomon;
using Order = std::vector<uint64_t>;

namespace {

class RangeLocks : public ::testing::Test {
protected:
  io::RangeLocks::Handle ask(int64_t begin, int64_t end, bool exclusive) {
    return locks.acquire(begin, end, exclusive,
                         kernel::Action::of<&RangeLocks::note>(this, number++));
  }
  void note(uint64_t who) { order.push_back(who); }

  io::RangeLocks locks;
  uint64_t number = 0;
  Order order;
};

} // namespace

TEST_F(RangeLocks, WritersOfTheSameBytesComeOneAfterTheOther) {
  const auto first = ask(0, 10, true), second = ask(9, 20, true), third = ask(0, 1, true);
  EXPECT_EQ(order, Order({0}));
  locks.release(first);
  EXPECT_EQ(order, Order({0, 1, 2})); // the second and the third do not meet
  locks.release(third);
  locks.release(second);
  ask(0, 100, true);
  EXPECT_EQ(order, Order({0, 1, 2, 3}));
}

TEST_F(RangeLocks, RangesThatOnlyTouchDoNotMeet) {
  ask(10, 20, true);
  ask(20, 30, true);
  ask(0, 10, true);
  EXPECT_EQ(order, Order({0, 1, 2}));
}

TEST_F(RangeLocks, ReadersShare) {
  const auto first = ask(0, 10, false), second = ask(0, 10, false);
  ask(5, 6, true);
  EXPECT_EQ(order, Order({0, 1}));
  locks.release(first);
  EXPECT_EQ(order, Order({0, 1}));
  locks.release(second);
  EXPECT_EQ(order, Order({0, 1, 2}));
}

TEST_F(RangeLocks, NobodyOvertakesAWriterThatWaits) {
  const auto reader = ask(0, 10, false), writer = ask(0, 10, true);
  ask(0, 10, false);
  EXPECT_EQ(order, Order({0}));
  locks.release(reader);
  EXPECT_EQ(order, Order({0, 1}));
  locks.release(writer);
  EXPECT_EQ(order, Order({0, 1, 2}));
}
