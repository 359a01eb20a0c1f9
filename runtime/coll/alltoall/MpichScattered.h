// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank starts its receives and sends in batches of 32 peers, beginning with itself and its
/// neighbours, and waits for each batch. MPI_Alltoallv and MPI_Alltoallw leave out empty blocks.
/// Cost: ceil(n / 32) rounds; n (n - 1) messages of b bytes.
/// Source: MPICH, alltoall_intra_scattered and those of alltoallv and alltoallw.
#pragma once

#include "coll/Messages.h"

#include <algorithm>

namespace gnomon::coll::alltoall {

template <class Args> int scattered(const Args &args) {
  constexpr int Batch = 32;
  Messages messages(args);
  const int n = args.size;
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int first = 0; first < n; first += Batch) {
    const int end = std::min(n, first + Batch);
    for (int distance = std::max(first, 1); distance < end; ++distance) {
      const int source = (args.rank + distance) % n;
      if (const Block block = args.recvBlock(source); block.bytes() > 0)
        messages.irecv(block, source);
    }
    for (int distance = std::max(first, 1); distance < end; ++distance) {
      const int dest = (args.rank - distance + n) % n;
      if (const ConstBlock block = args.sendBlock(dest); block.bytes() > 0)
        messages.isend(block, dest);
    }
    messages.waitAll();
  }
  return messages.result();
}

} // namespace gnomon::coll::alltoall
