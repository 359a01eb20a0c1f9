// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two laps of Open MPI's rings: in the first each block collects all operands on its way
/// around, in the second the results go around.
#pragma once

#include "coll/Reduction.h"
#include "coll/tree/Segments.h"

namespace gnomon::coll::allreduce {

struct Piece {
  int64_t first, count; ///< elements
};

/// Leaves with each rank the sum of the piece of block rank + 1. \p pieceOf(block): what of that
/// block goes around.
template <class PieceOf>
void reduceAround(Messages &messages, const AllreduceArgs &args, Accumulator &value,
                  PieceOf pieceOf) {
  const Datatype &type = *args.type;
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  auto block = [&](void *data, int number) {
    const Piece piece = pieceOf(number);
    return Block{at(data, piece.first, type), piece.count, &type};
  };
  messages.irecv(block(value.incoming(), left), left);
  for (int step = 0; step < n - 1; ++step) {
    const Block out = block(value.value(), (args.rank - step + n) % n);
    messages.send(out.data, out.count, type, right);
    const int arriving = (args.rank - step - 1 + n) % n;
    if (step + 2 < n)
      messages.irecv(block(value.incoming(), (arriving - 1 + n) % n), left);
    messages.waitFirst();
    const Block in = block(value.incoming(), arriving);
    args.op->apply(in.data, block(value.value(), arriving).data, in.count, type);
  }
}

inline void gatherAround(Messages &messages, const AllreduceArgs &args, Accumulator &value,
                         const Blocks &blocks) {
  const Datatype &type = *args.type;
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  auto block = [&](int number) {
    return Block{at(value.value(), blocks.offset(number), type), blocks.size(number), &type};
  };
  for (int step = 0; step < n - 1; ++step) {
    const Block out = block((args.rank + 1 - step + n) % n);
    messages.sendrecv({out.data, out.count, &type}, right, block((args.rank - step + n) % n), left);
  }
}

} // namespace gnomon::coll::allreduce
