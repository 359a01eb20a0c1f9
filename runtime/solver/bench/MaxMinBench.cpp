// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of a change: a flow alone on its links; n flows that start and end together on a shared
/// backbone with cross-traffic, as an all-to-all on a flat cluster makes them; and of one flow that
/// goes and another that comes, each solved, beside n flows on m constraints: that have nothing to
/// do with it, that share one backbone, that hang together as a chain, or densely.
#include "solver/MaxMin.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace gnomon::solver;

namespace {

struct Cluster {
  MaxMin system;
  std::vector<ConstraintIndex> up, down;
  ConstraintIndex backbone;

  Cluster(size_t hosts, double backboneCapacity) {
    for (size_t i = 0; i < hosts; ++i) {
      up.push_back(system.addConstraint(1.25e9, Sharing::Shared));
      down.push_back(system.addConstraint(1.25e9, Sharing::Shared));
    }
    backbone = system.addConstraint(backboneCapacity, Sharing::Shared);
  }
  VariableIndex flow(size_t from, size_t to) {
    const Usage usages[] = {
        {up[from], 1}, {backbone, 1.05}, {down[to], 1}, {up[to], 0.05}, {down[from], 0.05}};
    return system.add(3.6e-5, 1.25e9, usages);
  }
};

void aloneOnItsLinks(benchmark::State &state) {
  Cluster cluster(16, 12.5e9);
  size_t from = 0;
  for (auto _ : state) {
    VariableIndex v = cluster.flow(from, from + 1);
    benchmark::DoNotOptimize(cluster.system.rate(v));
    cluster.system.remove(v);
    from = (from + 1) % 15;
  }
}
BENCHMARK(aloneOnItsLinks);

void allStartAndEndTogether(benchmark::State &state) {
  auto hosts = static_cast<size_t>(state.range(0));
  Cluster cluster(hosts, 12.5e9);
  std::vector<VariableIndex> flows(hosts);
  for (auto _ : state) {
    for (size_t i = 0; i < hosts; ++i)
      flows[i] = cluster.flow(i, (i + 1) % hosts);
    cluster.system.solve();
    for (VariableIndex v : flows)
      cluster.system.remove(v);
    cluster.system.solve();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(allStartAndEndTogether)->Arg(16)->Arg(256)->Arg(1024)->Arg(16384);

/// One of the flows, each in its turn, goes and comes again: two events.
void replaceEach(benchmark::State &state, MaxMin &system,
                 const std::vector<std::vector<Usage>> &uses, std::vector<VariableIndex> &flows) {
  size_t turn = 0, changed = 0;
  for (auto _ : state) {
    system.remove(flows[turn]);
    system.solve();
    changed += system.changed().size() + system.changedLevels().size();
    flows[turn] = system.add(1, Unbounded, uses[turn]);
    system.solve();
    changed += system.changed().size() + system.changedLevels().size();
    turn = (turn + 7919) % flows.size();
  }
  state.SetItemsProcessed(state.iterations() * 2);
  state.counters["changed"] =
      static_cast<double>(changed) / static_cast<double>(state.iterations()) / 2;
}

/// Flows that use \p each of m constraints, of capacities between 1 and 2.
struct Random {
  std::mt19937 random{1};
  MaxMin system;
  std::vector<std::vector<Usage>> uses;
  std::vector<VariableIndex> flows;

  explicit Random(int64_t constraints) {
    for (int64_t i = 0; i < constraints; ++i)
      system.addConstraint(1 + static_cast<double>(random()) / 4294967296.0, Sharing::Shared);
  }
  void add(std::vector<Usage> usages) {
    uses.push_back(std::move(usages));
    flows.push_back(system.add(1, Unbounded, uses.back()));
  }
};

void besideUnrelated(benchmark::State &state) {
  Random fixture(state.range(1));
  const auto pairs = static_cast<ConstraintIndex>(state.range(1) - 1);
  for (int64_t i = 0; i < state.range(0); ++i) // on the other constraints
    fixture.add({{1 + static_cast<ConstraintIndex>(i) % pairs, 1}});
  fixture.add({{0, 1}});
  fixture.system.solve();
  for (auto _ : state) {
    VariableIndex v = fixture.system.add(1, Unbounded, std::vector<Usage>{{0, 1}});
    fixture.system.solve();
    fixture.system.remove(v);
    fixture.system.solve();
  }
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(besideUnrelated)
    ->Args({1, 2})
    ->Args({100, 10})
    ->Args({1000, 100})
    ->Args({10000, 1000})
    ->Args({100000, 1000})
    ->Args({100000, 10000});

void sharedBackbone(benchmark::State &state) {
  Random fixture(state.range(1));
  const ConstraintIndex backbone = fixture.system.addConstraint(1e-3, Sharing::Shared);
  const auto links = static_cast<uint32_t>(state.range(1));
  for (int64_t i = 0; i < state.range(0); ++i)
    fixture.add({{backbone, 1}, {static_cast<ConstraintIndex>(fixture.random() % links), 1}});
  fixture.system.solve();
  replaceEach(state, fixture.system, fixture.uses, fixture.flows);
}
BENCHMARK(sharedBackbone)
    ->Args({100, 10})
    ->Args({1000, 100})
    ->Args({10000, 1000})
    ->Args({100000, 1000})
    ->Args({100000, 10000});

/// Flow i uses links i and i + 1.
void chain(benchmark::State &state) {
  Random fixture(state.range(0) + 1);
  for (int64_t i = 0; i < state.range(0); ++i) {
    auto link = static_cast<ConstraintIndex>(i);
    fixture.add({{link, 1}, {link + 1, 1}});
  }
  fixture.system.solve();
  replaceEach(state, fixture.system, fixture.uses, fixture.flows);
}
BENCHMARK(chain)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

/// Each flow uses four constraints, any.
void dense(benchmark::State &state) {
  Random fixture(state.range(1));
  const auto links = static_cast<uint32_t>(state.range(1));
  while (fixture.flows.size() < static_cast<size_t>(state.range(0))) {
    std::vector<Usage> uses;
    auto first = static_cast<ConstraintIndex>(fixture.random());
    for (ConstraintIndex i = 0; i < 4; ++i)
      uses.push_back({(first + i * (1 + first / links % (links / 4))) % links, 1});
    fixture.add(uses);
  }
  fixture.system.solve();
  replaceEach(state, fixture.system, fixture.uses, fixture.flows);
}
BENCHMARK(dense)
    ->Args({10, 10})
    ->Args({100, 10})
    ->Args({100, 100})
    ->Args({1000, 100})
    ->Args({10000, 1000})
    ->Args({100000, 1000})
    ->Args({100000, 10000})
    ->Unit(benchmark::kMicrosecond);

} // namespace
