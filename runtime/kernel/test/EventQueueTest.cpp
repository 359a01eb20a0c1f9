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

TEST(EventQueue, AlarmStandsWhereItWasSetLast) {
  EventQueue queue;
  const AlarmId alarm = queue.addAlarm(tagged(9));
  EXPECT_TRUE(queue.empty()) << "it is not set yet";
  queue.setAlarm(alarm, {1});
  queue.push({2}, tagged(1));
  queue.setAlarm(alarm, {2});
  queue.push({2}, tagged(2));
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{1, 9, 2}));
  queue.setAlarm(alarm, {3});
  EXPECT_EQ(queue.nextDate().seconds, 3);
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{9})) << "again, once it has run";
}

TEST(EventQueue, ClearedAlarmDoesNotComeAndMayBeSetAgain) {
  EventQueue queue;
  const AlarmId alarm = queue.addAlarm(tagged(9));
  queue.clearAlarm(alarm);
  queue.push({2}, tagged(1));
  for (double date : {1, 3}) { // in front of the heap, and in it
    queue.setAlarm(alarm, {date});
    queue.clearAlarm(alarm);
    EXPECT_EQ(queue.size(), 1u);
    EXPECT_EQ(queue.nextDate().seconds, 2);
  }
  queue.setAlarm(alarm, {1});
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{9, 1}));
}

TEST(EventQueue, DateWhoseEventsWereAllCancelledMayBeUsedAgain) {
  EventQueue queue;
  queue.push({1}, tagged(1));
  const EventId gone = queue.push({2}, tagged(2));
  queue.push({3}, tagged(3));
  queue.cancel(gone);
  queue.push({2}, tagged(4));
  EXPECT_EQ(queue.pop().argument, 1u);
  EXPECT_EQ(queue.nextDate().seconds, 2);
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{4, 3}));
}

TEST(EventQueue, DateIsNotLeftBehindByEventsThatWereCancelled) {
  EventQueue queue;
  queue.push({1}, tagged(1));
  std::vector<EventId> gone;
  for (int i = 0; i < 1000; ++i)
    gone.push_back(queue.push({2.0 + i}, tagged(2)));
  for (EventId event : gone)
    queue.cancel(event);
  EXPECT_EQ(queue.size(), 1u);
  queue.push({5000}, tagged(3));
  EXPECT_EQ(queue.pop().argument, 1u);
  EXPECT_EQ(queue.nextDate().seconds, 5000);
}

TEST(EventQueue, NegativeZeroIsZero) {
  EventQueue queue;
  queue.push({-1.0 * 0.0}, tagged(1));
  queue.push({0}, tagged(2));
  queue.push({1}, tagged(3));
  queue.push({-1.0 * 0.0}, tagged(4));
  EXPECT_EQ(drain(queue), (std::vector<uint64_t>{1, 2, 4, 3}));
}

