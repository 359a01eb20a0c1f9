// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A reduce-scatter goes around the ring, the receive of the next block posted while the last one
/// is added and passed on; then an allgather. Blocks differ by an element at most. The op must
/// commute; needs an element for each rank.
/// Cost: 2 (n - 1) rounds; 2 n (n - 1) messages of about B / n bytes.
/// Source: Open MPI 4.1, coll_base_allreduce (ring).
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"
#include "coll/allreduce/Around.h"

namespace gnomon::coll::allreduce {

int ring(const AllreduceArgs &args) {
  if (args.size == 1)
    return recursiveDoubling(args);
  Messages messages(args);
  Accumulator value(args, args.recv);
  const Blocks blocks(args.count, args.size);
  reduceAround(messages, args, value,
               [&](int block) { return Piece{blocks.offset(block), blocks.size(block)}; });
  gatherAround(messages, args, value, blocks);
  return messages.result();
}

} // namespace gnomon::coll::allreduce
