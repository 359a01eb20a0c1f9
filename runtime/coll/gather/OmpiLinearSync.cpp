// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root asks one rank after the other: a block comes in two parts, and the root asks the next
/// rank once it has the first part, so that it is not flooded with long messages. The first part is
/// of 1 KiB, of 32 KiB for blocks above 92160 B, if not told otherwise (Open MPI's older decision,
/// which SMPI keeps); with segment=0 it is all, and the second is empty.
/// Cost: n - 1 times: one empty message and two of b bytes together.
/// Source: Open MPI 4.1, coll_base_gather (linear with synchronisation).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/gather/Gather.h"
#include "coll/tree/Segments.h"

#include <deque>

namespace gnomon::coll::gather {

namespace {

/// Bytes of the first part of a block.
int64_t firstPart(const GatherArgs &args) {
  const Units units = args.rank == args.root ? Units(args.recvCount, *args.recvType)
                                             : Units(args.sendCount, *args.sendType);
  constexpr int64_t Large = 92160;
  const int64_t own = args.blockBytes() > Large ? 32768 : 1024;
  const int64_t segment = args.segment >= 0 ? args.segment : own;
  return segmentElements(segment, units.bytes, units.count) * units.bytes;
}

} // namespace

int linearSync(const GatherArgs &args) {
  Messages messages(args), rest(args);
  const int64_t block = args.blockBytes(), first = firstPart(args);
  if (args.rank != args.root) {
    Packed data(const_cast<void *>(args.send), args.sendCount, *args.sendType);
    data.pack();
    messages.await(args.root);
    messages.send(Messages::bytes(static_cast<const char *>(data.bytes()), first), args.root);
    messages.send(Messages::bytes(static_cast<const char *>(data.bytes()) + first, block - first),
                  args.root);
    return messages.result();
  }
  std::deque<Packed> blocks;
  for (int r = 0; r < args.size; ++r) {
    const Block target = args.recvBlock(r);
    if (r == args.root) {
      if (!inPlace(args.send))
        copyBlock({args.send, args.sendCount, args.sendType}, target);
      continue;
    }
    const Packed &data = blocks.emplace_back(target.data, target.count, *target.type);
    messages.irecv(Messages::bytes(data.bytes(), first), r);
    messages.signal(r);
    rest.irecv(Messages::bytes(data.bytes() + first, block - first), r);
    messages.waitAll();
  }
  rest.waitAll();
  for (Packed &data : blocks)
    data.unpack();
  return messages.result() ? messages.result() : rest.result();
}

} // namespace gnomon::coll::gather
