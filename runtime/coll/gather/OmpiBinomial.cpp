// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree rooted at the root: a rank collects its subtree's blocks, in order of relative
/// rank, and passes them on. Inner ranks hold packed bytes, for only the root knows the receive
/// type.
/// Cost: ceil(log2 n) rounds; n - 1 messages; b n / 2 bytes in the longest (n a power of two).
/// Source: Open MPI 4.1, coll_base_gather (binomial).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/gather/Gather.h"

#include <algorithm>

namespace gnomon::coll::gather {

/// Receives the blocks of relative ranks [first, first + count) at the root.
static void collect(Messages &messages, const GatherArgs &args, int first, int count,
                    int64_t block) {
  const int n = args.size, start = (args.root + first) % n, child = start;
  if (args.recvType->contiguous() && start + count <= n) {
    messages.recv({args.recvBlock(start).data, count * args.recvCount, args.recvType}, child);
    return;
  }
  Scratch bytes(count * block);
  messages.recv(Messages::bytes(bytes.data(), count * block), child);
  for (int i = 0; i < count; ++i)
    copyBlock(Messages::bytes(static_cast<const char *>(bytes.data()) + i * block, block),
              args.recvBlock((start + i) % n));
}

int binomial(const GatherArgs &args) {
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const int64_t block = args.blockBytes();
  if (relative == 0) {
    if (!inPlace(args.send))
      copyBlock({args.send, args.sendCount, args.sendType}, args.recvBlock(args.rank));
    for (int mask = 1; mask < n; mask *= 2)
      collect(messages, args, mask, std::min(mask, n - mask), block);
    return messages.result();
  }
  const int mask = relative & -relative, parent = (args.rank - mask + n) % n;
  const int subtree = std::min(mask, n - relative);
  if (subtree == 1) {
    messages.send(args.send, args.sendCount, *args.sendType, parent);
    return messages.result();
  }
  Scratch bytes(subtree * block);
  mpi::packBytes(args.send, args.sendCount, *args.sendType, bytes.data(), block);
  for (int child = 1; child < subtree; child *= 2)
    messages.recv(
        Messages::bytes(bytes.data() + child * block, std::min(child, subtree - child) * block),
        (args.rank + child) % n);
  messages.send(Messages::bytes(static_cast<const char *>(bytes.data()), subtree * block), parent);
  return messages.result();
}

} // namespace gnomon::coll::gather
