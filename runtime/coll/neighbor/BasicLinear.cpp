// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank starts all its receives, then all its sends, then waits for them.
/// Cost: one round; a message along each edge.
/// Source: Open MPI 4.1, coll_basic_neighbor_*.
///
/// Several edges between the same two ranks are told apart by the order of their messages, which is
/// that of the destinations, so receives are posted in that order: that of the sources of a graph;
/// in a grid the other way round within each dimension, for what is sent down comes from above (in
/// a periodic dimension of one or two ranks both are the same rank; MPI 4.1, figure 8.2).
#include "coll/Messages.h"
#include "coll/neighbor/Neighbor.h"

namespace gnomon::coll::neighbor {

int basicLinear(const NeighborArgs &args) {
  Messages messages(args);
  for (size_t i = 0; i < args.sources.size(); ++i) {
    const size_t slot = args.grid ? i ^ 1 : i;
    if (args.sources[slot] >= 0)
      messages.irecv(args.in[slot], args.sources[slot]);
  }
  for (size_t i = 0; i < args.destinations.size(); ++i)
    if (args.destinations[i] >= 0)
      messages.isend(args.out[i], args.destinations[i]);
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll::neighbor
