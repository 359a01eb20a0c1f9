// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Logical ring: each rank passes to the one after it the block that it got last.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes, all between neighbours.
/// Source: STAR-MPI, allgather NTSLR; MPICH, allgatherv ring (mpich_ring).
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int logicalRing(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  copyBlock(args.own(), args.recvBlock(args.rank));
  for (int step = 0; step < n - 1; ++step) {
    const Block out = args.recvBlock((args.rank - step + n) % n);
    messages.sendrecv({out.data, out.count, out.type}, right,
                      args.recvBlock((args.rank - step - 1 + n) % n), left);
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
