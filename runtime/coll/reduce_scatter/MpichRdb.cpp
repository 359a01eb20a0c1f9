// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Recursive doubling: in step k ranks exchange, with rank xor 2^k, what they have of all blocks
/// but those of their own group of 2^k; where the number of ranks is no power of two, ranks without
/// a partner get it from within their own half. Keeps the order of ranks, so the op need not
/// commute.
/// Cost: ceil(log2 n) rounds and up to as many more; about B (log2 n - 1) bytes from each rank.
/// Source: MPICH, reduce_scatter_intra_recursive_doubling; Open MPI 4.1,
/// coll_base_reduce_scatter_block (recursive doubling).
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

#include <algorithm>

namespace gnomon::coll::reduce_scatter {

namespace {

/// All elements but those of the ranks [first, first + count): two pieces, before and after.
struct Others {
  int64_t low, high, total;
  Others(const std::vector<int64_t> &offsets, int n, int first, int count)
      : low(offsets[static_cast<size_t>(std::min(first, n))]),
        high(offsets[static_cast<size_t>(std::min(first + count, n))]),
        total(offsets[static_cast<size_t>(n)]) {}
  int64_t count() const { return low + total - high; }
  void pack(const void *vector, void *packed, const Datatype &type) const {
    mpi::copyTyped(vector, low, type, packed, low, type);
    mpi::copyTyped(at(vector, high, type), total - high, type, at(packed, low, type), total - high,
                   type);
  }
  /// vector = packed op vector, or, where \p above, vector op packed.
  void add(void *packed, void *vector, bool above, const Datatype &type, const Op &op) const {
    const int64_t starts[] = {0, high}, places[] = {0, low}, counts[] = {low, total - high};
    for (int piece = 0; piece < 2; ++piece) {
      void *mine = at(vector, starts[piece], type), *theirs = at(packed, places[piece], type);
      if (!above) {
        op.apply(theirs, mine, counts[piece], type);
        continue;
      }
      op.apply(mine, theirs, counts[piece], type);
      mpi::copyTyped(theirs, counts[piece], type, mine, counts[piece], type);
    }
  }
};

/// Only \p have ranks of each group have got \p incoming; they pass it on within their group.
bool complete(Messages &messages, const ReduceScatterArgs &args, Block incoming, int have,
              int mask) {
  bool received = false;
  for (int half = mask / 2; half > 0; half /= 2) {
    const int other = args.rank ^ half, base = args.rank & ~(2 * half - 1);
    if (other > args.rank && args.rank < base + have && other >= base + have) {
      messages.send({incoming.data, incoming.count, incoming.type}, other);
    } else if (other < args.rank && other < base + have && args.rank >= base + have) {
      messages.recv(incoming, other);
      received = true;
    }
  }
  return received;
}

} // namespace

int recursiveDoubling(const ReduceScatterArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  const int n = args.size;
  const std::vector<int64_t> offsets = blockOffsets(args);
  const int64_t total = offsets.back(), own = args.countOf(args.rank);
  TypedScratch value(total, type), out(total, type), in(total, type);
  mpi::copyTyped(args.input(), total, type, value.data(), total, type);
  for (int mask = 1; mask < n; mask *= 2) {
    const int mine = args.rank & ~(mask - 1), theirs = mine ^ mask, peer = args.rank ^ mask;
    const Others sent(offsets, n, mine, mask), got(offsets, n, theirs, mask);
    const Block incoming{in.data(), got.count(), &type};
    bool received = peer < n;
    if (received) {
      sent.pack(value.data(), out.data(), type);
      messages.sendrecv({out.data(), sent.count(), &type}, peer, incoming, peer);
    }
    if (theirs < n && theirs + mask > n)
      received = complete(messages, args, incoming, n - theirs, mask) || received;
    if (received)
      got.add(in.data(), value.data(), theirs > mine && !args.op->commutative(), type, *args.op);
  }
  copyBlock({at(value.data(), offsets[static_cast<size_t>(args.rank)], type), own, &type},
            {args.recv, own, &type});
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
