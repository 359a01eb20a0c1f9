// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A reduce to rank 0 and a broadcast from it: with the algorithms that the selector chooses for
/// them, or the linear ones.
/// Cost: that of the two.
/// Source: Open MPI 4.1, coll_base_allreduce (nonoverlapping, basic_linear).
#include "coll/Selection.h"
#include "coll/allreduce/Allreduce.h"
#include "coll/bcast/Bcast.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::allreduce {

/// Each rank's part of the reduce to rank 0.
static ReduceArgs toFirst(const AllreduceArgs &args) {
  ReduceArgs reduction{args, 0};
  if (args.rank != 0 && inPlace(args.send))
    reduction.send = args.recv; // MPI_IN_PLACE means the root's buffer in a reduce
  return reduction;
}
static BcastArgs fromFirst(const AllreduceArgs &args) {
  return {args, args.recv, args.count, args.type, 0};
}

int nonoverlapping(const AllreduceArgs &args) {
  const int error = run(toFirst(args)), bcastError = run(fromFirst(args));
  return error ? error : bcastError;
}

int basicLinear(const AllreduceArgs &args) {
  const int error = reduce::flatTree(toFirst(args));
  const int bcastError = bcast::flatTree(fromFirst(args));
  return error ? error : bcastError;
}

} // namespace gnomon::coll::allreduce
