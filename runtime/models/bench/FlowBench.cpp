// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the network costs a message, without MPI: ping-pong, a round of neighbours, and an
/// all-to-all through a shared backbone; rounds in every model.
#include "models/Registry.h"

#include <benchmark/benchmark.h>

using namespace gnomon;
using namespace gnomon::models;

namespace {

/// Starts flows again and again: when one ends, the next between the same hosts or of the same
/// round begins.
struct Traffic {
  platform::Platform platform;
  kernel::Engine engine;
  std::unique_ptr<NetworkModel> network;
  uint32_t hosts;
  uint64_t bytes;
  int64_t left = 0;
  uint32_t waiting = 0;
  uint32_t shift = 0;

  Traffic(const std::string &cluster, uint32_t count, uint64_t size,
          const NetworkEntry &entry = networkModels()[0])
      : platform(platform::load(cluster)),
        network(entry.make(engine, platform, makeParameters(entry.settings({}, {})))), hosts(count),
        bytes(size) {}

  void pong(uint64_t to) {
    if (--left > 0)
      network->transfer(static_cast<uint32_t>(to), static_cast<uint32_t>(1 - to), bytes,
                        kernel::Action::of<&Traffic::pong>(this, 1 - to));
  }
  void startRound() {
    waiting = hosts;
    ++shift;
    for (uint32_t host = 0; host < hosts; ++host)
      network->transfer(host, (host + shift) % hosts, bytes,
                        kernel::Action::of<&Traffic::endOfFlow>(this));
  }
  void endOfFlow(uint64_t) {
    if (--waiting == 0 && --left > 0)
      startRound();
  }
};

/// Partners of recursive doubling: hosts that differ in one bit, the bits in turn.
struct Doubling : Traffic {
  using Traffic::Traffic;
  uint32_t bit = 0;

  void startStep() {
    waiting = hosts;
    bit = bit * 2 < hosts ? bit * 2 : 1;
    for (uint32_t host = 0; host < hosts; ++host)
      network->transfer(host, host ^ bit, bytes, kernel::Action::of<&Doubling::endOfStep>(this));
  }
  void endOfStep(uint64_t) {
    if (--waiting == 0 && --left > 0)
      startStep();
  }
};

constexpr int64_t Messages = 1 << 16;

void pingPong(benchmark::State &state) {
  Traffic traffic("cluster:n=2,bw=10Gbps,lat=5us,bb_bw=100Gbps,bb_lat=1us", 2, 1);
  for (auto _ : state) {
    traffic.left = Messages;
    traffic.pong(0);
    traffic.engine.run();
  }
  state.SetItemsProcessed(state.iterations() * Messages);
}
BENCHMARK(pingPong)->Unit(benchmark::kMillisecond);

void rounds(benchmark::State &state, const char *rest, uint64_t bytes) {
  auto hosts = static_cast<uint32_t>(state.range(0));
  Traffic traffic("cluster:n=" + std::to_string(hosts) + ",bw=10Gbps,lat=5us" + rest, hosts, bytes);
  for (auto _ : state) {
    traffic.left = Messages / hosts;
    traffic.startRound();
    traffic.engine.run();
  }
  state.SetItemsProcessed(state.iterations() * Messages);
}
void everyModel(benchmark::State &state) {
  const NetworkEntry &entry = networkModels()[static_cast<size_t>(state.range(0))];
  constexpr uint32_t Hosts = 256;
  Traffic traffic("cluster:n=256,bw=10Gbps,lat=5us", Hosts, 1024, entry);
  for (auto _ : state) {
    traffic.left = Messages / Hosts;
    traffic.startRound();
    traffic.engine.run();
  }
  state.SetItemsProcessed(state.iterations() * Messages);
  state.SetLabel(std::string(entry.name));
}
BENCHMARK(everyModel)
    ->DenseRange(0, static_cast<int64_t>(networkModels().size()) - 1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(rounds, roomToSpare, "", 8)
    ->Arg(16)
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rounds, sharedBackbone, ",bb_bw=100Gbps,bb_lat=1us", 1024)
    ->Arg(16)
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);

void recursiveDoubling(benchmark::State &state) {
  auto hosts = static_cast<uint32_t>(state.range(0));
  Doubling traffic("cluster:n=" + std::to_string(hosts) +
                       ",bw=10Gbps,lat=5us,bb_bw=100Gbps,bb_lat=1us",
                   hosts, 8);
  for (auto _ : state) {
    traffic.left = Messages / hosts;
    traffic.startStep();
    traffic.engine.run();
  }
  state.SetItemsProcessed(state.iterations() * Messages);
}
BENCHMARK(recursiveDoubling)->Arg(64)->Arg(1024)->Arg(16384)->Unit(benchmark::kMillisecond);

} // namespace
