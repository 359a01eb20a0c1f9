// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A token goes around the ring twice: once to learn that all are there, once to say so.
/// Cost: 2 n rounds; 2 n empty messages.
/// Source: Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int doubleRing(const BarrierArgs &args) {
  if (args.size == 1)
    return 0;
  Messages messages(args);
  const int left = (args.rank - 1 + args.size) % args.size, right = (args.rank + 1) % args.size;
  for (int lap = 0; lap < 2; ++lap) {
    if (args.rank > 0)
      messages.await(left);
    messages.signal(right);
    if (args.rank == 0)
      messages.await(left);
  }
  return messages.result();
}

} // namespace gnomon::coll::barrier
