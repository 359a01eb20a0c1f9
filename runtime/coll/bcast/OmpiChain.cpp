// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Some chains (4, if not told otherwise) hang on the root; segments go down them, if asked for.
/// Cost: (n - 1) / 4 + s - 1 rounds for s segments; n - 1 times B bytes in all.
/// Source: Open MPI 4.1, coll_base_bcast (chain).
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"

namespace gnomon::coll::bcast {

int chain(const BcastArgs &args) {
  const int chains = args.fanout > 0 ? args.fanout : 4;
  return segmented(args, Tree::chain(args, args.root, chains), segmentOf(args, 0));
}

} // namespace gnomon::coll::bcast
