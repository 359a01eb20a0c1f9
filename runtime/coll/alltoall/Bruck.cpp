// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks travel by the binary digits of the distance they have to go: in step k each rank sends
/// all blocks with bit k set in one message to the rank 2^k after it. Blocks are packed bytes
/// meanwhile.
/// Cost: ceil(log2 n) rounds; n ceil(log2 n) messages of about b n / 2 bytes: for short blocks.
/// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997; MPICH, alltoall_intra_brucks.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/alltoall/Alltoall.h"

#include <cstring>

namespace gnomon::coll::alltoall {

int bruck(const AlltoallArgs &args) {
  Messages messages(args);
  const int n = args.size;
  const int64_t block = args.blockBytes();
  // Place d: the block that has to travel, or has travelled, the distance d.
  Scratch places(n * block), out(n * block), in(n * block);
  for (int d = 0; d < n; ++d)
    copyBlock(args.sendBlock((args.rank + d) % n),
              Messages::bytes(places.data() + d * block, block));
  for (int bit = 1; bit < n; bit *= 2) {
    int64_t bytes = 0;
    for (int d = bit; d < n; ++d) {
      if (d & bit) {
        std::memcpy(out.data() + bytes, places.data() + d * block, static_cast<size_t>(block));
        bytes += block;
      }
    }
    messages.sendrecv(Messages::bytes(static_cast<const char *>(out.data()), bytes),
                      (args.rank + bit) % n, Messages::bytes(in.data(), bytes),
                      (args.rank - bit + n) % n);
    const char *from = in.data();
    for (int d = bit; d < n; ++d) {
      if (d & bit) {
        std::memcpy(places.data() + d * block, from, static_cast<size_t>(block));
        from += block;
      }
    }
  }
  for (int d = 0; d < n; ++d)
    copyBlock(Messages::bytes(static_cast<const char *>(places.data()) + d * block, block),
              args.recvBlock((args.rank - d + n) % n));
  return messages.result();
}

} // namespace gnomon::coll::alltoall
