// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial reduce to rank 0, then a binomial broadcast.
/// Cost: 2 ceil(log2 n) rounds; 2 (n - 1) messages of B bytes.
/// Source: STAR-MPI, allreduce redbcast.
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"
#include "coll/bcast/Bcast.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::allreduce {

int reduceBcast(const AllreduceArgs &args) {
  const ReduceArgs reduction{args, 0};
  ReduceArgs toFirst = reduction;
  if (args.rank != 0 && inPlace(args.send))
    toFirst.send = args.recv; // MPI_IN_PLACE means the root's buffer in a reduce
  const int error = reduce::binomial(toFirst);
  const int bcastError = bcast::binomialTree({args, args.recv, args.count, args.type, 0});
  return error ? error : bcastError;
}

} // namespace gnomon::coll::allreduce
