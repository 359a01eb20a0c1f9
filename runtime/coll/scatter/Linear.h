// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the linear scatters share: a message from the root to each rank that gets data.
#pragma once

#include "coll/Messages.h"

namespace gnomon::coll::scatter {

/// \p send is told the operation's messages, a block and whom it is for.
template <class Send> int linear(const ScatterArgs &args, Send send) {
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
      send(messages, block, r);
  }
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::scatter
