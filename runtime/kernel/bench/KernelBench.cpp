// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a message pays to the kernel: two events and two switches of fiber.
#include "kernel/Engine.h"

#include <benchmark/benchmark.h>

using namespace gnomon;
using namespace gnomon::kernel;

namespace {

/// Push and pop with a given number of other events pending.
void pushPop(benchmark::State &state) {
  EventQueue queue;
  uint64_t random = 88172645463325252ull;
  auto next = [&] {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<double>(random >> 12);
  };
  double base = 0;
  Action nothing{[](void *, uint64_t) {}, nullptr, 0};
  for (int64_t i = 0; i < state.range(0); ++i)
    queue.push({next()}, nothing);
  for (auto _ : state) {
    base = queue.nextDate().seconds;
    benchmark::DoNotOptimize(queue.pop());
    queue.push({base + next()}, nothing);
  }
}
BENCHMARK(pushPop)->Arg(1)->Arg(16)->Arg(256)->Arg(1024)->Arg(16384);

/// The same when all events have one of four dates, as ranks in step have.
void pushPopInStep(benchmark::State &state) {
  EventQueue queue;
  double step = 0;
  Action nothing{[](void *, uint64_t) {}, nullptr, 0};
  for (int64_t i = 0; i < state.range(0); ++i)
    queue.push({static_cast<double>(i % 4)}, nothing);
  for (auto _ : state) {
    step = queue.nextDate().seconds;
    benchmark::DoNotOptimize(queue.pop());
    queue.push({step + 4}, nothing);
  }
}
BENCHMARK(pushPopInStep)->Arg(1)->Arg(1024)->Arg(16384);

struct PingPong {
  Engine engine{{.bytes = 256 << 10}};
  Fiber *sides[2];
  int64_t left = 0;

  static void side(void *self, int me) {
    auto &game = *static_cast<PingPong *>(self);
    while (game.left > 0) {
      --game.left;
      game.engine.wake(*game.sides[1 - me]);
      game.engine.park();
    }
    if (game.sides[1 - me]->parked())
      game.engine.wake(*game.sides[1 - me]);
  }
};

/// Two fibers wake each other: the time of one switch, with its bookkeeping.
void switchFiber(benchmark::State &state) {
  PingPong game;
  game.left = 1 << 20;
  for (auto _ : state) {
    state.PauseTiming();
    game.left = 1 << 20;
    auto starter = [](void *self) { PingPong::side(self, 0); };
    auto other = [](void *self) {
      static_cast<PingPong *>(self)->engine.park();
      PingPong::side(self, 1);
    };
    game.sides[1] = &game.engine.spawn(other, &game, nullptr);
    game.engine.run();
    game.sides[0] = &game.engine.spawn(starter, &game, nullptr);
    state.ResumeTiming();
    game.engine.run();
    state.PauseTiming();
    game.engine.release(*game.sides[0]);
    game.engine.release(*game.sides[1]);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() << 20);
}
BENCHMARK(switchFiber)->Unit(benchmark::kMillisecond);

/// N fibers take turns: each sleeps, so that every turn is one event and one switch. With many
/// fibers the stacks no longer fit into the first-level cache.
void sleepInTurns(benchmark::State &state) {
  static constexpr int Turns = 64;
  Engine engine;
  std::vector<Fiber *> fibers(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    auto body = [](void *argument) {
      auto &own = *static_cast<Engine *>(argument);
      for (int i = 0; i < Turns; ++i)
        own.sleep(1e-6);
    };
    for (Fiber *&fiber : fibers)
      fiber = &engine.spawn(body, &engine, nullptr);
    engine.run();
    for (Fiber *fiber : fibers)
      engine.release(*fiber);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * Turns);
}
BENCHMARK(sleepInTurns)->Arg(2)->Arg(64)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

} // namespace
