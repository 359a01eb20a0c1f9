// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i each rank sends its own block straight to the rank i after it and receives from the
/// rank i before it.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes.
/// Source: STAR-MPI, allgather ring and allgatherv ring.
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int ring(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.own(), args.recvBlock(args.rank));
  for (int step = 1; step < n; ++step) {
    const int source = (args.rank - step + n) % n;
    messages.sendrecv(args.own(), (args.rank + step) % n, args.recvBlock(source), source);
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
