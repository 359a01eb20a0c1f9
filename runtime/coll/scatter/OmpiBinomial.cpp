// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree rooted at the root: a rank gets its whole subtree's blocks, in order of relative
/// rank, and sends each child its share, the largest subtree first.
/// Cost: ceil(log2 n) rounds; n - 1 messages; b n / 2 bytes in the longest (n a power of two).
/// Source: Open MPI 4.1, coll_base_scatter (binomial); MPICH, scatter_intra_binomial.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/scatter/Scatter.h"

#include <algorithm>

namespace gnomon::coll::scatter {

/// Sends the blocks of relative ranks [first, first + count) from the root to the first of them.
static void deal(Messages &messages, const ScatterArgs &args, int first, int count, int64_t block) {
  const int n = args.size, start = (args.root + first) % n;
  if (args.sendType->contiguous() && start + count <= n) {
    messages.send({args.sendBlock(start).data, count * args.sendCount, args.sendType}, start);
    return;
  }
  Scratch bytes(count * block);
  for (int i = 0; i < count; ++i)
    copyBlock(args.sendBlock((start + i) % n), Messages::bytes(bytes.data() + i * block, block));
  messages.send(Messages::bytes(static_cast<const char *>(bytes.data()), count * block), start);
}

int binomial(const ScatterArgs &args) {
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const int64_t block = args.blockBytes();
  int mask = 1;
  while (mask < n && !(relative & mask))
    mask *= 2;
  if (relative == 0) {
    for (mask /= 2; mask > 0; mask /= 2)
      deal(messages, args, mask, std::min(mask, n - mask), block);
    if (!inPlace(args.recv))
      copyBlock(args.sendBlock(args.rank), {args.recv, args.recvCount, args.recvType});
    return messages.result();
  }
  const int parent = (args.rank - mask + n) % n, subtree = std::min(mask, n - relative);
  if (subtree == 1) {
    messages.recv(args.recv, args.recvCount, *args.recvType, parent);
    return messages.result();
  }
  Scratch bytes(subtree * block);
  messages.recv(Messages::bytes(bytes.data(), subtree * block), parent);
  for (int child = mask / 2; child > 0; child /= 2)
    if (child < subtree)
      messages.send(Messages::bytes(static_cast<const char *>(bytes.data()) + child * block,
                                    std::min(child, subtree - child) * block),
                    (args.rank + child) % n);
  mpi::unpackBytes(bytes.data(), block, args.recv, args.recvCount, *args.recvType);
  return messages.result();
}

} // namespace gnomon::coll::scatter
