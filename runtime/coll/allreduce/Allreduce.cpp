// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of reductions to all ranks, and the default choice.
#include "coll/allreduce/Allreduce.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<AllreduceArgs>> Collective<AllreduceArgs>::table() {
  static constexpr auto commutes = [](const AllreduceArgs &args) { return args.op->commutative(); };
  static constexpr Algorithm<AllreduceArgs> algorithms[] = {
      {"rdb", allreduce::recursiveDoubling},
      {"rab", allreduce::rabenseifner, commutes, "a commutative op"},
      {"lr", allreduce::logicalRing, commutes, "a commutative op"},
      {"redbcast", allreduce::reduceBcast},
  };
  return algorithms;
}

Run<AllreduceArgs> Collective<AllreduceArgs>::choose(const AllreduceArgs &args) {
  const int64_t bytes = args.bytes();
  if (bytes < (10 << 10) || !args.op->commutative() || args.count < args.size)
    return allreduce::recursiveDoubling;
  return bytes < (int64_t{1} << 20) * args.size ? allreduce::rabenseifner : allreduce::logicalRing;
}

} // namespace gnomon::coll
