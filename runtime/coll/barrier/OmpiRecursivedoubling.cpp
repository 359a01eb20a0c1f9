// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks beyond the largest power of two p report to a partner below it; those exchange with rank
/// xor 2^k; the partners then release the others.
/// Cost: log2 p (+2 when n > p) rounds; p log2 p + 2 (n - p) empty messages.
/// Source: Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int recursiveDoubling(const BarrierArgs &args) {
  Messages messages(args);
  const int p = floorPowerOfTwo(args.size);
  if (args.rank >= p) {
    messages.signal(args.rank - p);
    messages.await(args.rank - p);
    return messages.result();
  }
  const bool partnered = args.rank + p < args.size;
  if (partnered)
    messages.await(args.rank + p);
  for (int mask = 1; mask < p; mask *= 2)
    messages.exchangeSignals(args.rank ^ mask, args.rank ^ mask);
  if (partnered)
    messages.signal(args.rank + p);
  return messages.result();
}

} // namespace gnomon::coll::barrier
