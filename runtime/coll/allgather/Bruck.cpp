// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank keeps blocks in the order of distance from itself: in step k it sends the first 2^k of
/// them to the rank 2^k before it and appends what comes from the rank 2^k after it. Blocks are
/// packed bytes meanwhile.
/// Cost: ceil(log2 n) rounds; n ceil(log2 n) messages; b (n - 1) bytes from each rank.
/// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997; MPICH, allgather_intra_brucks; Open MPI 4.1,
/// allgatherv (ompi_bruck).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/allgather/Allgather.h"

#include <algorithm>

namespace gnomon::coll::allgather {

int bruck(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size;
  auto blockAt = [&](int distance) { return args.recvBlock((args.rank + distance) % n); };
  Scratch bytes(args.totalBytes());
  const ConstBlock own = args.own();
  int64_t have = mpi::packBytes(own.data, own.count, *own.type, bytes.data(), own.bytes());
  for (int blocks = 1; blocks < n; blocks *= 2) {
    const int moved = std::min(blocks, n - blocks);
    int64_t out = 0, in = 0;
    for (int i = 0; i < moved; ++i) {
      out += blockAt(i).bytes();
      in += blockAt(blocks + i).bytes();
    }
    messages.sendrecv(Messages::bytes(static_cast<const char *>(bytes.data()), out),
                      (args.rank - blocks + n) % n, Messages::bytes(bytes.data() + have, in),
                      (args.rank + blocks) % n);
    have += in;
  }
  const char *from = bytes.data();
  for (int distance = 0; distance < n; ++distance) {
    const Block to = blockAt(distance);
    mpi::unpackBytes(from, to.bytes(), to.data, to.count, *to.type);
    from += to.bytes();
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
