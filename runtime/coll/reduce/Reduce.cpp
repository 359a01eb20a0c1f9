// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of reductions to one rank.
#include "coll/reduce/Reduce.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"
#include "coll/Nodes.h"

namespace gnomon::coll {

std::span<const Algorithm<ReduceArgs>> Collective<ReduceArgs>::table() {
  using A = ReduceArgs;
  static constexpr auto commutes = [](const A &args) { return args.op->commutative(); };
  static constexpr const char *Commutative = "a commutative op";
  static constexpr auto enough = [](const A &args) {
    return args.op->commutative() && args.size > 1 && args.count >= floorPowerOfTwo(args.size);
  };
  static constexpr const char *Enough =
      "a commutative op and an element for each of a power of two of ranks";
  static constexpr auto byHost = [](const A &args) {
    return args.op->commutative() && hierarchical(args);
  };
  static constexpr const char *ByHost = "a commutative op and several ranks on a host";
  static constexpr Algorithm<A> algorithms[] = {
      {"binomial", reduce::binomial, "binomial tree; to rank 0 first when the op does not commute",
       "mpich_binomial"},
      {"flat_tree", reduce::flatTree, "the root adds the operands from the last rank's down"},
      {"ompi_basic_linear", reduce::flatTree, "the same as flat_tree", "ompi_linear"},
      {"ompi_chain", reduce::chain, "chains that hang on the root (fanout=n/2), segments of 64 KiB",
       "", commutes, Commutative, "ompi_in_order_binary"},
      {"ompi_pipeline", reduce::pipeline, "one chain through all ranks, segments of 1 to 64 KiB",
       "", commutes, Commutative, "ompi_in_order_binary"},
      {"ompi_binary", reduce::binary, "binary tree, segments of 32 KiB", "", commutes, Commutative,
       "ompi_in_order_binary"},
      {"ompi_binomial", reduce::ompiBinomial, "binomial tree, in segments", "", commutes,
       Commutative, "ompi_in_order_binary"},
      {"ompi_in_order_binary", reduce::inOrderBinary,
       "binary tree of ranges of ranks to the last rank, and from there to the root"},
      {"ompi_rabenseifner", reduce::ompiRabenseifner,
       "halving of windows, then gather up a binomial tree", "", enough, Enough,
       "ompi_basic_linear"},
      {"scatter_gather", reduce::scatterGather,
       "recursive halving of p pieces, then gather up a binomial tree",
       "mpich_reduce_scatter_gather", commutes, Commutative},
      {"rab", reduce::scatterGather, "the same as scatter_gather", "", commutes, Commutative},
      {"mpich_smp", reduce::smp, "within hosts, among their leaders, within the root's host", "",
       byHost, ByHost},
      {"mpich_composition_alpha", reduce::compositionAlpha,
       "within hosts, among their leaders to rank 0, and from there to the root", "", byHost,
       ByHost},
  };
  return algorithms;
}

} // namespace gnomon::coll
