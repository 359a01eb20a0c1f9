// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree whose first child, the next rank, has the largest subtree; a rank sends to all
/// its children at once.
/// Cost: ceil(log2 n) rounds; n - 1 messages of B bytes, or segments, if asked for.
/// Source: Open MPI 4.1, coll_base_bcast (binomial).
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"

namespace gnomon::coll::bcast {

int binomial(const BcastArgs &args) {
  return segmented(args, Tree::binomial(args, args.root), segmentOf(args, 0));
}

} // namespace gnomon::coll::bcast
