// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a date is played as Engine.h says (events, fibers, settlers), and fibers park, wake,
// sleep and end without losing one another, on whichever stack the events run.
#include "kernel/Engine.h"

#include "support/Prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace gnomon;
using namespace gnomon::kernel;

namespace {

/// Runs a std::function as a fiber or as an event; tests only.
void callFunction(void *function) { (*static_cast<std::function<void()> *>(function))(); }

class EngineTest : public ::testing::Test {
protected:
  Fiber &fiber(std::function<void()> body) {
    bodies.push_back(std::make_unique<std::function<void()>>(std::move(body)));
    return engine.spawn(callFunction, bodies.back().get(), nullptr);
  }
  Action action(std::function<void()> body) {
    bodies.push_back(std::make_unique<std::function<void()>>(std::move(body)));
    return {[](void *function, uint64_t) { callFunction(function); }, bodies.back().get(), 0};
  }

  Engine engine{{.bytes = 64 << 10}};
  std::string log;
  std::vector<std::unique_ptr<std::function<void()>>> bodies;
};

TEST_F(EngineTest, EventsBeforeFibersBeforeSettlers) {
  fiber([&] { log += "f"; });
  engine.settle(action([&] { log += "s"; }));
  engine.at({0}, action([&] { log += "e"; }));
  engine.run();
  EXPECT_EQ(log, "efs");
}

// What is kept at the upper end of a stack lies above all frames, and begins at a cache line.
TEST_F(EngineTest, FramesLieBelowWhatAStackKeeps) {
  struct Kept {
    char bytes[100] = "kept";
    bool &ended;
    explicit Kept(bool &ended) : ended(ended) {}
    ~Kept() { ended = true; }
  };
  static uintptr_t frame;
  bool ended = false;
  Fiber &fiber = engine.makeFiber(nullptr);
  const StackRange whole = fiber.stack();
  {
    const InPlace<Kept> kept = fiber.keep<Kept>(ended);
    const auto place = reinterpret_cast<uintptr_t>(kept.get());
    EXPECT_EQ(place % 64, 0u);
    EXPECT_LE(reinterpret_cast<char *>(kept.get() + 1), whole.high);
    EXPECT_EQ(fiber.stack().high, reinterpret_cast<char *>(kept.get()));
    EXPECT_EQ(engine.liveFibers(), 0u);
    engine.start(
        fiber,
        [](void *) {
          char here;
          frame = reinterpret_cast<uintptr_t>(&here);
        },
        nullptr);
    engine.run();
    EXPECT_LT(frame, place);
    EXPECT_STREQ(kept->bytes, "kept");
    EXPECT_FALSE(ended);
  }
  EXPECT_TRUE(ended);
}

// Who has the next event plays it itself; before what else comes no later, it waits for its turn.
TEST_F(EngineTest, NothingIsSkippedOnTheWayToADate) {
  std::vector<double> skipped;
  const auto skip = [&](double seconds) {
    if (engine.skipTo({seconds}))
      skipped.push_back(engine.now().seconds);
  };
  engine.at({1}, action([&] { skip(2), skip(3), skip(4); })); // an event is at 4
  engine.at({4}, action([&] {
              engine.settle(action([] {}));
              skip(5); // a settler waits
            }));
  engine.at({7}, action([&] {
              engine.hold();
              engine.inBackground({8}, action([&] { engine.release(); }));
              skip(8);
            }));
  engine.at({9}, action([&] {
              fiber([] {});
              skip(10); // a fiber is ready
            }));
  engine.at({11}, action([&] {
              skip(12);
              engine.stop();
              skip(13);
            }));
  engine.run();
  EXPECT_EQ(skipped, (std::vector<double>{2, 3, 12}));
  EXPECT_EQ(engine.eventsPlayed(), 5u + 1 + 3); // the background's, and the skipped ones
}

/// Plays \p parts turns, each of which writes \p letter, and then lets the fiber go on.
struct Counted final : Turn {
  Counted(std::string &log, char letter, int parts);
  bool play() override;
  std::string &log;
  Engine *engine = nullptr;
  Fiber *fiber = nullptr;
  char letter;
  int parts;
};

Counted::Counted(std::string &log, char letter, int parts)
    : log(log), letter(letter), parts(parts) {}

bool Counted::play() {
  EXPECT_EQ(engine->current(), fiber);
  log += letter;
  return --parts == 0;
}

// A fiber that has a turn stays parked while that is played, in the order in which fibers were woken.
TEST_F(EngineTest, TurnsArePlayedInPlaceOfTheirFibers) {
  for (const size_t others : {0, 600}) { // on a fiber's stack, and on the scheduler's
    log.clear();
    Counted first(log, 'a', 2), last(log, 'c', 2);
    const auto inTurns = [&](Counted &turn) {
      turn.engine = &engine;
      turn.fiber = engine.current();
      engine.park(turn);
      log += static_cast<char>(turn.letter - 'a' + 'A');
    };
    std::vector<Fiber *> fibers = {&fiber([&] { inTurns(first); }), &fiber([&] {
                                     engine.park();
                                     log += "b";
                                     engine.park();
                                     log += "B";
                                   }),
                                   &fiber([&] { inTurns(last); })};
    for (size_t i = 0; i < others; ++i)
      fiber([this] { engine.sleep(10); });
    for (const double date : {1, 2})
      engine.at(engine.now() + date, action([&] {
                  for (Fiber *each : fibers)
                    engine.wake(*each);
                }));
    engine.run();
    EXPECT_EQ(log, "abcaABcC");
    EXPECT_EQ(engine.liveFibers(), 0u);
  }
}

// The switch hook puts in place what is the fiber's when that goes on itself, not for its turns.
TEST_F(EngineTest, TheSwitchHookIsCalledAfterTurns) {
  static std::vector<Fiber *> placed;
  placed.clear();
  engine.setSwitchHook([](Fiber *, Fiber *next) { placed.push_back(next); });
  Counted turn(log, 'a', 2);
  Fiber &played = fiber([&] {
    turn.engine = &engine;
    turn.fiber = engine.current();
    engine.park(turn);
  });
  Fiber &other = fiber([] {});
  engine.at({1}, action([&] { engine.wake(played); }));
  engine.at({2}, action([&] {
              EXPECT_EQ(log, "a");
              EXPECT_EQ(placed, (std::vector<Fiber *>{&played, &other}));
              engine.wake(played);
            }));
  engine.run();
  EXPECT_EQ(placed, (std::vector<Fiber *>{&played, &other, &played}));
  EXPECT_EQ(log, "aa");
}

// What is kept beside the stacks takes no room on them, and may come after the start.
TEST_F(EngineTest, WhatIsKeptBesideStacksLiesTogether) {
  Engine beside{{.bytes = 64 << 10, .keepsBeside = true}};
  Fiber &one = beside.makeFiber(nullptr), &other = beside.makeFiber(nullptr);
  const StackRange whole = one.stack();
  const InPlace<int> first = one.keep<int>(1), second = other.keep<int>(2);
  EXPECT_EQ(one.stack().high, whole.high);
  EXPECT_EQ(reinterpret_cast<char *>(second.get()) - reinterpret_cast<char *>(first.get()), 64);
  beside.start(
      one, [](void *fiber) { EXPECT_EQ(*static_cast<Fiber *>(fiber)->keep<int>(3), 3); }, &one);
  beside.run();
  EXPECT_EQ(*first, 1);
}

// Each of very many fibers lies at the end of its own stack, and takes that stack along when it is released.
TEST_F(EngineTest, ManyFibersLieOnTheirStacks) {
  std::vector<Fiber *> many;
  for (size_t n = 0; n < 2 * ManyAtOnce; ++n)
    many.push_back(&fiber([&] { engine.park(); }));
  EXPECT_NE(reinterpret_cast<char *>(many.front()), many.front()->stack().high);
  Fiber &last = *many.back();
  const StackRange stack = last.stack();
  EXPECT_EQ(reinterpret_cast<char *>(&last), stack.high);
  engine.run();
  EXPECT_EQ(engine.liveFibers(), many.size());
  for (Fiber *each : many)
    engine.wake(*each);
  engine.run();
  EXPECT_EQ(engine.liveFibers(), 0u);
  engine.release(last);
  Fiber &again = fiber([&] { log += "again"; });
  EXPECT_EQ(&again, &last);
  EXPECT_EQ(again.stack().high, stack.high) << "nothing of the stack is lost";
  engine.run();
  EXPECT_EQ(log, "again");
}

// What an event will touch is asked for in steps before it is played, with many fibers only.
TEST_F(EngineTest, EventsAreToldOfBeforeTheyCome) {
  static std::vector<uint32_t> steps;
  static uint64_t played = 0;
  const Action::Function note = [](void *, uint64_t) { ++played; };
  engine.fetchAhead(note, [](const Action &event, uint32_t step) -> Fiber * {
    if (event.argument == 900)
      steps.push_back(step);
    EXPECT_LE(played, 1000u - event.argument) << "not after it was played";
    return nullptr;
  });
  auto play = [&](size_t fibers) {
    steps.clear();
    played = 0;
    for (size_t i = 0; i < fibers; ++i)
      fiber([this] { engine.sleep(2000); });
    for (uint64_t i = 1000; i > 0; --i) // the last argument comes first
      engine.at(engine.now() + static_cast<double>(1001 - i), {note, nullptr, i});
    engine.run();
    EXPECT_EQ(played, 1000u);
  };
  play(10);
  EXPECT_TRUE(steps.empty());
  play(600);
  EXPECT_EQ(steps, (std::vector<uint32_t>{3, 2, 1, 0}));
}

TEST_F(EngineTest, SettlerMayScheduleAtTheSameDate) {
  engine.settle(action([&] {
    log += "s";
    engine.at(engine.now(), action([&] { log += "e"; }));
    engine.settle(action([&] { log += "t"; }));
  }));
  engine.run();
  EXPECT_EQ(log, "set");
  EXPECT_EQ(engine.now().seconds, 0);
}

TEST_F(EngineTest, EventOfAFiberRunsAfterTheOtherReadyFibers) {
  fiber([&] {
    engine.at(engine.now(), action([&] { log += "e"; }));
    log += "a";
  });
  fiber([&] { log += "b"; });
  engine.run();
  EXPECT_EQ(log, "abe");
}

TEST_F(EngineTest, AllEventsOfADateRunBeforeAFiberWokenByTheFirst) {
  Fiber &sleeper = fiber([&] {
    engine.park();
    log += "f";
  });
  engine.at({1}, action([&] {
              engine.wake(sleeper);
              log += "1";
            }));
  engine.at({1}, action([&] { log += "2"; }));
  engine.run();
  EXPECT_EQ(log, "12f");
}

TEST_F(EngineTest, FibersRunInTheOrderOfWaking) {
  std::vector<Fiber *> fibers;
  for (char name = 'a'; name < 'e'; ++name)
    fibers.push_back(&fiber([this, name] {
      engine.park();
      log += name;
    }));
  engine.at({1}, action([&] {
              for (int i : {2, 0, 3, 1})
                engine.wake(*fibers[i]);
            }));
  engine.run();
  EXPECT_EQ(log, "cadb");
  EXPECT_EQ(engine.liveFibers(), 0u);
}

TEST_F(EngineTest, SleepersWakeByDate) {
  for (int i = 0; i < 5; ++i)
    fiber([this, i] {
      for (int turn = 0; turn < 3; ++turn)
        engine.sleep(5 - i);
      log += static_cast<char>('0' + i);
      EXPECT_EQ(engine.now().seconds, 3 * (5 - i));
    });
  engine.run();
  EXPECT_EQ(log, "43210");
}

TEST_F(EngineTest, CurrentIsNullInsideAnEventOnAFibersStack) {
  Fiber &self = fiber([&] {
    EXPECT_NE(engine.current(), nullptr);
    engine.park();
    log += "f";
  });
  engine.at({1}, action([&] {
              EXPECT_EQ(engine.current(), nullptr);
              engine.wake(self);
              log += "e";
            }));
  engine.run();
  EXPECT_EQ(log, "ef");
}

TEST_F(EngineTest, DeadlockReturnsWithLiveFibers) {
  Fiber &stuck = fiber([&] { engine.park(); });
  engine.run();
  EXPECT_EQ(engine.liveFibers(), 1u);
  EXPECT_TRUE(stuck.parked());
}

TEST_F(EngineTest, StopReturnsAndRunGoesOn) {
  fiber([&] {
    engine.stop();
    engine.sleep(1);
    log += "a";
  });
  fiber([&] { log += "b"; });
  engine.run();
  EXPECT_EQ(log, "");
  engine.run();
  EXPECT_EQ(log, "ba");
}

TEST_F(EngineTest, StopInAnEventPlayedOnAFibersStack) {
  fiber([&] {
    engine.sleep(2);
    log += "f";
  });
  engine.at({1}, action([&] { engine.stop(); }));
  engine.run();
  EXPECT_EQ(engine.now().seconds, 1);
  EXPECT_EQ(log, "");
  engine.run();
  EXPECT_EQ(log, "f");
}

TEST_F(EngineTest, ExitCurrentEndsAFiberInTheMiddle) {
  Fiber &ended = fiber([&] {
    log += "a";
    engine.exitCurrent();
  });
  fiber([&] { log += "b"; });
  engine.run();
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(ended.finished());
  engine.release(ended);
  Fiber &again = fiber([&] { log += "c"; });
  EXPECT_EQ(&again, &ended) << "the fiber's place and stack are used again";
  engine.run();
  EXPECT_EQ(log, "abc");
}

TEST_F(EngineTest, FiberMayBeReleasedByAnotherOne) {
  Fiber &ended = fiber([] {});
  fiber([&] {
    engine.sleep(1);
    EXPECT_TRUE(ended.finished());
    engine.release(ended);
    fiber([&] { log += "n"; });
    engine.sleep(1);
  });
  engine.run();
  EXPECT_EQ(log, "n");
}

TEST_F(EngineTest, HookSeesEveryChangeOfFiberAndOnlyThose) {
  static std::vector<std::pair<Fiber *, Fiber *>> seen;
  seen.clear();
  engine.setSwitchHook([](Fiber *previous, Fiber *next) { seen.emplace_back(previous, next); });
  Fiber &a = fiber([&] {
    engine.sleep(1); // b runs meanwhile
    engine.sleep(5); // alone: time just advances
    engine.at(engine.now() + 1, action([&] {}));
    engine.sleep(2); // an event between, no other fiber
  });
  Fiber &b = fiber([] {});
  engine.run();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0], std::make_pair(static_cast<Fiber *>(nullptr), &a));
  EXPECT_EQ(seen[1], std::make_pair(&a, &b));
  EXPECT_EQ(seen[2], std::make_pair(&b, &a));
}

