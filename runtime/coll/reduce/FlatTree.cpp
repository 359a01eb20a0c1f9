// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All send to the root, which adds the operands from the last rank's down to the first's: a strict
/// order of ranks.
/// Cost: n - 1 messages of B bytes, all at the root; n - 1 operations of B bytes there.
/// Source: STAR-MPI, reduce flat_tree; Open MPI 4.1, basic linear.
#include "coll/Reduction.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

int flatTree(const ReduceArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  if (args.rank != args.root) {
    messages.send(args.input(), args.count, type, args.root);
    return messages.result();
  }
  TypedScratch saved(inPlace(args.send) ? args.count : 0, type), incoming(args.count, type);
  const void *own = args.send;
  if (inPlace(args.send)) {
    mpi::copyTyped(args.recv, args.count, type, saved.data(), args.count, type);
    own = saved.data();
  }
  if (args.root == args.size - 1)
    mpi::copyTyped(own, args.count, type, args.recv, args.count, type);
  else
    messages.recv(args.recv, args.count, type, args.size - 1);
  for (int r = args.size - 2; r >= 0; --r) {
    if (r != args.root)
      messages.recv(incoming.data(), args.count, type, r);
    args.op->apply(r == args.root ? own : incoming.data(), args.recv, args.count, type);
  }
  return messages.result();
}

} // namespace gnomon::coll::reduce
