// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root sends each rank its block, one after the other. Also MPI_Scatterv's; ranks without data
/// get nothing.
/// Cost: n - 1 messages of b bytes, all from the root, in sequence.
/// Source: Open MPI 4.1, coll_base_scatter.
#include "coll/scatter/Linear.h"
#include "coll/scatter/Scatter.h"

namespace gnomon::coll::scatter {

int basicLinear(const ScatterArgs &args) {
  return linear(args,
                [](Messages &messages, ConstBlock block, int dest) { messages.send(block, dest); });
}

} // namespace gnomon::coll::scatter
