// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every algorithm sends exactly as many messages and bytes as the cost on top of its file
// says, and on an affine network without contention takes the time that its pattern implies. An
// algorithm without a row here fails.
#include "coll/Algorithm.h"
#include "coll/test/Cluster.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <string>

namespace gnomon::coll::test {
namespace {

constexpr int BlockInts = 16;
constexpr int64_t b = BlockInts * 4; ///< bytes of a block; the whole vector has B = n b

int logFloor(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }
int logCeil(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

/// n ranks: p the power of two below, e = n - p left over, c = ceil(log2 n), B = n b.
struct N {
  int n, p, e, c, l;
  int64_t B;
  explicit N(int n)
      : n(n), p(1 << logFloor(n)), e(n - p), c(logCeil(n)), l(logFloor(n)), B(n * b) {}
  /// Blocks that travel in a binomial scatter or gather: each block once per level of its rank.
  int64_t treeBlocks() const {
    int64_t sum = 0;
    for (int v = 1; v < n; ++v)
      sum += std::popcount(static_cast<unsigned>(v));
    return sum;
  }
  /// Messages of a scan by recursive doubling: partners beyond n do not exist.
  int64_t scanMessages() const {
    int64_t count = 0;
    for (int mask = 1; mask < n; mask *= 2)
      for (int r = 0; r < n; ++r)
        count += (r ^ mask) < n;
    return count;
  }
};

struct Cost {
  int64_t messages, bytes;
};
using Formula = Cost (*)(const N &x);

const std::map<std::string, Formula> &formulas() {
  static const std::map<std::string, Formula> table{
      {"barrier:ompi_basic_linear", [](const N &x) { return Cost{2 * (x.n - 1), 0}; }},
      {"barrier:ompi_two_procs", [](const N &) { return Cost{2, 0}; }},
      {"barrier:ompi_tree", [](const N &x) { return Cost{2 * (x.n - 1), 0}; }},
      {"barrier:ompi_bruck", [](const N &x) { return Cost{x.n * x.c, 0}; }},
      {"barrier:ompi_recursivedoubling", [](const N &x) { return Cost{x.p * x.l + 2 * x.e, 0}; }},
      {"barrier:ompi_doublering", [](const N &x) { return Cost{x.n == 1 ? 0 : 2 * x.n, 0}; }},

      {"bcast:binomial_tree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"bcast:flattree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"bcast:scatter_LR_allgather",
       [](const N &x) {
         return Cost{(x.n - 1) * (x.n + 1), x.treeBlocks() * b + (x.n - 1) * x.B};
       }},
      {"bcast:scatter_rdb_allgather",
       [](const N &x) { return Cost{x.n - 1 + x.n * x.l, x.treeBlocks() * b + (x.n - 1) * x.B}; }},
      {"bcast:ompi_pipeline", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},

      {"reduce:binomial", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:flat_tree", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"reduce:ompi_in_order_binary", // to the last rank, and from there to the root, 0
       [](const N &x) { return x.n == 1 ? Cost{0, 0} : Cost{x.n, x.n * x.B}; }},
      {"reduce:scatter_gather",
       [](const N &x) {
         const int extra = x.e + (x.e > 0); // rank 0 has dropped out when any has
         return Cost{x.p * x.l + x.p - 1 + extra, (x.p - 1) * x.B + x.B * x.l / 2 + extra * x.B};
       }},
      {"reduce:rab",
       [](const N &x) {
         const int extra = x.e + (x.e > 0);
         return Cost{x.p * x.l + x.p - 1 + extra, (x.p - 1) * x.B + x.B * x.l / 2 + extra * x.B};
       }},

      {"allreduce:rdb",
       [](const N &x) { return Cost{x.p * x.l + 2 * x.e, (x.p * x.l + 2 * x.e) * x.B}; }},
      {"allreduce:rab",
       [](const N &x) { return Cost{2 * x.p * x.l + 2 * x.e, (2 * (x.p - 1) + 2 * x.e) * x.B}; }},
      {"allreduce:lr", [](const N &x) { return Cost{2 * x.n * (x.n - 1), 2 * (x.n - 1) * x.B}; }},
      {"allreduce:redbcast", [](const N &x) { return Cost{2 * (x.n - 1), 2 * (x.n - 1) * x.B}; }},

      {"gather:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"gather:ompi_binomial", [](const N &x) { return Cost{x.n - 1, x.treeBlocks() * b}; }},
      {"gather:ompi_linear_sync", [](const N &x) { return Cost{3 * (x.n - 1), (x.n - 1) * b}; }},
      {"gatherv:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatter:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatter:ompi_binomial", [](const N &x) { return Cost{x.n - 1, x.treeBlocks() * b}; }},
      {"scatter:ompi_linear_nb", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatterv:ompi_basic_linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},
      {"scatterv:ompi_linear_nb", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * b}; }},

      {"allgather:rdb", [](const N &x) { return Cost{x.n * x.l, (x.n - 1) * x.B}; }},
      {"allgather:bruck", [](const N &x) { return Cost{x.n * x.c, (x.n - 1) * x.B}; }},
      {"allgather:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:NTSLR", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:ompi_neighborexchange",
       [](const N &x) { return Cost{x.n * x.n / 2, (x.n - 1) * x.B}; }},
      {"allgather:spreading_simple",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgather:GB",
       [](const N &x) { return Cost{2 * (x.n - 1), x.treeBlocks() * b + (x.n - 1) * x.B}; }},
      {"allgatherv:GB", [](const N &x) { return Cost{2 * (x.n - 1), (x.n - 1) * (b + x.B)}; }},
      {"allgatherv:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgatherv:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"allgatherv:ompi_bruck", [](const N &x) { return Cost{x.n * x.c, (x.n - 1) * x.B}; }},
      {"allgatherv:mpich_ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},

      {"alltoall:basic_linear", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoall:bruck", [](const N &x) { return Cost{x.n * x.c, x.n * x.treeBlocks() * b}; }},
      {"alltoall:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoall:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallv:ompi_basic_linear",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallv:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallv:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:ompi_basic_linear",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:pair", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"alltoallw:ring", [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},

      // two edges a rank
      {"neighbor:ompi_basic_linear", [](const N &x) { return Cost{2 * x.n, 2 * x.B}; }},

      {"reduce_scatter:ompi_basic_recursivehalving",
       [](const N &x) { return Cost{x.p * x.l + 2 * x.e, (x.p - 1) * x.B + x.e * (x.B + b)}; }},
      {"reduce_scatter:ompi_ring",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"reduce_scatter:mpich_pair",
       [](const N &x) { return Cost{x.n * (x.n - 1), (x.n - 1) * x.B}; }},
      {"reduce_scatter:ompi_nonoverlapping",
       [](const N &x) { return Cost{2 * (x.n - 1), (x.n - 1) * x.B + x.treeBlocks() * b}; }},

      {"scan:linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"scan:recursivedoubling",
       [](const N &x) { return Cost{x.scanMessages(), x.scanMessages() * x.B}; }},
      {"exscan:linear", [](const N &x) { return Cost{x.n - 1, (x.n - 1) * x.B}; }},
      {"exscan:recursivedoubling",
       [](const N &x) { return Cost{x.scanMessages(), x.scanMessages() * x.B}; }},
  };
  return table;
}

/// One rank's buffers, big enough for every collective, and its arguments: root 0, sums of ints,
/// blocks of BlockInts for each rank, vectors of n blocks.
class Workload {
public:
  explicit Workload(int n)
      : n_(n), send_(static_cast<size_t>(n * BlockInts), 1), recv_(send_.size()),
        counts_(static_cast<size_t>(n), BlockInts), bytesAt_(counts_.size()), at_(counts_.size()),
        types_(counts_.size(), &type_) {
    for (int r = 0; r < n; ++r) {
      at_[static_cast<size_t>(r)] = r * BlockInts;
      bytesAt_[static_cast<size_t>(r)] = r * static_cast<int>(b);
    }
  }
  void fill(const Call &call, BarrierArgs *, auto run) { run(BarrierArgs{call}); }
  void fill(const Call &call, BcastArgs *, auto run) {
    run(BcastArgs{call, recv_.data(), whole(), &type_, 0});
  }
  void fill(const Call &call, ReduceArgs *, auto run) { run(ReduceArgs{reduction(call), 0}); }
  void fill(const Call &call, AllreduceArgs *, auto run) { run(AllreduceArgs{reduction(call)}); }
  void fill(const Call &call, ScanArgs *, auto run) { run(ScanArgs{reduction(call)}); }
  void fill(const Call &call, ExscanArgs *, auto run) { run(ExscanArgs{reduction(call)}); }
  void fill(const Call &call, ReduceScatterArgs *, auto run) {
    run(ReduceScatterArgs{call, send_.data(), recv_.data(), nullptr, BlockInts, &type_, &sum_});
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
    run(AlltoallArgs{call, send_.data(), BlockInts, &type_, recv_.data(), BlockInts, &type_});
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
    args.out.assign(2, {send_.data(), BlockInts, &type_});
    args.in.assign(2, {recv_.data(), BlockInts, &type_});
    args.grid = true;
    run(args);
  }

private:
  int64_t whole() const { return int64_t{n_} * BlockInts; }
  ReductionArgs reduction(const Call &call) {
    return {call, send_.data(), recv_.data(), whole(), &type_, &sum_};
  }
  GatherArgs gather(const Call &call, bool vector) {
    return {call,
            send_.data(),
            BlockInts,
            &type_,
            recv_.data(),
            BlockInts,
            vector ? counts_.data() : nullptr,
            at_.data(),
            &type_,
            0};
  }
  ScatterArgs scatter(const Call &call, bool vector) {
    return {call,         send_.data(),
            BlockInts,    vector ? counts_.data() : nullptr,
            at_.data(),   &type_,
            recv_.data(), BlockInts,
            &type_,       0};
  }
  AllgatherBase allgather(const Call &call, bool vector) {
    return {call,
            send_.data(),
            BlockInts,
            &type_,
            recv_.data(),
            BlockInts,
            vector ? counts_.data() : nullptr,
            at_.data(),
            &type_};
  }
  int n_;
  const Datatype &type_ = Datatype::predefined(uintptr_t{0x209});
  const Op &sum_ = Op::predefined(Op::Sum);
  std::vector<int> send_, recv_, counts_, bytesAt_, at_;
  std::vector<const Datatype *> types_;
};

/// Runs an algorithm on a cluster; false when it cannot.
template <class Args> bool runOn(Cluster &cluster, const Algorithm<Args> &algorithm) {
  bool able = true;
  std::vector<Workload> workloads(static_cast<size_t>(cluster.size()), Workload(cluster.size()));
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    workloads[static_cast<size_t>(call.rank)].fill(call, static_cast<Args *>(nullptr),
                                                   [&](const Args &args) {
                                                     able = !algorithm.can || algorithm.can(args);
                                                     if (able)
                                                       EXPECT_EQ(algorithm.run(args), 0);
                                                   });
  }));
  return able;
}

template <class Args> void checkCosts() {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table()) {
    const std::string name = std::string(Collective<Args>::name) + ":" + algorithm.name;
    const auto formula = formulas().find(name);
    ASSERT_NE(formula, formulas().end()) << name << " has no cost here";
    for (int n : {1, 2, 3, 4, 6, 7, 8, 16, 17, 30}) {
      Cluster cluster(n);
      if (!runOn(cluster, algorithm))
        continue;
      const Cost expected = formula->second(N(n));
      EXPECT_EQ(cluster.messages, expected.messages) << name << " on " << n << " ranks";
      EXPECT_EQ(cluster.bytes, expected.bytes) << name << " on " << n << " ranks";
    }
  }
}

TEST(Cost, MessagesAndBytesOfEveryAlgorithm) {
#define GNOMON_COLLECTIVE(ARGS, NAME) checkCosts<ARGS>();
#include "coll/Collectives.def"
}

/// The time of an algorithm when a message of m bytes takes 1 + m / 2^10 and its sender waits for
/// its end.
template <class Args> double seconds(const char *name, int n) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table()) {
    if (std::string_view(name) != algorithm.name)
      continue;
    Cluster cluster(n, {true, 1, 1.0 / 1024});
    EXPECT_TRUE(runOn(cluster, algorithm));
    return cluster.finished;
  }
  ADD_FAILURE() << "no algorithm " << name;
  return 0;
}
double message(int64_t bytes) { return 1 + static_cast<double>(bytes) / 1024; }

