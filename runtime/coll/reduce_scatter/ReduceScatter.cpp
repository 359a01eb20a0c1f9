// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of reduce-scatters, and the default choice.
#include "coll/reduce_scatter/ReduceScatter.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<ReduceScatterArgs>> Collective<ReduceScatterArgs>::table() {
  using A = ReduceScatterArgs;
  static constexpr auto commutes = [](const A &args) { return args.op->commutative(); };
  static constexpr const char *Commutative = "a commutative op";
  static constexpr Algorithm<A> algorithms[] = {
      {"ompi_basic_recursivehalving", reduce_scatter::recursiveHalving, commutes, Commutative},
      {"ompi_ring", reduce_scatter::ring, commutes, Commutative},
      {"mpich_pair", reduce_scatter::pairwise, commutes, Commutative},
      {"ompi_nonoverlapping", reduce_scatter::nonoverlapping},
  };
  return algorithms;
}

Run<ReduceScatterArgs> Collective<ReduceScatterArgs>::choose(const ReduceScatterArgs &args) {
  constexpr int64_t LongBytes = 256 << 10;
  if (!args.op->commutative())
    return reduce_scatter::nonoverlapping;
  return args.total() * args.type->size() < LongBytes ? reduce_scatter::recursiveHalving
                                                      : reduce_scatter::ring;
}

} // namespace gnomon::coll
