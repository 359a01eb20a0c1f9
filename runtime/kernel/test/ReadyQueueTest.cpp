// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: ready fibers come out in the order in which they went in, also while the ring grows in
// the middle of being used, and those further back can be looked at.
#include "kernel/ReadyQueue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

using namespace gnomon::kernel;

TEST(ReadyQueue, IsFirstInFirstOut) {
  std::deque<Fiber> fibers(500);
  std::deque<Fiber *> expected;
  ReadyQueue queue;
  std::mt19937 random(1);
  EXPECT_EQ(queue.pop(), nullptr);
  for (int i = 0; i < 100000; ++i) {
    const bool growing = i % 20000 < 10000;
    if (random() % 4 < (growing ? 3u : 1u)) {
      Fiber *fiber = &fibers[random() % fibers.size()];
      queue.push({fiber, fiber});
      expected.push_back(fiber);
    } else {
      Fiber *fiber = expected.empty() ? nullptr : expected.front();
      if (fiber)
        expected.pop_front();
      ASSERT_EQ(queue.pop(), fiber) << i;
    }
    ASSERT_EQ(queue.size(), expected.size());
    if (!expected.empty()) {
      const size_t n = random() % expected.size();
      ASSERT_EQ(queue[n].fiber, expected[n]);
    }
  }
}

// A million that were ready once leave no long ring behind; thousands that come again and again keep theirs.
TEST(ReadyQueue, GivesALongRingBack) {
  Fiber fiber;
  ReadyQueue queue;
  const auto pushAndPopAll = [&](size_t count) {
    for (size_t i = 0; i < count; ++i)
      queue.push({&fiber, &fiber});
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(queue.pop(), &fiber);
    ASSERT_EQ(queue.pop(), nullptr);
  };
  pushAndPopAll(10000);
  EXPECT_GE(queue.capacity(), 10000u);
  pushAndPopAll(1000000);
  EXPECT_LT(queue.capacity(), 1000u);
  pushAndPopAll(10000);
  EXPECT_GE(queue.capacity(), 10000u);
}
