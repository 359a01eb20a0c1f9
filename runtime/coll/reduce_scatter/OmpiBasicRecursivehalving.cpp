// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// After folding onto a power of two p, ranks exchange halves of the blocks that they still work on
/// with rank xor p/2, p/4, …; folded ranks get their block at the end. The op must commute.
/// Cost: log2 p (+2) rounds; about B bytes from each rank: for short vectors.
/// Source: MPICH, reduce_scatter_intra_recursive_halving; Open MPI 4.1.
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int recursiveHalving(const ReduceScatterArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  const std::vector<int64_t> offsets = blockOffsets(args);
  const int64_t total = offsets.back(), own = args.countOf(args.rank);
  const Fold fold(args);
  if (fold.dropsOut()) {
    messages.send(args.input(), total, type, args.rank + 1);
    messages.recv(args.recv, own, type, args.rank + 1);
    return messages.result();
  }
  const ReductionArgs whole{args, args.input(), nullptr, total, args.type, args.op};
  Accumulator value(whole, nullptr);
  fold.enter(messages, value);
  // The place p stands for its rank's block, and its folded partner's below it.
  auto start = [&](int place) {
    const int last = place == fold.p ? args.size : fold.rankAt(place);
    return offsets[static_cast<size_t>(last - (last < fold.paired ? 1 : 0))];
  };
  int low = 0, high = fold.p;
  for (int mask = fold.p / 2; mask > 0; mask /= 2) {
    const int middle = low + mask, peer = fold.rankAt(fold.place ^ mask);
    const bool upper = fold.place & mask;
    const int64_t a = start(low), b = start(middle), c = start(high);
    const int64_t keep = upper ? b : a, kept = upper ? c - b : b - a;
    const int64_t give = upper ? a : b, given = upper ? b - a : c - b;
    char *incoming = at(value.incoming(), keep, type);
    messages.sendrecv({at(value.value(), give, type), given, &type}, peer, {incoming, kept, &type},
                      peer);
    args.op->apply(incoming, at(value.value(), keep, type), kept, type);
    (upper ? low : high) = middle;
  }
  auto result = [&](int r) { return at(value.value(), offsets[static_cast<size_t>(r)], type); };
  if (fold.isPaired())
    messages.send(result(args.rank - 1), args.countOf(args.rank - 1), type, args.rank - 1);
  copyBlock({result(args.rank), own, &type}, {args.recv, own, &type});
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
