// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pending events come out by date, and in the order of scheduling at equal dates, whatever
// was cancelled or moved in between.
#include "kernel/EventQueue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace gnomon;
using namespace gnomon::kernel;

namespace {
Action tagged(uint64_t tag) {
  return {[](void *, uint64_t) {}, nullptr, tag};
}

std::vector<uint64_t> drain(EventQueue &queue) {
  std::vector<uint64_t> tags;
  while (!queue.empty())
    tags.push_back(queue.pop().argument);
  return tags;
}
} // namespace

TEST(EventQueue, EqualDatesKeepTheOrderOfScheduling) {
  EventQueue queue;
  for (uint64_t i = 0; i < 100; ++i)
    queue.push({i % 2 ? 1.0 : 2.0}, tagged(i));
  std::vector<uint64_t> expected;
  for (uint64_t i = 1; i < 100; i += 2)
    expected.push_back(i);
  for (uint64_t i = 0; i < 100; i += 2)
    expected.push_back(i);
  EXPECT_EQ(drain(queue), expected);
}

TEST(EventQueue, OrderHoldsWhenADateIsForgottenAndUsedAgain) {
  // More dates than the queue remembers, used in turn: each date's events still come out in order.
  EventQueue queue;
  constexpr uint64_t Dates = 500, Turns = 20;
  for (uint64_t turn = 0; turn < Turns; ++turn)
    for (uint64_t date = 0; date < Dates; ++date)
      queue.push({static_cast<double>(date * 7919 % Dates)}, tagged(turn));
  for (uint64_t date = 0; date < Dates; ++date)
    for (uint64_t turn = 0; turn < Turns; ++turn)
      ASSERT_EQ(queue.pop().argument, turn) << "date " << date;
}

TEST(EventQueue, RescheduledEventIsTheNewestAtItsDate) {
  EventQueue queue;
  EventId first = queue.push({1.0}, tagged(1));
  queue.push({1.0}, tagged(2));
  queue.reschedule(first, {1.0});
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{2, 1}));
}

TEST(EventQueue, EventOvertakenByAnEarlierOneStaysBeforeLaterOnesAtItsDate) {
  EventQueue queue;
  queue.push({2}, tagged(1)); // waits in front of the heap
  queue.push({2}, tagged(2));
  queue.push({1}, tagged(3)); // sends the first into the heap
  queue.push({2}, tagged(4));
  EXPECT_EQ(queue.pop().argument, 3u);
  EXPECT_EQ(queue.pop().argument, 1u);
  EXPECT_EQ(queue.pop().argument, 2u);
  EXPECT_EQ(queue.pop().argument, 4u);
}

TEST(EventQueue, CancelledEventIsForgotten) {
  EventQueue queue;
  EventId first = queue.push({1.0}, tagged(1));
  queue.push({2.0}, tagged(2));
  EXPECT_TRUE(queue.pending(first));
  queue.cancel(first);
  EXPECT_FALSE(queue.pending(first));
  EXPECT_EQ(queue.nextDate().seconds, 2.0);
  // The slot is used again, the old name stays dead.
  EventId third = queue.push({0.5}, tagged(3));
  EXPECT_NE(first, third);
  EXPECT_FALSE(queue.pending(first));
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{3, 2}));
}

TEST(EventQueue, EmptyQueueHasNoDate) {
  EventQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.nextDate(), Never);
}

/// Random use against a map sorted by (date, sequence): with at most \p most events pending, at one
/// of so many \p dates.
void agreesWithASortedMap(size_t most, unsigned dates) {
  std::mt19937 random(42);
  EventQueue queue;
  std::map<std::pair<double, uint64_t>, uint64_t> model; // (date, sequence) to tag
  struct Known {
    EventId id;
    std::pair<double, uint64_t> key;
  };
  std::vector<Known> known(1 << 16);
  std::vector<uint64_t> alive;
  uint64_t sequence = 0, nextTag = 0;
  for (int step = 0; step < 60000; ++step) {
    double date = random() % dates;
    unsigned choice = random() % 10;
    if (alive.empty() || (choice < 5 && alive.size() < most)) {
      uint64_t tag = nextTag++;
      known[tag] = {queue.push({date}, tagged(tag)), {date, sequence++}};
      model[known[tag].key] = tag;
      alive.push_back(tag);
      continue;
    }
    uint64_t tag = alive[random() % alive.size()];
    if (choice < 7) {
      queue.reschedule(known[tag].id, {date});
      model.erase(known[tag].key);
      known[tag].key = {date, sequence++};
      model[known[tag].key] = tag;
    } else if (choice < 8) {
      queue.cancel(known[tag].id);
      model.erase(known[tag].key);
      std::erase(alive, tag);
    } else {
      uint64_t popped = queue.pop().argument;
      ASSERT_EQ(popped, model.begin()->second) << "at step " << step;
      model.erase(model.begin());
      std::erase(alive, popped);
    }
    ASSERT_EQ(queue.size(), model.size());
  }
}

TEST(EventQueue, AgreesWithASortedMapWhenManyArePending) { agreesWithASortedMap(1 << 16, 50); }

TEST(EventQueue, AgreesWithASortedMapWhenFewArePending) {
  for (size_t most : {1, 2, 3, 8})
    for (unsigned dates : {2, 5, 1000})
      agreesWithASortedMap(most, dates);
}
