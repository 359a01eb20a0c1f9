// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rabenseifner's allreduce: reduce-scatter by recursive halving, then allgather by recursive
/// doubling, after folding onto a power of two. The op must commute.
/// Cost: 2 log2 p (+2) rounds; about 2 B bytes through each rank: for long vectors.
/// Source: Rabenseifner 2004; MPICH, allreduce_intra_reduce_scatter_allgather.
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"

namespace gnomon::coll::allreduce {

int rabenseifner(const AllreduceArgs &args) {
  Messages messages(args);
  Accumulator value(args, args.recv);
  const Fold fold(args);
  fold.enter(messages, value);
  if (fold.dropsOut()) {
    messages.recv(args.recv, args.count, *args.type, args.rank + 1);
    return messages.result();
  }
  const Halving halving(args.count, fold.p);
  halving.reduceScatter(messages, fold, fold.place, args, value);
  for (int k = halving.steps() - 1; k >= 0; --k) {
    const int partner = fold.place ^ (1 << k), peer = fold.rankAt(partner);
    const Halving::Range mine = halving.range(fold.place, k + 1);
    const Halving::Range theirs = halving.range(partner, k + 1);
    messages.sendrecv({at(value.value(), mine.first, *args.type), mine.count, args.type}, peer,
                      {at(value.value(), theirs.first, *args.type), theirs.count, args.type}, peer);
  }
  if (fold.isPaired())
    messages.send(value.out(), args.rank - 1);
  return messages.result();
}

} // namespace gnomon::coll::allreduce
