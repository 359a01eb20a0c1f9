// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the hooks of bursts cost: of a skipped instance (the target is 50 ns), of one with a kept
/// slice, and of an executed one that is not measured. skippedAtNoCost says in `charged` which part of
/// the hooks' own time is simulated all the same: it should be well under a half.
#include "process/ranks/test/Fakes.h"

#include "gnomon/Burst.h"
#include "process/burst/Settings.h"
#include "process/ranks/BurstClock.h"

#include <benchmark/benchmark.h>

using namespace gnomon::process;
using namespace gnomon::process::test;

extern "C" int gnomon_burst_begin(gnomon_burst *record, uint64_t work);
extern "C" void gnomon_burst_end(gnomon_burst *record);

namespace {

constexpr long Instances = 1000000;
gnomon_burst record;
uint64_t work;
benchmark::State *running;
double instancesSeconds;

/// Times the instances alone: the simulation around them is made once a run.
int program(int, char **, char **) {
  for (int warmUp = 0; warmUp < 100; ++warmUp) {
    gnomon_burst_begin(&record, work);
    gnomon_burst_end(&record);
  }
  long executed = 0;
  const double begin = threadCpuSeconds();
  for (long i = 0; i < Instances; ++i) {
    executed += gnomon_burst_begin(&record, work);
    gnomon_burst_end(&record);
  }
  instancesSeconds = threadCpuSeconds() - begin;
  running->SetIterationTime(instancesSeconds);
  running->counters["executed"] = static_cast<double>(executed);
  return 0;
}

void run(benchmark::State &state, burst::SamplePolicy::Scope scope, uint32_t flags,
         double flops = -1) {
  Program::use(program);
  running = &state;
  record = {};
  record.function = "f";
  record.flags = flags;
  record.flops = flops;
  work = 1000;
  for (auto _ : state) {
    Machine machine(1);
    burst::Settings settings;
    settings.sample.scope = scope;
    settings.sample.leastSamples = settings.sample.mostSamples = 3;
    settings.reported = true;
    machine.skipping = burst::skipping(std::move(settings));
    record.index = 0;
    const double simulated = runRanks(machine.create(1, ComputeMode::Measured)).endedAt.seconds;
    if (flops == 0)
      state.counters["charged"] = simulated / instancesSeconds;
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * Instances);
}

using Scope = burst::SamplePolicy::Scope;
void skippedGlobally(benchmark::State &state) { run(state, Scope::Auto, GNOMON_BURST_SKIPPABLE); }
void skippedLocally(benchmark::State &state) { run(state, Scope::Local, GNOMON_BURST_SKIPPABLE); }
void skippedWithSlice(benchmark::State &state) {
  run(state, Scope::Auto, GNOMON_BURST_SKIPPABLE | GNOMON_BURST_SLICED);
}
void skippedAtNoCost(benchmark::State &state) {
  run(state, Scope::Auto, GNOMON_BURST_SKIPPABLE, 0);
}
void executed(benchmark::State &state) { run(state, Scope::Off, GNOMON_BURST_SKIPPABLE); }

BENCHMARK(skippedGlobally)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(skippedLocally)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(skippedWithSlice)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(skippedAtNoCost)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(executed)->UseManualTime()->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
