// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scatter n chunks down a binomial tree, then gather them by recursive doubling. Where the number
/// of ranks is no power of two, ranks that have no partner get what they lack from within their own
/// half, down a binomial tree. MPICH cuts at bytes, Open MPI at elements.
/// Cost: 2 log2 n rounds for a power of two, up to 3 log2 n else; about 2 B bytes through each
/// rank: for medium messages.
/// Source: MPICH, bcast_intra_scatter_recursive_doubling_allgather; Open MPI 4.1, coll_base_bcast
/// (scatter_allgather).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/bcast/Bcast.h"
#include "coll/bcast/ScatterChunks.h"
#include "coll/tree/Segments.h"

namespace gnomon::coll::bcast {

namespace {

/// The chunks of relative ranks [first, first + count).
struct Ranges {
  char *data;
  Chunks chunks;
  Block block(int first, int count) const {
    return Messages::bytes(data + chunks.offset(first), chunks.bytes(first, count));
  }
  ConstBlock sent(int first, int count) const {
    const Block part = block(first, count);
    return {part.data, part.count, part.type};
  }
};

/// The ranks of [theirs, n) are fewer than a range of \p mask: only as many of the ranks here have
/// its chunks, and pass them on.
void completeFromOwnHalf(Messages &messages, const BcastArgs &args, const Ranges &ranges,
                         int relative, int theirs, int mask) {
  const int n = args.size, have = n - theirs;
  for (int half = mask / 2; half > 0; half /= 2) {
    const int other = relative ^ half, base = relative & ~(2 * half - 1);
    const int peer = (other + args.root) % n;
    if (other > relative && relative < base + have && other >= base + have)
      messages.send(ranges.sent(theirs, mask), peer);
    else if (other < relative && other < base + have && relative >= base + have)
      messages.recv(ranges.block(theirs, mask), peer);
  }
}

int scatterDoubling(const BcastArgs &args, int64_t unitBytes) {
  Packed data(args.buffer, args.count, *args.type);
  if (args.rank == args.root)
    data.pack();
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const Ranges ranges{data.bytes(), Chunks(data.size(), n, unitBytes)};
  const int scatterError = scatterChunks(args, data.bytes(), ranges.chunks);
  Messages messages(args);
  for (int mask = 1; mask < n; mask *= 2) {
    // Chunks [mine, mine + mask) are here; the partner, if there is one, has the neighbouring
    // range.
    const int mine = relative & ~(mask - 1), theirs = mine ^ mask;
    const int partner = relative ^ mask, peer = (partner + args.root) % n;
    if (partner < n)
      messages.sendrecv(ranges.sent(mine, mask), peer, ranges.block(theirs, mask), peer);
    if (theirs < n && theirs + mask > n)
      completeFromOwnHalf(messages, args, ranges, relative, theirs, mask);
  }
  if (args.rank != args.root)
    data.unpack();
  return scatterError ? scatterError : messages.result();
}

} // namespace

int scatterDoublingAllgather(const BcastArgs &args) { return scatterDoubling(args, 1); }

int scatterElementsDoublingAllgather(const BcastArgs &args) {
  return scatterDoubling(args, Units(args.count, *args.type).bytes);
}

} // namespace gnomon::coll::bcast
