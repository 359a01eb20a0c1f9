// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The arguments of every collective, of one size and shape, so that a test can run whatever the
/// tables list.
#pragma once

#include "coll/Algorithm.h"
#include "coll/test/Cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace gnomon::coll::test {

inline constexpr int BlockInts = 16;

/// What a workload is of.
struct Load {
  int root = 0;
  int ints = BlockInts; ///< of a block
  int whole = -1;       ///< of a vector; -1: a block for each rank
};

/// One rank's buffers, big enough for every collective, and its arguments: sums of ints, equal
/// blocks for each rank, vectors of n blocks.
class Workload {
public:
  explicit Workload(int n, Load load = {})
      : n_(n), load_(load), send_(static_cast<size_t>(std::max(n * load.ints, load.whole)), 1),
        recv_(send_.size()), counts_(static_cast<size_t>(n), load.ints), bytesAt_(counts_.size()),
        at_(counts_.size()), types_(counts_.size(), &type_) {
    for (int r = 0; r < n; ++r) {
      at_[static_cast<size_t>(r)] = r * load.ints;
      bytesAt_[static_cast<size_t>(r)] = r * load.ints * static_cast<int>(sizeof(int));
    }
  }
  void fill(const Call &call, BarrierArgs *, auto run) { run(BarrierArgs{call}); }
  void fill(const Call &call, BcastArgs *, auto run) {
    run(BcastArgs{call, recv_.data(), whole(), &type_, load_.root});
  }
  void fill(const Call &call, ReduceArgs *, auto run) {
    run(ReduceArgs{reduction(call), load_.root});
  }
  void fill(const Call &call, AllreduceArgs *, auto run) { run(AllreduceArgs{reduction(call)}); }
  void fill(const Call &call, ScanArgs *, auto run) { run(ScanArgs{reduction(call)}); }
  void fill(const Call &call, ExscanArgs *, auto run) { run(ExscanArgs{reduction(call)}); }
  void fill(const Call &call, ReduceScatterArgs *, auto run) {
    run(ReduceScatterArgs{call, send_.data(), recv_.data(), nullptr, load_.ints, &type_, &sum_});
  }
  void fill(const Call &call, ReduceScatterBlockArgs *, auto run) {
    run(ReduceScatterBlockArgs{
        {call, send_.data(), recv_.data(), nullptr, load_.ints, &type_, &sum_}});
  }
  void fill(const Call &call, GatherArgs *, auto run) { run(gather(call, false)); }
  void fill(const Call &call, GathervArgs *, auto run) { run(GathervArgs{gather(call, true)}); }
  void fill(const Call &call, ScatterArgs *, auto run) { run(scatter(call, false)); }
  void fill(const Call &call, ScattervArgs *, auto run) { run(ScattervArgs{scatter(call, true)}); }
  void fill(const Call &call, AllgatherArgs *, auto run) {
    run(AllgatherArgs{allgather(call, false)});
  }
  void fill(const Call &call, AllgathervArgs *, auto run) {
    run(AllgathervArgs{allgather(call, true)});
  }
  void fill(const Call &call, AlltoallArgs *, auto run) {
    run(AlltoallArgs{call, send_.data(), load_.ints, &type_, recv_.data(), load_.ints, &type_});
  }
  void fill(const Call &call, AlltoallvArgs *, auto run) {
    run(AlltoallvArgs{call, send_.data(), counts_.data(), at_.data(), &type_, recv_.data(),
                      counts_.data(), at_.data(), &type_});
  }
  void fill(const Call &call, AlltoallwArgs *, auto run) {
    run(AlltoallwArgs{call, send_.data(), counts_.data(), bytesAt_.data(), types_.data(),
                      recv_.data(), counts_.data(), bytesAt_.data(), types_.data()});
  }
  /// A ring, both ways.
  void fill(const Call &call, NeighborArgs *, auto run) {
    NeighborArgs args{call};
    args.sources = args.destinations = {(call.rank + n_ - 1) % n_, (call.rank + 1) % n_};
    args.out.assign(2, {send_.data(), load_.ints, &type_});
    args.in.assign(2, {recv_.data(), load_.ints, &type_});
    args.grid = true;
    run(args);
  }

private:
  int64_t whole() const { return load_.whole >= 0 ? load_.whole : int64_t{n_} * load_.ints; }
  ReductionArgs reduction(const Call &call) {
    return {call, send_.data(), recv_.data(), whole(), &type_, &sum_};
  }
  GatherArgs gather(const Call &call, bool vector) {
    return {call,
            send_.data(),
            load_.ints,
            &type_,
            recv_.data(),
            load_.ints,
            vector ? counts_.data() : nullptr,
            at_.data(),
            &type_,
            load_.root};
  }
  ScatterArgs scatter(const Call &call, bool vector) {
    return {call,       send_.data(), load_.ints,   vector ? counts_.data() : nullptr,
            at_.data(), &type_,       recv_.data(), load_.ints,
            &type_,     load_.root};
  }
  AllgatherBase allgather(const Call &call, bool vector) {
    return {call,
            send_.data(),
            load_.ints,
            &type_,
            recv_.data(),
            load_.ints,
            vector ? counts_.data() : nullptr,
            at_.data(),
            &type_};
  }
  int n_;
  Load load_;
  const Datatype &type_ = Datatype::predefined(uintptr_t{0x209});
  const Op &sum_ = Op::predefined(Op::Sum);
  std::vector<int> send_, recv_, counts_, bytesAt_, at_;
  std::vector<const Datatype *> types_;
};

/// What an algorithm returns on each rank; nothing when it cannot do the call.
template <class Args>
std::vector<int> resultsOf(Cluster &cluster, const Algorithm<Args> &algorithm, Load load = {}) {
  bool able = true;
  const auto n = static_cast<size_t>(cluster.size());
  std::vector<Workload> workloads(n, Workload(cluster.size(), load));
  std::vector<int> results(n, -1);
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    const auto r = static_cast<size_t>(call.rank);
    workloads[r].fill(call, static_cast<Args *>(nullptr), [&](const Args &args) {
      able = !algorithm.can || algorithm.can(args);
      if (able)
        results[r] = algorithm.run(args);
    });
  }));
  return able ? results : std::vector<int>();
}

/// Runs an algorithm on a cluster; false when it cannot.
template <class Args>
bool runOn(Cluster &cluster, const Algorithm<Args> &algorithm, Load load = {}) {
  const std::vector<int> results = resultsOf(cluster, algorithm, load);
  for (int result : results)
    EXPECT_EQ(result, 0) << algorithm.name;
  return !results.empty();
}

/// The algorithm of that name; of the first table's first when there is none, which fails.
template <class Args> const Algorithm<Args> &algorithmOf(std::string_view name) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    if (name == algorithm.name)
      return algorithm;
  ADD_FAILURE() << "no algorithm " << name;
  return Collective<Args>::table().front();
}

} // namespace gnomon::coll::test
