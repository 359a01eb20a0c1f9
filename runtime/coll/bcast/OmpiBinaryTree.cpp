// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binary tree in order of levels.
/// Cost: log2 n levels, each of which sends twice; n - 1 messages of B bytes, or segments, if asked
/// for.
/// Source: Open MPI 4.1, coll_base_bcast (bintree).
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"

namespace gnomon::coll::bcast {

int binaryTree(const BcastArgs &args) {
  return segmented(args, Tree::binary(args, args.root), segmentOf(args, 0));
}

} // namespace gnomon::coll::bcast
