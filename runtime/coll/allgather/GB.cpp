// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gather to rank 0 (binomial; linear for MPI_Allgatherv), then a binomial broadcast of the packed
/// whole. Cost: 2 ceil(log2 n) rounds; 2 (n - 1) messages. Source: STAR-MPI, allgather GB and
/// allgatherv GB.
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/allgather/Allgather.h"
#include "coll/bcast/Bcast.h"
#include "coll/gather/Gather.h"

namespace gnomon::coll::allgather {

int gatherBcast(const AllgatherBase &args) {
  const Call call{args.comm, args.rank, args.size, args.tag};
  const ConstBlock own = args.own();
  const void *send = args.rank == 0 ? args.send : own.data;
  const GatherArgs gathering{
      call,           send,        own.count,          own.type,      args.recv,
      args.recvCount, args.counts, args.displacements, args.recvType, 0};
  const int error = args.counts ? gather::basicLinear(gathering) : gather::binomial(gathering);
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
  const int bcastError = bcast::binomialTree({call, bytes, total, &Messages::byte(), 0});
  for (int r = 0; !direct && args.rank != 0 && r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    next += mpi::unpackBytes(next, block.bytes(), block.data, block.count, *block.type);
  }
  return error ? error : bcastError;
}

} // namespace gnomon::coll::allgather
