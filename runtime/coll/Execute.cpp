// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What happens around the algorithm of a collective.
#include "coll/Execute.h"

#include "coll/Scratch.h"
#include "coll/Selection.h"

#include <algorithm>
#include <limits>

namespace gnomon::coll {

namespace {

// Whether an operation moves nothing: all ranks find the same, for their signatures agree.
bool isEmpty(const BcastArgs &args) { return args.bytes() == 0; }
bool isEmpty(const ReductionArgs &args) { return args.count == 0; }
bool isEmpty(const ReduceScatterArgs &args) { return args.total() == 0; }
bool isEmpty(const GatherArgs &args) { return !args.counts && args.blockBytes() == 0; }
bool isEmpty(const ScatterArgs &args) { return !args.counts && args.blockBytes() == 0; }
bool isEmpty(const AllgatherBase &args) { return args.totalBytes() == 0; }
bool isEmpty(const AlltoallArgs &args) { return args.blockBytes() == 0; }
// A rank of these may have nothing to say, but it cannot know of the others.
bool isEmpty(const BarrierArgs &) { return false; }
bool isEmpty(const GathervArgs &) { return false; }
bool isEmpty(const ScattervArgs &) { return false; }
bool isEmpty(const AlltoallvArgs &) { return false; }
bool isEmpty(const AlltoallwArgs &) { return false; }
bool isEmpty(const NeighborArgs &) { return false; }

/// A total exchange whose input is in the receive buffer.
template <class Args> int runFromCopy(Args args) {
  intptr_t low = std::numeric_limits<intptr_t>::max(), high = std::numeric_limits<intptr_t>::min();
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    if (block.bytes() == 0)
      continue;
    const intptr_t first = reinterpret_cast<intptr_t>(block.data) + block.type->trueLowerBound();
    const intptr_t span = (block.count - 1) * block.type->extent();
    low = std::min(low, first + std::min<intptr_t>(0, span));
    high = std::max(high, first + std::max<intptr_t>(0, span) + block.type->trueExtent());
  }
  Scratch copy(low < high ? high - low : 0);
  const intptr_t moved = low < high ? reinterpret_cast<intptr_t>(copy.data()) - low : 0;
  args.fromReceived = true;
  args.send = reinterpret_cast<const void *>(reinterpret_cast<intptr_t>(args.recv) + moved);
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    const ConstBlock target = args.sendBlock(r);
    mpi::copyTyped(block.data, block.count, *block.type, const_cast<void *>(target.data),
                   target.count, *target.type);
  }
  return run(args);
}

int runInPlace(AlltoallArgs args) {
  args.sendCount = args.recvCount;
  args.sendType = args.recvType;
  return runFromCopy(args);
}
int runInPlace(AlltoallvArgs args) {
  args.sendCounts = args.recvCounts;
  args.sendDisplacements = args.recvDisplacements;
  args.sendType = args.recvType;
  return runFromCopy(args);
}
int runInPlace(AlltoallwArgs args) {
  args.sendCounts = args.recvCounts;
  args.sendDisplacements = args.recvDisplacements;
  args.sendTypes = args.recvTypes;
  return runFromCopy(args);
}

} // namespace

template <class Args> int execute(const Args &args) {
  if (isEmpty(args))
    return 0;
  if constexpr (requires { runInPlace(args); })
    if (inPlace(args.send))
      return runInPlace(args);
  return run(args);
}

template <class Args> bool endsAtOnce(const Args &args) { return isEmpty(args); }

#define GNOMON_COLLECTIVE(ARGS, NAME)                                                              \
  template int execute<ARGS>(const ARGS &args);                                                    \
  template bool endsAtOnce<ARGS>(const ARGS &args);
#include "coll/Collectives.def"

} // namespace gnomon::coll
