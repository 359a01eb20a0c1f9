// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Van de Geijn's broadcast: scatter n chunks down a binomial tree, then pass them around a logical
/// ring. MPICH cuts at bytes, Open MPI at elements.
/// Cost: ceil(log2 n) + n - 1 rounds; about 2 B bytes through each rank: for long messages.
/// Source: Barnett, Shuler, Gupta, Payne, van de Geijn, Watts 1994; MPICH,
/// bcast_intra_scatter_ring_allgather; Open MPI 4.1, coll_base_bcast (scatter_allgather_ring).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/bcast/Bcast.h"
#include "coll/bcast/ScatterChunks.h"
#include "coll/tree/Segments.h"

namespace gnomon::coll::bcast {

static int scatterRing(const BcastArgs &args, int64_t unitBytes) {
  Packed data(args.buffer, args.count, *args.type);
  if (args.rank == args.root)
    data.pack();
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  const Chunks chunks(data.size(), n, unitBytes);
  const int scatterError = scatterChunks(args, data.bytes(), chunks);
  Messages messages(args);
  const int left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  for (int step = 0; step < n - 1; ++step) {
    const int out = (relative - step + n) % n, in = (relative - step - 1 + n) % n;
    messages.sendrecv({data.bytes() + chunks.offset(out), chunks.bytes(out, 1), &Messages::byte()},
                      right, Messages::bytes(data.bytes() + chunks.offset(in), chunks.bytes(in, 1)),
                      left);
  }
  if (args.rank != args.root)
    data.unpack();
  return scatterError ? scatterError : messages.result();
}

int scatterRingAllgather(const BcastArgs &args) { return scatterRing(args, 1); }

int scatterElementsRingAllgather(const BcastArgs &args) {
  return scatterRing(args, Units(args.count, *args.type).bytes);
}

} // namespace gnomon::coll::bcast
