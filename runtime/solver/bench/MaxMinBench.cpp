// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of a change: a flow alone on its links, and n flows that start and end together on a shared
/// backbone with cross-traffic, as an all-to-all on a flat cluster makes them.
#include "solver/MaxMin.h"

#include <benchmark/benchmark.h>

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

} // namespace
