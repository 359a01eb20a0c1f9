// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By host: a barrier within each host, one among the hosts' leaders, and a broadcast of a byte
/// within each host.
/// Cost: that of the three, whose algorithms the selector chooses.
/// Source: MPICH, barrier_intra_smp.
#include "coll/Messages.h"
#include "coll/Nodes.h"
#include "coll/Selection.h"
#include "coll/barrier/Barrier.h"

namespace gnomon::coll::barrier {

int smp(const BarrierArgs &args) {
  const auto nodes = nodesOf(args);
  const int node = nodes->node[static_cast<size_t>(args.rank)];
  const std::vector<int> &near = nodes->members[static_cast<size_t>(node)];
  const int place = nodes->within(args.rank);
  const BarrierArgs here = among(args, near, place);
  int error = 0;
  auto keep = [&](int next) { error = error ? error : next; };
  if (near.size() > 1)
    keep(run(here));
  if (place == 0 && nodes->leaders.size() > 1)
    keep(run(among(args, nodes->leaders, node)));
  char signal = 0;
  if (near.size() > 1)
    keep(run(BcastArgs{here, &signal, 1, &Messages::byte(), 0}));
  return error;
}

} // namespace gnomon::coll::barrier
