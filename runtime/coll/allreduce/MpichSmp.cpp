// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By host: a reduce within each host to its leader, an allreduce among the leaders, a broadcast
/// within each host. The op must commute.
/// Cost: that of the three, whose algorithms the selector chooses.
/// Source: MPICH, allreduce_intra_smp.
#include "coll/Nodes.h"
#include "coll/Scratch.h"
#include "coll/Selection.h"
#include "coll/allreduce/Allreduce.h"

namespace gnomon::coll::allreduce {

int smp(const AllreduceArgs &args) {
  const auto nodes = nodesOf(args);
  const int node = nodes->node[static_cast<size_t>(args.rank)];
  const std::vector<int> &near = nodes->members[static_cast<size_t>(node)];
  const int place = nodes->within(args.rank);
  const AllreduceArgs here = among(args, near, place);
  const void *const ownBuffer = reinterpret_cast<const void *>(uintptr_t{1}); // MPI_IN_PLACE
  int error = 0;
  auto keep = [&](int next) { error = error ? error : next; };
  if (near.size() > 1) {
    ReduceArgs reduction{here, 0};
    if (place != 0)
      reduction.send = args.input();
    keep(run(reduction));
  }
  if (place == 0 && nodes->leaders.size() > 1) {
    AllreduceArgs across = among(args, nodes->leaders, node);
    across.send = near.size() > 1 ? ownBuffer : args.send;
    keep(run(across));
  }
  if (near.size() > 1)
    keep(run(BcastArgs{here, args.recv, args.count, args.type, 0}));
  return error;
}

} // namespace gnomon::coll::allreduce
