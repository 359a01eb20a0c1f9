// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recursive halving that keeps the order of ranks: neighbours first, over blocks that have been
/// put in the order of their mirrored numbers, so that each rank is left with its own. Needs a
/// power of two of ranks and equal blocks.
/// Cost: log2 n rounds; B (n - 1) / n bytes from each rank.
/// Source: Bernaschi, Iannello, Lauria 2003; MPICH, reduce_scatter_intra_noncommutative; Open MPI
/// 4.1, coll_base_reduce_scatter_block (butterfly on a power of two).
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int noncommutative(const ReduceScatterArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  const int n = args.size;
  const int64_t block = args.countOf(0);
  TypedScratch first(n * block, type), second(n * block, type);
  void *value = first.data(), *incoming = second.data();
  for (int r = 0; r < n; ++r)
    mpi::copyTyped(at(args.input(), r * block, type), block, type,
                   at(value, mirrored(r, n) * block, type), block, type);
  int64_t start = 0, count = n * block;
  for (int mask = 1; mask < n; mask *= 2) {
    const int peer = args.rank ^ mask;
    count /= 2;
    const int64_t keep = args.rank & mask ? start + count : start;
    const int64_t give = args.rank & mask ? start : start + count;
    messages.sendrecv({at(value, give, type), count, &type}, peer,
                      {at(incoming, keep, type), count, &type}, peer);
    if (peer < args.rank) {
      args.op->apply(at(incoming, keep, type), at(value, keep, type), count, type);
    } else {
      args.op->apply(at(value, keep, type), at(incoming, keep, type), count, type);
      std::swap(value, incoming);
    }
    start = keep;
  }
  copyBlock({at(value, start, type), block, &type}, {args.recv, block, &type});
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