// With a = 1, c = 1/1024, n = 16 = 2^4, block b, vector B = 16 b.
TEST(Cost, TimesOnAnAffineNetwork) {
  constexpr int n = 16;
  constexpr int64_t B = n * b;
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_bruck", n), 4);
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_recursivedoubling", n), 4);
  EXPECT_DOUBLE_EQ(seconds<BarrierArgs>("ompi_tree", n), 8);
  // log2 n steps of the whole vector.
  EXPECT_DOUBLE_EQ(seconds<BcastArgs>("binomial_tree", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<ReduceArgs>("binomial", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("rdb", n), 4 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("redbcast", n), 8 * message(B));
  // All at once; one after the other.
  EXPECT_DOUBLE_EQ(seconds<BcastArgs>("flattree", n), message(B));
  EXPECT_DOUBLE_EQ(seconds<ReduceArgs>("flat_tree", n), 15 * message(B));
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("basic_linear", n), message(b));
  // n - 1 steps of a block.
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("pair", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AlltoallArgs>("ring", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AllgatherArgs>("NTSLR", n), 15 * message(b));
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("lr", n), 30 * message(b));
  // The largest subtree first: sum over k of a + c b 2^k = 4 a + 15 c b. The smallest first would
  // take longer.
  EXPECT_DOUBLE_EQ(seconds<ScatterArgs>("ompi_binomial", n), 3 + message(15 * b));
  EXPECT_DOUBLE_EQ(seconds<GatherArgs>("ompi_binomial", n), 3 + message(15 * b));
  // Halving and doubling: 2 log2 n a + 2 (n - 1) c b.
  EXPECT_DOUBLE_EQ(seconds<AllreduceArgs>("rab", n), 7 + message(30 * b));
  EXPECT_DOUBLE_EQ(seconds<AllgatherArgs>("rdb", n), 3 + message(15 * b));
  EXPECT_DOUBLE_EQ(seconds<ReduceScatterArgs>("ompi_basic_recursivehalving", n),
                   3 + message(15 * b));
}

} // namespace
} // namespace gnomon::coll::test