TEST_F(EngineTest, ManyFibersPassATokenAround) {
  constexpr int Count = 300, Laps = 20;
  std::vector<Fiber *> ring(Count);
  int passed = 0;
  for (int i = 0; i < Count; ++i)
    ring[i] = &fiber([&, i] {
      for (int lap = 0; lap < Laps; ++lap) {
        if (i != 0 || lap != 0)
          engine.park();
        ++passed;
        engine.at(engine.now() + 1e-6, action([&, i] {
                    if (!ring[(i + 1) % Count]->finished())
                      engine.wake(*ring[(i + 1) % Count]);
                  }));
      }
    });
  engine.run();
  EXPECT_EQ(passed, Count * Laps);
  EXPECT_EQ(engine.liveFibers(), 0u);
}

TEST_F(EngineTest, ExceptionsUnwindWithinAFiberWhileOthersRun) {
  int caught = 0;
  for (int i = 0; i < 10; ++i)
    fiber([&, i] {
      try {
        engine.sleep(1 + i % 3);
        throw i;
      } catch (int value) {
        caught += value;
      }
    });
  engine.run();
  EXPECT_EQ(caught, 45);
}

using EngineDeathTest = EngineTest;

TEST_F(EngineDeathTest, WakingARunningFiberIsABrokenInvariant) {
  EXPECT_DEATH(
      {
        Fiber *self = nullptr;
        Fiber &made = fiber([&] { engine.wake(*self); });
        self = &made;
        engine.run();
      },
      "only a parked fiber is woken");
}

