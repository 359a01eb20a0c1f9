// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All send to the root, which receives in the order of ranks. Also MPI_Gatherv's; ranks without
/// data send nothing.
/// Cost: n - 1 messages of b bytes, all at the root.
/// Source: Open MPI 4.1, coll_base_gather (basic linear).
#include "coll/Messages.h"
#include "coll/gather/Gather.h"

namespace gnomon::coll::gather {

int basicLinear(const GatherArgs &args) {
  Messages messages(args);
  if (args.rank != args.root) {
    if (args.sendCount * args.sendType->size() > 0)
      messages.send(args.send, args.sendCount, *args.sendType, args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    if (r == args.root && !inPlace(args.send))
      copyBlock({args.send, args.sendCount, args.sendType}, block);
    else if (r != args.root && block.bytes() > 0)
      messages.recv(block, r);
  }
  return messages.result();
}

} // namespace gnomon::coll::gather
