// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i ranks exchange their own blocks with rank xor i. Needs a power of two of ranks.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes.
/// Source: STAR-MPI, allgather pair and allgatherv pair.
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int pair(const AllgatherBase &args) {
  Messages messages(args);
  copyBlock(args.own(), args.recvBlock(args.rank));
  for (int step = 1; step < args.size; ++step) {
    const int peer = args.rank ^ step;
    messages.sendrecv(args.own(), peer, args.recvBlock(peer), peer);
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
