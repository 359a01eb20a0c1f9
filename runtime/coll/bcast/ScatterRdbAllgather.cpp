// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scatter n chunks down a binomial tree, then gather them by recursive doubling. Needs a power of
/// two of ranks. Cost: 2 log2 n rounds; about 2 B bytes through each rank: for medium messages.
/// Source: MPICH, bcast_intra_scatter_recursive_doubling_allgather.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/bcast/Bcast.h"
#include "coll/bcast/ScatterChunks.h"

namespace gnomon::coll::bcast {

int scatterDoublingAllgather(const BcastArgs &args) {
  Packed data(args.buffer, args.count, *args.type);
  if (args.rank == args.root)
    data.pack();
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const Chunks chunks(data.size(), n);
  const int scatterError = scatterChunks(args, data.bytes(), chunks);
  Messages messages(args);
  for (int mask = 1; mask < n; mask *= 2) {
    // Chunks [first, first + mask) are here; the partner has as many, in the neighbouring range.
    const int first = relative & ~(mask - 1), other = first ^ mask;
    const int partner = ((relative ^ mask) + args.root) % n;
    messages.sendrecv(
        {data.bytes() + chunks.offset(first), chunks.bytes(first, mask), &Messages::byte()},
        partner, Messages::bytes(data.bytes() + chunks.offset(other), chunks.bytes(other, mask)),
        partner);
  }
  if (args.rank != args.root)
    data.unpack();
  return scatterError ? scatterError : messages.result();
}

} // namespace gnomon::coll::bcast
