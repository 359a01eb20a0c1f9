// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root sends to all others at once.
/// Cost: n - 1 messages of B bytes, all from the root.
/// Source: STAR-MPI, bcast flattree.
#include "coll/Messages.h"
#include "coll/bcast/Bcast.h"

namespace gnomon::coll::bcast {

int flatTree(const BcastArgs &args) {
  Messages messages(args);
  if (args.rank != args.root) {
    messages.recv(args.buffer, args.count, *args.type, args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r)
    if (r != args.root)
      messages.isend({args.buffer, args.count, args.type}, r);
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::bcast
