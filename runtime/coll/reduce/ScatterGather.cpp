// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rabenseifner's reduce: after folding onto a power of two p (each odd one of the first 2 (n - p)
/// ranks hands its vector to the even one below it), reduce-scatter by recursive halving of p
/// pieces, then gather the pieces up a binomial tree to the root. The op must commute.
/// Cost: 2 log2 p (+2) rounds; about 2 B bytes through each rank: for long vectors.
/// Source: Rabenseifner 2004; MPICH, reduce_intra_reduce_scatter_gather.
#include "coll/Reduction.h"
#include "coll/reduce/GatherUp.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

namespace {

/// The places of the p ranks, and their pieces.
class Pieces {
public:
  Pieces(const Call &call, int64_t count)
      : p_(floorPowerOfTwo(call.size)), extra_(call.size - p_), rank_(call.rank),
        halving_(count, p_) {}
  int steps() const { return halving_.steps(); }
  int place() const { return placeOf(rank_); }
  int placeOf(int rank) const {
    return rank >= 2 * extra_ ? rank - extra_ : rank % 2 ? -1 : rank / 2;
  }
  int rankAt(int place) const { return place < extra_ ? 2 * place : place + extra_; }
  bool isPaired() const { return rank_ < 2 * extra_; }
  Halving::Range window(int place, int steps) const { return halving_.range(place, steps); }
  const Halving &halving() const { return halving_; }

private:
  int p_, extra_, rank_;
  Halving halving_;
};

} // namespace

int scatterGather(const ReduceArgs &args) {
  Messages messages(args);
  const Pieces pieces(args, args.count);
  Accumulator value(args, args.rank == args.root ? args.recv : nullptr);
  if (pieces.isPaired() && pieces.place() < 0) {
    messages.send(value.out(), args.rank - 1);
  } else if (pieces.isPaired()) {
    messages.recv(value.in(), args.rank + 1);
    value.fromHigher();
  }
  if (pieces.place() >= 0)
    pieces.halving().reduceScatter(messages, pieces, pieces.place(), args, value);
  gatherUp(messages, args, pieces, value.value());
  return messages.result();
}

} // namespace gnomon::coll::reduce
