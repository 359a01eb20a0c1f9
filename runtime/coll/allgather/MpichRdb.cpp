// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recursive doubling of packed blocks: in step k ranks exchange all that they have with rank xor
/// 2^k. Needs a power of two of ranks.
/// Cost: log2 n rounds; n log2 n messages; (n - 1) B bytes in all.
/// Source: MPICH, allgatherv_intra_recursive_doubling.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/allgather/Allgather.h"

namespace gnomon::coll::allgather {

int packedRecursiveDoubling(const AllgatherBase &args) {
  Messages messages(args);
  const int n = args.size;
  std::vector<int64_t> offsets(static_cast<size_t>(n) + 1);
  for (int r = 0; r < n; ++r)
    offsets[static_cast<size_t>(r) + 1] =
        offsets[static_cast<size_t>(r)] + args.recvBlock(r).bytes();
  Scratch all(offsets.back());
  auto range = [&](int first, int count) {
    const int64_t from = offsets[static_cast<size_t>(first)];
    return Messages::bytes(all.data() + from, offsets[static_cast<size_t>(first + count)] - from);
  };
  const ConstBlock own = args.own();
  const Block place = range(args.rank, 1);
  mpi::packBytes(own.data, own.count, *own.type, place.data, place.count);
  for (int mask = 1; mask < n; mask *= 2) {
    const int peer = args.rank ^ mask, mine = args.rank & ~(mask - 1);
    const Block out = range(mine, mask);
    messages.sendrecv({out.data, out.count, out.type}, peer, range(mine ^ mask, mask), peer);
  }
  for (int r = 0; r < n; ++r) {
    const Block from = range(r, 1), to = args.recvBlock(r);
    mpi::unpackBytes(from.data, from.count, to.data, to.count, *to.type);
  }
  return messages.result();
}

} // namespace gnomon::coll::allgather
