// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One chain through all ranks, in segments; its own are those of Open MPI's older decision, which
/// SMPI keeps: 1, 32 or 64 KiB by ranks and bytes. The op must commute.
/// Cost: n - 2 + s rounds for s segments; n - 1 times B bytes.
/// Source: Open MPI 4.1, coll_base_reduce (pipeline).
#include "coll/reduce/Reduce.h"
#include "coll/reduce/Segmented.h"

namespace gnomon::coll::reduce {

int pipeline(const ReduceArgs &args) {
  const auto bytes = static_cast<double>(args.bytes());
  int64_t own = 64 << 10;
  if (args.size > 0.0410 / 1024.0 * bytes + 9.7128)
    own = 1 << 10;
  else if (args.size > 0.0033 / 1024.0 * bytes + 1.6761)
    own = 32 << 10;
  return segmented(args, Tree::chain(args, args.root, 1), segmentOf(args, own));
}

} // namespace gnomon::coll::reduce
