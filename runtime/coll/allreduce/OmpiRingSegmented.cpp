// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// As ompi_ring, but the blocks go around in the first lap in segments (1 MiB, if not told
/// otherwise), a lap for each. Vectors of less than n segments go by ompi_ring.
/// Cost: (s + 1) (n - 1) rounds for s segments a block; 2 (n - 1) B bytes in all.
/// Source: Open MPI 4.1, coll_base_allreduce (ring_segmented).
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"
#include "coll/allreduce/Around.h"

namespace gnomon::coll::allreduce {

int ringSegmented(const AllreduceArgs &args) {
  const int64_t asked = args.segment >= 0 ? args.segment : 1 << 20;
  const int64_t each = segmentElements(asked, args.type->size(), args.count);
  const int64_t round = each * args.size;
  if (args.size == 1 || args.count < round)
    return ring(args);
  const int64_t rest = args.count % round;
  const int64_t phases = args.count / round + (rest >= args.size && rest > round / 2 ? 1 : 0);
  Messages messages(args);
  Accumulator value(args, args.recv);
  const Blocks blocks(args.count, args.size);
  for (int64_t phase = 0; phase < phases; ++phase)
    reduceAround(messages, args, value, [&](int block) {
      const Blocks segments(blocks.size(block), phases);
      return Piece{blocks.offset(block) + segments.offset(phase), segments.size(phase)};
    });
  gatherAround(messages, args, value, blocks);
  return messages.result();
}

} // namespace gnomon::coll::allreduce
