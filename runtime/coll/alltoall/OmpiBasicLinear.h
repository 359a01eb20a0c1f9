// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank starts all its receives and sends at once, in the order of ranks, then waits for them;
/// MPI_Alltoallw leaves out empty blocks.
/// Cost: one round of n (n - 1) messages of b bytes.
/// Source: Open MPI 4.1, coll_base_alltoallv (basic linear) and coll_basic_alltoallw.
#pragma once

#include "coll/Messages.h"

#include <type_traits>

namespace gnomon::coll::alltoall {

template <class Args> int linearInOrder(const Args &args) {
  constexpr bool LeavesOutEmpty = std::is_same_v<Args, AlltoallwArgs>;
  Messages messages(args);
  copyBlock(args.sendBlock(args.rank), args.recvBlock(args.rank));
  for (int r = 0; r < args.size; ++r)
    if (const Block block = args.recvBlock(r);
        r != args.rank && (!LeavesOutEmpty || block.bytes() > 0))
      messages.irecv(block, r);
  for (int r = 0; r < args.size; ++r)
    if (const ConstBlock block = args.sendBlock(r);
        r != args.rank && (!LeavesOutEmpty || block.bytes() > 0))
      messages.isend(block, r);
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::alltoall