TEST_F(EngineDeathTest, EventInThePastIsABrokenInvariant) {
  EXPECT_DEATH(
      {
        engine.at({1}, action([&] { engine.at({0.5}, action([] {})); }));
        engine.run();
      },
      "not before the present date");
}

} // namespace

TEST_F(EngineTest, EventsInTheBackgroundComeFirstAtTheirDateButKeepNothingGoing) {
  engine.at({1}, action([&] { log += "e"; }));
  engine.inBackground({1}, action([&] { log += "b"; }));
  engine.inBackground({2}, action([&] { log += "never"; }));
  engine.run();
  EXPECT_EQ(log, "be");
  EXPECT_EQ(engine.now().seconds, 1);
}

TEST_F(EngineTest, ASleepDoesNotPassAnEventInTheBackground) {
  fiber([&] {
    engine.sleep(3);
    log += "f";
  });
  engine.inBackground({2}, action([&] { log += engine.now().seconds == 2 ? "b" : "?"; }));
  engine.run();
  EXPECT_EQ(log, "bf");
}

TEST_F(EngineTest, AHeldEventInTheBackgroundKeepsTheRunGoing) {
  engine.hold();
  engine.inBackground({2}, action([&] {
                        log += "b";
                        engine.release();
                        engine.at({3}, action([&] { log += "e"; }));
                      }));
  engine.inBackground({9}, action([&] { log += "never"; }));
  engine.run();
  EXPECT_EQ(log, "be");
  EXPECT_EQ(engine.now().seconds, 3);
}

TEST_F(EngineTest, ManyFibersPlayNoEventsOnTheirOwnStacks) {
  constexpr int Fibers = 2000;
  char *lowest = nullptr, *highest = nullptr;
  auto note = [&](void *) {
    auto *here = static_cast<char *>(__builtin_frame_address(0));
    lowest = lowest ? std::min(lowest, here) : here;
    highest = std::max(highest, here);
  };
  std::vector<int> order;
  for (int i = 0; i < Fibers; ++i)
    fiber([&, i] {
      engine.at(engine.now() + (1 + i % 7), action([&] { note(nullptr); }));
      engine.sleep(1 + i % 7);
      order.push_back(i);
    });
  engine.run();
  EXPECT_EQ(order.size(), size_t{Fibers});
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end(), [](int a, int b) {
    return std::pair(a % 7, a) < std::pair(b % 7, b);
  }));
  EXPECT_LT(highest - lowest, 64 << 10) << "one stack for all events";
}
