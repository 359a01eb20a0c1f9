// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i each rank sends to the rank i after it and receives from the rank i before it.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes.
/// Source: STAR-MPI, alltoall ring and alltoallv ring.
#pragma once

#include "coll/Messages.h"

namespace gnomon::coll::alltoall {

template <class Args> int ring(const Args &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int step = 1; step < n; ++step) {
    const int dest = (args.rank + step) % n, source = (args.rank - step + n) % n;
    messages.sendrecv(args.sendBlock(dest), dest, args.recvBlock(source), source);
  }
  return messages.result();
}

} // namespace gnomon::coll::alltoall
