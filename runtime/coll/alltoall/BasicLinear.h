// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank starts all its receives and sends at once, beginning with its neighbours, then waits
/// for them.
/// Cost: one round of n (n - 1) messages of b bytes.
/// Source: Open MPI 4.1, coll_base_alltoall and coll_base_alltoallv (basic linear).
#pragma once

#include "coll/Messages.h"

namespace gnomon::coll::alltoall {

template <class Args> int basicLinear(const Args &args) {
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int step = 1; step < n; ++step) {
    const int source = (args.rank + step) % n;
    messages.irecv(args.recvBlock(source), source);
  }
  for (int step = 1; step < n; ++step) {
    const int dest = (args.rank - step + n) % n;
    messages.isend(args.sendBlock(dest), dest);
  }
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::alltoall
