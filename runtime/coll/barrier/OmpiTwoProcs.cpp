// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two ranks tell each other.
/// Cost: one round; 2 empty messages.
/// Source: Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int twoProcs(const BarrierArgs &args) {
  Messages messages(args);
  messages.exchangeSignals(1 - args.rank, 1 - args.rank);
  return messages.result();
}

} // namespace gnomon::coll::barrier
