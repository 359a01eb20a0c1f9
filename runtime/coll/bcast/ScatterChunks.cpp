// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The binomial scatter of a broadcast's chunks (ScatterChunks.h).
/// Cost: ceil(log2 n) rounds; at most n - 1 messages; B (n - 1) / n bytes leave the root (n a power
/// of two).
/// Source: MPICH, bcast_intra_scatter helper.
#include "coll/bcast/ScatterChunks.h"
#include "coll/Messages.h"
#include "coll/bcast/Bcast.h"

namespace gnomon::coll::bcast {

int scatterChunks(const BcastArgs &args, char *data, const Chunks &chunks) {
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  int mask = 1;
  while (mask < n && !(relative & mask))
    mask *= 2;
  if (relative != 0) {
    const int64_t bytes = chunks.bytes(relative, std::min(mask, n - relative));
    if (bytes > 0)
      messages.recv(Messages::bytes(data + chunks.offset(relative), bytes),
                    (args.rank - mask + n) % n);
  }
  for (mask /= 2; mask > 0; mask /= 2) {
    const int child = relative + mask;
    const int64_t bytes = child < n ? chunks.bytes(child, std::min(mask, n - child)) : 0;
    if (bytes > 0)
      messages.send(Messages::bytes(static_cast<const char *>(data) + chunks.offset(child), bytes),
                    (args.rank + mask) % n);
  }
  return messages.result();
}

} // namespace gnomon::coll::bcast
