// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root asks one rank after the other: its block comes in two parts, the second after the
/// root's signal, so that the root is not flooded with long messages. Cost: n - 1 times: one empty
/// message and two of b bytes together. Source: Open MPI 4.1, coll_base_gather (linear with
/// synchronisation).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/gather/Gather.h"

#include <algorithm>

namespace gnomon::coll::gather {

int linearSync(const GatherArgs &args) {
  constexpr int64_t FirstPartBytes = 1024;
  Messages messages(args);
  const int64_t block = args.blockBytes(), first = std::min(block, FirstPartBytes);
  if (args.rank != args.root) {
    Packed data(const_cast<void *>(args.send), args.sendCount, *args.sendType);
    data.pack();
    messages.await(args.root);
    messages.send(Messages::bytes(static_cast<const char *>(data.bytes()), first), args.root);
    messages.send(Messages::bytes(static_cast<const char *>(data.bytes()) + first, block - first),
                  args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r) {
    const Block target = args.recvBlock(r);
    if (r == args.root) {
      if (!inPlace(args.send))
        copyBlock({args.send, args.sendCount, args.sendType}, target);
      continue;
    }
    Packed data(target.data, target.count, *target.type);
    messages.irecv(Messages::bytes(data.bytes(), first), r);
    messages.signal(r);
    messages.irecv(Messages::bytes(data.bytes() + first, block - first), r);
    messages.waitAll();
    data.unpack();
  }
  return messages.result();
}

} // namespace gnomon::coll::gather
