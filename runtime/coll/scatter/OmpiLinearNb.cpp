// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The root starts all sends at once, then waits for them. Also MPI_Scatterv's; ranks without data
/// get nothing.
/// Cost: n - 1 messages of b bytes, all from the root, together.
/// Source: Open MPI 4.1, coll_base_scatter.
#include "coll/scatter/Linear.h"
#include "coll/scatter/Scatter.h"

namespace gnomon::coll::scatter {

int linearNonblocking(const ScatterArgs &args) {
  return linear(
      args, [](Messages &messages, ConstBlock block, int dest) { messages.isend(block, dest); });
}

} // namespace gnomon::coll::scatter
