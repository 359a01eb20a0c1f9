// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gather to rank 0, then a broadcast of the packed whole: binomial both (linear gather for
/// MPI_Allgatherv), or as the selector chooses.
/// Cost: that of the two; of binomial ones 2 ceil(log2 n) rounds, 2 (n - 1) messages.
/// Source: STAR-MPI, allgather GB and allgatherv GB; Open MPI 4.1, coll_base_allgather (basic
/// linear) and coll_base_allgatherv (basic default).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/Selection.h"
#include "coll/allgather/Allgather.h"
#include "coll/bcast/Bcast.h"
#include "coll/gather/Gather.h"

namespace gnomon::coll::allgather {

namespace {

template <class Gather, class Bcast>
int twoPhases(const AllgatherBase &args, Gather gather, Bcast bcast) {
  const ConstBlock own = args.own();
  const void *send = args.rank == 0 ? args.send : own.data;
  const int error = gather(GatherArgs{args, send, own.count, own.type, args.recv, args.recvCount,
                                      args.counts, args.displacements, args.recvType, 0});
  // Ranks may describe the whole by different types, and MPI_Allgatherv leaves gaps: broadcast
  // bytes.
  const int64_t total = args.totalBytes();
  const bool direct = !args.counts && args.recvType->contiguous();
  Scratch copy(direct ? 0 : total);
  char *bytes = direct ? static_cast<char *>(args.recv) : copy.data();
  char *next = bytes;
  for (int r = 0; !direct && args.rank == 0 && r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    next += mpi::packBytes(block.data, block.count, *block.type, next, block.bytes());
  }
  const int bcastError = bcast(BcastArgs{args, bytes, total, &Messages::byte(), 0});
  for (int r = 0; !direct && args.rank != 0 && r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    next += mpi::unpackBytes(next, block.bytes(), block.data, block.count, *block.type);
  }
  return error ? error : bcastError;
}

} // namespace

int gatherBcast(const AllgatherBase &args) {
  return twoPhases(args, args.counts ? gather::basicLinear : gather::binomial, bcast::binomialTree);
}

int chosenGatherBcast(const AllgatherBase &args) {
  auto gather = [](const GatherArgs &part) {
    return part.counts ? run(GathervArgs{part}) : run(part);
  };
  return twoPhases(args, gather, [](const BcastArgs &part) { return run(part); });
}

} // namespace gnomon::coll::allgather
