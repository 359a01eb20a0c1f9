// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of reductions to one rank, and the default choice.
#include "coll/reduce/Reduce.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<ReduceArgs>> Collective<ReduceArgs>::table() {
  static constexpr auto commutes = [](const ReduceArgs &args) { return args.op->commutative(); };
  static constexpr Algorithm<ReduceArgs> algorithms[] = {
      {"binomial", reduce::binomial},
      {"flat_tree", reduce::flatTree},
      {"ompi_basic_linear", reduce::flatTree}, // the same pattern of messages
      {"ompi_in_order_binary", reduce::inOrderBinary},
      {"scatter_gather", reduce::scatterGather, commutes, "a commutative op"},
      {"rab", reduce::scatterGather, commutes,
       "a commutative op"}, // Rabenseifner's, its other name
  };
  return algorithms;
}

Run<ReduceArgs> Collective<ReduceArgs>::choose(const ReduceArgs &args) {
  if (!args.op->commutative())
    return reduce::inOrderBinary;
  if (args.bytes() >= (8 << 10) && args.count >= args.size)
    return reduce::scatterGather;
  return reduce::binomial;
}

} // namespace gnomon::coll
