// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binary tree in order of levels, in segments (32 KiB, if not told otherwise: SMPI's value). The
/// op must commute.
/// Cost: log2 n levels, two operands each; n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_reduce (binary).
#include "coll/reduce/Reduce.h"
#include "coll/reduce/Segmented.h"

namespace gnomon::coll::reduce {

int binary(const ReduceArgs &args) {
  return segmented(args, Tree::binary(args, args.root), segmentOf(args, 32 << 10));
}

} // namespace gnomon::coll::reduce
