// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of reductions to all ranks.
#include "coll/allreduce/Allreduce.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"
#include "coll/Nodes.h"

namespace gnomon::coll {

std::span<const Algorithm<AllreduceArgs>> Collective<AllreduceArgs>::table() {
  using A = AllreduceArgs;
  static constexpr auto commutes = [](const A &args) { return args.op->commutative(); };
  static constexpr const char *Commutative = "a commutative op";
  static constexpr auto elementEach = [](const A &args) {
    return args.op->commutative() && args.count >= args.size;
  };
  static constexpr const char *ElementEach = "a commutative op and an element for each rank";
  static constexpr auto enough = [](const A &args) {
    return args.op->commutative() && args.count >= floorPowerOfTwo(args.size);
  };
  static constexpr const char *Enough =
      "a commutative op and an element for each of a power of two of ranks";
  static constexpr auto byHost = [](const A &args) {
    return args.op->commutative() && hierarchical(args);
  };
  static constexpr Algorithm<A> algorithms[] = {
      {"rdb", allreduce::recursiveDoubling, "recursive doubling of whole vectors",
       "ompi_recursive_doubling mpich_recursive_doubling"},
      {"rab", allreduce::rabenseifner,
       "recursive halving of p pieces, then recursive doubling (Rabenseifner)",
       "mpich_reduce_scatter_allgather", commutes, Commutative},
      {"lr", allreduce::logicalRing, "reduce-scatter and allgather around a ring", "", commutes,
       Commutative},
      {"redbcast", allreduce::reduceBcast, "binomial reduce, then binomial broadcast"},
      {"ompi_basic_linear", allreduce::basicLinear, "linear reduce, then linear broadcast"},
      {"ompi_nonoverlapping", allreduce::nonoverlapping,
       "a reduce, then a broadcast, as they are chosen"},
      {"ompi_ring", allreduce::ring, "reduce-scatter, receives ahead, and allgather around a ring",
       "", elementEach, ElementEach, "rdb"},
      {"ompi_ring_segmented", allreduce::ringSegmented,
       "as ompi_ring, the blocks in segments (1 MiB)", "ompi_segmented_ring", elementEach,
       ElementEach, "rdb"},
      {"ompi_rabenseifner", allreduce::ompiRabenseifner,
       "recursive halving of windows, then recursive doubling", "", enough, Enough,
       "ompi_basic_linear"},
      {"mpich_smp", allreduce::smp, "within hosts, among their leaders, within hosts", "", byHost,
       "a commutative op and several ranks on a host"},
  };
  return algorithms;
}

} // namespace gnomon::coll
