// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rabenseifner's reduce: reduce-scatter by recursive halving, then gather the pieces up a binomial
/// tree to the root. The op must commute. Cost: 2 log2 n rounds; about 2 B bytes through each rank:
/// for long vectors. 2 (n - p) more messages when n is not a power of two p. Source: Rabenseifner
/// 2004; MPICH, reduce_intra_reduce_scatter_gather.
#include "coll/Reduction.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

int scatterGather(const ReduceArgs &args) {
  Messages messages(args);
  const Fold fold(args);
  // A root that drops out of the power of two gets the result from its partner.
  const bool rootDropsOut = args.root < fold.paired && args.root % 2 == 0;
  const int collector = rootDropsOut ? args.root + 1 : args.root;
  const int collectorPlace = collector < fold.paired ? collector / 2 : collector - fold.paired / 2;
  if (fold.dropsOut()) {
    messages.send(args.input(), args.count, *args.type, args.rank + 1);
    if (args.rank == args.root)
      messages.recv(args.recv, args.count, *args.type, collector);
    return messages.result();
  }
  Accumulator value(args, args.rank == args.root ? args.recv : nullptr);
  fold.enter(messages, value);
  const Halving halving(args.count, fold.p);
  halving.reduceScatter(messages, fold, args, value);
  for (int k = halving.steps() - 1; k >= 0; --k) {
    const int partner = fold.place ^ (1 << k), peer = fold.rankAt(partner);
    if ((fold.place ^ collectorPlace) >> k & 1) {
      const Halving::Range mine = halving.range(fold.place, k + 1);
      messages.send(at(value.value(), mine.first, *args.type), mine.count, *args.type, peer);
      break;
    }
    const Halving::Range theirs = halving.range(partner, k + 1);
    messages.recv(at(value.value(), theirs.first, *args.type), theirs.count, *args.type, peer);
  }
  if (args.rank == collector && rootDropsOut)
    messages.send(value.out(), args.root);
  return messages.result();
}

} // namespace gnomon::coll::reduce
