// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Dissemination: in round k, tell the rank 2^k after, hear from the rank 2^k before. After the
/// last round each rank has heard, directly or not, of every other.
/// Cost: ceil(log2 n) rounds; n ceil(log2 n) empty messages.
/// Source: Hensgen, Finkel, Manber 1988; Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int bruck(const BarrierArgs &args) {
  Messages messages(args);
  const int n = args.size;
  for (int distance = 1; distance < n; distance *= 2)
    messages.exchangeSignals((args.rank + distance) % n, (args.rank - distance + n) % n);
  return messages.result();
}

} // namespace gnomon::coll::barrier
