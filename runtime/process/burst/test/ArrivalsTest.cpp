// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Intent: what came first is written down in the order in which it was asked for, whenever it is known, and given back as
/// it was: a poll not before the same calls, and at the latest after as many polls in vain.
#include "process/burst/Arrivals.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gnomon::process::burst {
namespace {

using Due = Arrivals::Due;
using Kind = Found::Kind;

/// What \p play records, as a file of decisions has it.
template <class Play> DecisionLog record(const Play &play) {
  Arrivals arrivals(nullptr, [](uint32_t, const PointLog &, const std::string &) { FAIL(); });
  play(arrivals);
  DecisionLog log;
  log.points = arrivals.recorded();
  return log;
}

class Given {
public:
  explicit Given(DecisionLog log)
      : log_(std::move(log)),
        arrivals(&log_, [this](uint32_t rank, const PointLog &point, const std::string &what) {
          said.push_back(std::to_string(rank) + " " + point.key.function + ": " + what);
        }) {}

private:
  DecisionLog log_;

public:
  Arrivals arrivals;
  std::vector<std::string> said;
};

TEST(Arrivals, ReceivesAreKeptInTheOrderOfTheirPosting) {
  const int early = 0, late = 0, never = 0;
  const DecisionLog log = record([&](Arrivals &arrivals) {
    arrivals.await(1, &late);
    arrivals.await(1, &never);
    arrivals.await(1, &early);
    arrivals.got(1, &early, Arrived{7, 3});
    arrivals.got(1, &late, Arrived{4, 0});
  });
  ASSERT_EQ(log.points.size(), 1U);
  Given given(log);
  const auto first = given.arrivals.nextMessage(1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->source, 4);
  EXPECT_FALSE(given.arrivals.nextMessage(1)); // takes what comes
  const auto third = given.arrivals.nextMessage(1);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->source, 7);
  EXPECT_EQ(third->tag, 3);
  EXPECT_TRUE(given.said.empty());
  EXPECT_FALSE(given.arrivals.missed(2));
  given.arrivals.nextMessage(1);
  ASSERT_EQ(given.said.size(), 1U);
  EXPECT_EQ(given.said[0],
            "1 MPI_ANY_SOURCE: it is passed once more than the 3 times that were recorded");
}

TEST(Arrivals, PollsFindTheSameAfterTheSameCalls) {
  const DecisionLog log = record([](Arrivals &arrivals) {
    arrivals.called(0);
    arrivals.called(0);
    arrivals.inVain(0, 5);
    arrivals.found(0, {Kind::Message, 0x101, {}, {2, 9}});
    arrivals.found(0, {Kind::Some, 2, {11, 13}});
  });
  Given given(log);
  Arrivals &arrivals = given.arrivals;
  const Found *next = arrivals.next(0);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::Message);
  EXPECT_EQ(next->number, 0x101U);
  EXPECT_EQ(next->message.source, 2);
  EXPECT_EQ(next->message.tag, 9);
  arrivals.called(0);
  EXPECT_EQ(arrivals.due(0), Due::Later);
  arrivals.called(0);
  EXPECT_EQ(arrivals.due(0), Due::WhenThere);
  arrivals.inVain(0, 3);
  EXPECT_EQ(arrivals.due(0), Due::WhenThere);
  arrivals.inVain(0, 1); // the power of two below 5
  EXPECT_EQ(arrivals.due(0), Due::Now);
  arrivals.take(0);
  next = arrivals.next(0);
  EXPECT_EQ(next->kind, Kind::Some);
  EXPECT_EQ(next->some, (std::vector<uint32_t>{11, 13}));
  EXPECT_EQ(arrivals.due(0), Due::Now);
  EXPECT_FALSE(arrivals.missed(1));
  arrivals.take(0);
  EXPECT_EQ(arrivals.next(0)->number, 0U); // nothing is found any more
  EXPECT_EQ(arrivals.due(0), Due::Later);
}

TEST(Arrivals, WhatWasNotComeToIsMissed) {
  Given given(record([](Arrivals &arrivals) { arrivals.found(2, {Kind::One, 5}); }));
  EXPECT_FALSE(given.arrivals.missed(2));
  const auto missed = given.arrivals.missed(3);
  ASSERT_TRUE(missed);
  EXPECT_EQ(missed->rank, 2U);
  EXPECT_EQ(missed->passed, 0U);
  EXPECT_EQ(missed->recorded, 1U);
}

TEST(Arrivals, PollsThatAreHeldBackForEverContradict) {
  Given given(record([](Arrivals &arrivals) { arrivals.found(0, {Kind::One, 5}); }));
  for (uint64_t i = 0; i < Arrivals::MostHeldBack; ++i)
    given.arrivals.holdBack(0);
  ASSERT_EQ(given.said.size(), 1U);
  EXPECT_FALSE(given.arrivals.next(0)); // from then on it takes what is there
}

TEST(Arrivals, WhatTheUserExecutesAndWhatNobodyRecordedIsLeftAlone) {
  DecisionLog log = record([](Arrivals &arrivals) { arrivals.found(0, {Kind::One, 5}); });
  log.points[0].execute = true;
  Given given(log);
  EXPECT_FALSE(given.arrivals.next(0));
  EXPECT_FALSE(given.arrivals.nextMessage(0));
  EXPECT_FALSE(given.arrivals.followsPolls());
  EXPECT_TRUE(given.said.empty());
}

} // namespace
} // namespace gnomon::process::burst
