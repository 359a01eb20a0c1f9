// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank starts all sends of its block and all receives at once, then waits for them.
/// Cost: one round of n (n - 1) messages of b bytes.
/// Source: STAR-MPI, allgather spreading_simple.
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int spreadingSimple(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.own(), args.recvBlock(args.rank));
  for (int step = 1; step < n; ++step) {
    const int source = (args.rank - step + n) % n;
    messages.irecv(args.recvBlock(source), source);
    messages.isend(args.own(), (args.rank + step) % n);
  }
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::allgather