/// Random use against a map sorted by (date, sequence): with at most \p most events pending, at one
/// of so many \p dates. Every seventh event is one alarm's. Each second thousand of steps begins no more
/// than \p few.
void agreesWithASortedMap(size_t most, unsigned dates, uint32_t firstSequence = 0,
                          size_t few = SIZE_MAX) {
  constexpr uint64_t OfAlarm = UINT64_MAX;
  std::mt19937 random(42);
  EventQueue queue(firstSequence);
  const AlarmId alarm = queue.addAlarm(tagged(OfAlarm));
  std::pair<double, uint64_t> alarmKey;                  // of the alarm, if it is set
  std::map<std::pair<double, uint64_t>, uint64_t> model; // (date, sequence) to tag
  struct Known {
    EventId id;
    std::pair<double, uint64_t> key;
  };
  std::vector<Known> known(1 << 16);
  std::vector<uint64_t> alive;
  uint64_t sequence = 1, nextTag = 0;
  for (int step = 0; step < 60000; ++step) {
    double date = random() % dates;
    unsigned choice = random() % 10;
    if (step % 7 == 0) {
      model.erase(alarmKey);
      if (choice == 0) {
        queue.clearAlarm(alarm);
      } else {
        queue.setAlarm(alarm, {date});
        alarmKey = {date, sequence++};
        model[alarmKey] = OfAlarm;
      }
      continue;
    }
    const size_t room = step / 1000 % 2 ? std::min(few, most) : most;
    if (alive.empty() || (choice < 5 && alive.size() < room)) {
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

TEST(EventQueue, AgreesWithASortedMapWhenManyArePending) {
  agreesWithASortedMap(1 << 16, 50);
  agreesWithASortedMap(1 << 16, 100000);
}

TEST(EventQueue, AgreesWithASortedMapWhenSequenceNumbersAreUsedUp) {
  for (size_t most : {3, 1000})
    agreesWithASortedMap(most, 500, UINT32_MAX - 200);
}

TEST(EventQueue, AgreesWithASortedMapWhenFewArePending) {
  for (size_t most : {1, 2, 3, 8})
    for (unsigned dates : {2, 5, 1000})
      agreesWithASortedMap(most, dates);
}

TEST(EventQueue, AgreesWithASortedMapWhenNumbersSwing) {
  for (size_t most : {64, 66, 100, 400}) // few dates stand sorted, more in a heap
    for (size_t few : {1, 30, 60})
      agreesWithASortedMap(most, 100000, most == 100 ? UINT32_MAX - 20000 : 0, few);
}

TEST(EventQueue, PopAheadTellsOfEventsBeforeTheyCome) {
  // Random dates, one new event for each that comes: nearly all events are told of in all steps,
  // each later step nearer to the event, the last one just before it.
  EventQueue queue;
  std::mt19937 random(5);
  std::uniform_real_distribution<> seconds(0, 1);
  constexpr uint64_t Pending = 1000, Turns = 20000;
  std::map<uint64_t, std::vector<uint32_t>> told; // steps, by tag
  SimTime now;
  uint64_t tag = 0, inAllSteps = 0, last = UINT64_MAX;
  while (tag < Pending)
    queue.push({seconds(random)}, tagged(tag++));
  for (uint64_t turn = 0; turn < Turns; ++turn) {
    const SimTime date = queue.nextDate();
    const uint64_t expected = last;
    last = UINT64_MAX;
    const auto visit = [&](const Action &pending, uint32_t step) {
      told[pending.argument].push_back(step);
      if (step == 0)
        last = pending.argument;
    };
    const Action event = queue.popAhead(visit, turn % 2 == 0);
    ASSERT_GE(date, now);
    now = date;
    if (expected != UINT64_MAX)
      EXPECT_EQ(event.argument, expected);
    inAllSteps += told[event.argument] == std::vector<uint32_t>{3, 2, 1, 0};
    queue.push({now.seconds + 1 + 1e-3 * seconds(random)}, tagged(tag++));
  }
  EXPECT_GT(inAllSteps, Turns * 3 / 4);
}

TEST(EventQueue, PopAheadTellsOfEventsAtOneDate) {
  EventQueue queue;
  constexpr uint64_t Alike = 20;
  queue.push({0.5}, tagged(Alike)); // in front of all
  for (uint64_t tag = 0; tag < Alike; ++tag)
    queue.push({1}, tagged(tag));
  std::vector<uint64_t> told, expected;
  const auto visit = [&](const Action &pending, uint32_t step) {
    told.push_back(pending.argument * 10 + step);
  };
  EXPECT_EQ(queue.popAhead(visit, false).argument, Alike);
  EXPECT_TRUE(told.empty());
  for (uint64_t tag = 0; tag < Alike; ++tag) {
    told.clear();
    expected.clear();
    for (uint64_t step = 0; step < 4 && tag + 1 + step < Alike; ++step)
      expected.push_back((tag + 1 + step) * 10 + step);
    EXPECT_EQ(queue.popAhead(visit, true).argument, tag);
    EXPECT_EQ(told, expected);
  }
}
