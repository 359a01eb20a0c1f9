// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A k-nomial tree (radix 4, if not told otherwise), the largest subtree first; a rank sends to all
/// its children at once.
/// Cost: ceil(log_k n) rounds of up to k - 1 messages; n - 1 messages of B bytes, or segments, if
/// asked for.
/// Source: Open MPI 4.1, coll_base_bcast (knomial).
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"

namespace gnomon::coll::bcast {

int knomial(const BcastArgs &args) {
  const int radix = args.fanout > 1 ? args.fanout : 4;
  return segmented(args, Tree::knomial(args, args.root, radix), segmentOf(args, 0));
}

} // namespace gnomon::coll::bcast
