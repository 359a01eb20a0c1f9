// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree, the smallest subtree's operand first, in segments; its own are those of Open
/// MPI's older decision, which SMPI keeps: 1 KiB for many ranks and some KiB, else none. The op
/// must commute.
/// Cost: ceil(log2 n) rounds; n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_reduce (binomial).
#include "coll/reduce/Reduce.h"
#include "coll/reduce/Segmented.h"

namespace gnomon::coll::reduce {

int ompiBinomial(const ReduceArgs &args) {
  const int64_t bytes = args.bytes();
  int64_t own = 0;
  if ((args.size >= 8 || bytes >= 20480) && bytes >= 2048 && args.count > 1 &&
      args.size > 0.6016 / 1024.0 * static_cast<double>(bytes) + 1.3496)
    own = 1 << 10;
  return segmented(args, Tree::inOrderBinomial(args, args.root), segmentOf(args, own));
}

} // namespace gnomon::coll::reduce
