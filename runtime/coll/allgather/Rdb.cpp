// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recursive doubling: in step k ranks exchange all that they have with rank xor 2^k. Needs a power
/// of two of ranks.
/// Cost: log2 n rounds; n log2 n messages, of b 2^k bytes in round k.
/// Source: MPICH, allgather_intra_recursive_doubling.
#include "coll/Messages.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int recursiveDoubling(const AllgatherArgs &args) {
  Messages messages(args);
  copyBlock(args.own(), args.recvBlock(args.rank));
  for (int mask = 1; mask < args.size; mask *= 2) {
    const int peer = args.rank ^ mask;
    const int mine = args.rank & ~(mask - 1), theirs = peer & ~(mask - 1);
    messages.sendrecv({args.recvBlock(mine).data, mask * args.recvCount, args.recvType}, peer,
                      {args.recvBlock(theirs).data, mask * args.recvCount, args.recvType}, peer);
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
