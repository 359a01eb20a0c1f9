// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A chain from the root through all ranks, in segments. Its own segments are those of Open MPI's
/// older decision, which SMPI keeps: 128, 64, 16 or again 128 KiB by ranks and bytes.
/// Cost: n - 2 + s rounds for s segments; n - 1 times B bytes in all.
/// Source: Open MPI 4.1, coll_base_bcast (pipeline).
#include "coll/bcast/Bcast.h"
#include "coll/bcast/Segmented.h"

namespace gnomon::coll::bcast {

int pipeline(const BcastArgs &args) {
  const auto bytes = static_cast<double>(args.bytes());
  int64_t own = 128 << 10;
  if (args.size >= 1.6134e-6 * bytes + 2.1102) {
    if (args.size < 2.3679e-6 * bytes + 1.1787)
      own = 64 << 10;
    else if (args.size < 3.2118e-6 * bytes + 8.7936)
      own = 16 << 10;
  }
  return segmented(args, Tree::chain(args, args.root, 1), segmentOf(args, own));
}

} // namespace gnomon::coll::bcast
