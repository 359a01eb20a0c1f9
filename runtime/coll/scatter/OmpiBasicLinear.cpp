// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root sends each rank its block, one after the other. Also MPI_Scatterv's; ranks without data
/// get nothing.
/// Cost: n - 1 messages of b bytes, all from the root, in sequence.
/// Source: Open MPI 4.1, coll_base_scatter.
#include "coll/Messages.h"
#include "coll/scatter/Scatter.h"

namespace gnomon::coll::scatter {

int basicLinear(const ScatterArgs &args) {
  Messages messages(args);
  if (args.rank != args.root) {
    if (args.recvCount * args.recvType->size() > 0)
      messages.recv(args.recv, args.recvCount, *args.recvType, args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r) {
    const ConstBlock block = args.sendBlock(r);
    if (r == args.root && !inPlace(args.recv))
      copyBlock(block, {args.recv, args.recvCount, args.recvType});
    else if (r != args.root && block.bytes() > 0)
      messages.send(block, r);
  }
  return messages.result();
}

} // namespace gnomon::coll::scatter
