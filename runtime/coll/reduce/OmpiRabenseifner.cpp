// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rabenseifner's reduce as Open MPI cuts it: at each step of the halving the lower half of a
/// window is count / 2 elements; ranks beyond a power of two p share the first addition with their
/// partner and drop out. Then the pieces go to the root up a binomial tree. The op must commute;
/// needs an element for each of p ranks.
/// Cost: 2 log2 p (+2) rounds; about 2 B bytes through each rank.
/// Source: Open MPI 4.1, coll_base_reduce (redscat_gather).
#include "coll/Reduction.h"
#include "coll/reduce/GatherUp.h"
#include "coll/reduce/Reduce.h"
#include "coll/tree/Windows.h"

namespace gnomon::coll::reduce {

int ompiRabenseifner(const ReduceArgs &args) {
  Messages messages(args);
  Accumulator value(args, args.rank == args.root ? args.recv : nullptr);
  const Windows windows(args, args.count);
  windows.enter(messages, args, value);
  windows.halve(messages, args, value);
  gatherUp(messages, args, windows, value.value());
  return messages.result();
}

} // namespace gnomon::coll::reduce
