// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All send to the root, which has posted all receives at once; from 32 ranks on they send
/// synchronously. Ranks without data send nothing.
/// Cost: n - 1 messages, all at the root.
/// Source: MPICH, gatherv_allcomm_linear.
#include "coll/Messages.h"
#include "coll/gather/Gather.h"

namespace gnomon::coll::gather {

int linearNonblocking(const GatherArgs &args) {
  constexpr int ManyRanks = 32;
  Messages messages(args);
  if (args.rank != args.root) {
    const ConstBlock own{args.send, args.sendCount, args.sendType};
    if (own.bytes() > 0 && args.size >= ManyRanks)
      messages.sendSynchronous(own, args.root);
    else if (own.bytes() > 0)
      messages.send(own, args.root);
    return messages.result();
  }
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    if (r == args.root && !inPlace(args.send))
      copyBlock({args.send, args.sendCount, args.sendType}, block);
    else if (r != args.root && block.bytes() > 0)
      messages.irecv(block, r);
  }
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::gather
