// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Chains that hang on the root (n / 2 of them, if not told otherwise), in segments (64 KiB, if not
/// told otherwise: SMPI's values). The op must commute.
/// Cost: (n - 1) / f + s - 1 rounds for f chains and s segments, f operands a segment at the root;
/// n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_reduce (chain).
#include "coll/reduce/Reduce.h"
#include "coll/reduce/Segmented.h"

namespace gnomon::coll::reduce {

int chain(const ReduceArgs &args) {
  const int chains = args.fanout > 0 ? args.fanout : args.size / 2;
  return segmented(args, Tree::chain(args, args.root, chains), segmentOf(args, 64 << 10));
}

} // namespace gnomon::coll::reduce
