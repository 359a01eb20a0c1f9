// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root starts all sends at once, then waits for them. Also MPI_Scatterv's.
/// Cost: n - 1 messages of b bytes, all from the root, together.
/// Source: Open MPI 4.1, coll_base_scatter.
#include "coll/Messages.h"
#include "coll/scatter/Scatter.h"

namespace gnomon::coll::scatter {

int linearNonblocking(const ScatterArgs &args) {
  Messages messages(args);
  if (args.rank != args.root) {
    messages.recv(args.recv, args.recvCount, *args.recvType, args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r) {
    if (r != args.root)
      messages.isend(args.sendBlock(r), r);
    else if (!inPlace(args.recv))
      copyBlock(args.sendBlock(r), {args.recv, args.recvCount, args.recvType});
  }
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::scatter
