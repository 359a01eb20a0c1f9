// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i ranks exchange blocks with rank xor i. Needs a power of two of ranks.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes.
/// Source: STAR-MPI, alltoall pair and alltoallv pair.
#pragma once

#include "coll/Messages.h"

namespace gnomon::coll::alltoall {

template <class Args> int pair(const Args &args) {
  Messages messages(args);
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int step = 1; step < args.size; ++step) {
    const int peer = args.rank ^ step;
    messages.sendrecv(args.sendBlock(peer), peer, args.recvBlock(peer), peer);
  }
  return messages.result();
}

} // namespace gnomon::coll::alltoall
