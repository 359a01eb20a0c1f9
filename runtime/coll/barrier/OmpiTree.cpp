// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree: reports go up to rank 0, releases come down.
/// Cost: 2 ceil(log2 n) rounds; 2 (n - 1) empty messages.
/// Source: Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int tree(const BarrierArgs &args) {
  Messages messages(args);
  int parent =
      1; // the distance to the parent: the lowest set bit, or beyond all ranks for the root
  while (parent < args.size && !(args.rank & parent))
    parent *= 2;
  for (int mask = 1; mask < parent; mask *= 2)
    if (args.rank + mask < args.size)
      messages.await(args.rank + mask);
  if (args.rank != 0) {
    messages.signal(args.rank - parent);
    messages.await(args.rank - parent);
  }
  for (int mask = parent / 2; mask > 0; mask /= 2)
    if (args.rank + mask < args.size)
      messages.signal(args.rank + mask);
  return messages.result();
}

} // namespace gnomon::coll::barrier
