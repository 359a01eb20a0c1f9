// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recursive doubling: after folding onto a power of two, ranks exchange whole partial results with
/// rank xor 2^k. Keeps the order of ranks, so the op need not commute.
/// Cost: log2 p (+2 when n is not a power of two p) rounds; p log2 p + 2 (n - p) messages of B
/// bytes: for short vectors.
/// Source: MPICH, allreduce_intra_recursive_doubling.
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"

namespace gnomon::coll::allreduce {

int recursiveDoubling(const AllreduceArgs &args) {
  Messages messages(args);
  Accumulator value(args, args.recv);
  const Fold fold(args);
  fold.enter(messages, value);
  if (fold.dropsOut()) {
    messages.recv(args.recv, args.count, *args.type, args.rank + 1);
    return messages.result();
  }
  for (int mask = 1; mask < fold.p; mask *= 2) {
    const int partner = fold.place ^ mask, peer = fold.rankAt(partner);
    messages.sendrecv(value.out(), peer, value.in(), peer);
    if (partner < fold.place)
      value.fromLower();
    else
      value.fromHigher();
  }
  if (fold.isPaired())
    messages.send(value.out(), args.rank - 1);
  value.finish();
  return messages.result();
}

} // namespace gnomon::coll::allreduce
