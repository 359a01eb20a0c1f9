// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All report to rank 0, which then releases all.
/// Cost: 2 (n - 1) empty messages, all at rank 0.
/// Source: Open MPI 4.1, coll_base_barrier.
#include "coll/Messages.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int basicLinear(const BarrierArgs &args) {
  Messages messages(args);
  if (args.rank != 0) {
    messages.signal(0);
    messages.await(0);
    return messages.result();
  }
  for (int r = 1; r < args.size; ++r)
    messages.irecv({nullptr, 0, &Messages::byte()}, r);
  messages.waitAll();
  for (int r = 1; r < args.size; ++r)
    messages.isend({nullptr, 0, &Messages::byte()}, r);
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::barrier
