// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A chain from the root through all ranks; the message goes down it in segments of 128 KiB, each
/// forwarded while the next is being received. Cost: n - 2 + s rounds for s segments; n - 1 times B
/// bytes in all. Source: Open MPI 4.1, coll_base_bcast (chain with fan-out 1).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/bcast/Bcast.h"

#include <algorithm>

namespace gnomon::coll::bcast {

int pipeline(const BcastArgs &args) {
  constexpr int64_t SegmentBytes = 128 << 10;
  Packed data(args.buffer, args.count, *args.type);
  if (args.rank == args.root)
    data.pack();
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const int previous = (args.rank - 1 + n) % n, next = (args.rank + 1) % n;
  const int64_t bytes = data.size(), segments = (bytes + SegmentBytes - 1) / SegmentBytes;
  auto segment = [&](int64_t index) {
    const int64_t offset = index * SegmentBytes;
    return Messages::bytes(data.bytes() + offset, std::min(SegmentBytes, bytes - offset));
  };
  if (relative != 0 && segments > 0)
    messages.irecv(segment(0), previous);
  for (int64_t index = 0; index < segments; ++index) {
    if (relative != 0) {
      if (index + 1 < segments)
        messages.irecv(segment(index + 1), previous);
      messages.waitFirst();
    }
    const Block out = segment(index);
    if (relative != n - 1)
      messages.send(out.data, out.count, *out.type, next);
  }
  if (args.rank != args.root)
    data.unpack();
  return messages.result();
}

} // namespace gnomon::coll::bcast
