// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a switch of ranks costs: two ranks that wake each other, with and without the switch hook.
/// The difference is the hook's own cost; the target is 30 ns.
#include "process/ranks/test/Fakes.h"

#include <benchmark/benchmark.h>

using namespace gnomon;
using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

constexpr long SwitchesPerRun = 200000;

/// Each rank wakes the other and parks, until all switches are done.
int pingPong(int, char **, char **) {
  Rank &self = *currentRank();
  Rank &other = *world().ranks[1 - self.number];
  kernel::Engine &engine = world().engine;
  for (long i = 0; i < SwitchesPerRun / 2; ++i) {
    if (other.fiber->parked())
      engine.wake(*other.fiber);
    engine.park();
  }
  if (other.fiber->parked())
    engine.wake(*other.fiber);
  return 0;
}

void runSwitches(benchmark::State &state, bool hook, uint32_t flags) {
  Program::use(pingPong);
  Program::module.flags = flags;
  for (auto _ : state) {
    Machine machine(1);
    World &world = machine.create(2);
    if (!hook)
      machine.engine.setSwitchHook(nullptr);
    runRanks(world);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * SwitchesPerRun);
}

void withoutHook(benchmark::State &state) { runSwitches(state, false, 0); }
void withHook(benchmark::State &state) { runSwitches(state, true, 0); }
void withStreams(benchmark::State &state) { runSwitches(state, true, GNOMON_MODULE_CXX_STREAMS); }

BENCHMARK(withoutHook)->Unit(benchmark::kMillisecond);
BENCHMARK(withHook)->Unit(benchmark::kMillisecond);
BENCHMARK(withStreams)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
