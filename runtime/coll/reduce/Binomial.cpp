// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree: each rank adds what its subtrees send and passes the sum on. An op that does
/// not commute is reduced to rank 0, in the order of ranks, and goes from there to the root.
/// Cost: ceil(log2 n) rounds; n - 1 messages of B bytes (one more when the op does not commute and
/// the root is not rank 0).
/// Source: MPICH, reduce_intra_binomial.
#include "coll/Reduction.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

int binomial(const ReduceArgs &args) {
  Messages messages(args);
  const int n = args.size, top = args.op->commutative() ? args.root : 0;
  const int relative = (args.rank - top + n) % n;
  if (relative % 2 == 1) {
    messages.send(args.input(), args.count, *args.type, (args.rank - 1 + n) % n);
  } else {
    Accumulator value(args, args.rank == args.root ? args.recv : nullptr);
    int mask = 1;
    for (; mask < n && !(relative & mask); mask *= 2) {
      if (relative + mask < n) {
        messages.recv(value.in(), (args.rank + mask) % n);
        value.fromHigher();
      }
    }
    if (relative != 0)
      messages.send(value.out(), (args.rank - mask + n) % n);
    else if (top != args.root)
      messages.send(value.out(), args.root);
    if (relative == 0)
      value.finish();
  }
  if (top != args.root && args.rank == args.root)
    messages.recv(args.recv, args.count, *args.type, top);
  return messages.result();
}

} // namespace gnomon::coll::reduce
