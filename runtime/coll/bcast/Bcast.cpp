// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of broadcasts, and the default choice.
#include "coll/bcast/Bcast.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"

namespace gnomon::coll {

std::span<const Algorithm<BcastArgs>> Collective<BcastArgs>::table() {
  static constexpr Algorithm<BcastArgs> algorithms[] = {
      {"binomial_tree", bcast::binomialTree},
      {"flattree", bcast::flatTree},
      {"scatter_LR_allgather", bcast::scatterRingAllgather},
      {"scatter_rdb_allgather", bcast::scatterDoublingAllgather,
       [](const BcastArgs &args) { return isPowerOfTwo(args.size); }, "a power of two of ranks"},
      {"ompi_pipeline", bcast::pipeline},
  };
  return algorithms;
}

Run<BcastArgs> Collective<BcastArgs>::choose(const BcastArgs &args) {
  const int64_t bytes = args.bytes();
  if (bytes < (8 << 10) || args.size < 8)
    return bcast::binomialTree;
  if (bytes < (512 << 10) && isPowerOfTwo(args.size))
    return bcast::scatterDoublingAllgather;
  if (bytes >= (int64_t{64} << 10) * args.size)
    return bcast::pipeline;
  return bcast::scatterRingAllgather;
}

} // namespace gnomon::coll
