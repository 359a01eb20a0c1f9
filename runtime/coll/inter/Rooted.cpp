// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Collectives between a root and all ranks of the other group, of n ranks:
///   bcast              root to rank 0, bcast(n) within
///   reduce, gather     reduce(n), gather(n) within, rank 0 to root
///   scatter            root to rank 0, all blocks at once; scatter(n) within
///   gatherv, scatterv  a message between the root and each rank, for nobody else knows all sizes
#include "coll/inter/Inter.h"

#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/Timed.h"
#include "mpi/comm/Comm.h"

#include "mpi.h"

#include <optional>

namespace gnomon::coll {

int across(const BcastArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    messages.send(args.buffer, args.count, *args.type, 0);
  if (args.root < 0)
    return messages.result();
  if (args.rank == 0)
    messages.recv(args.buffer, args.count, *args.type, args.root);
  return firstOf(messages.result(),
                 perform(BcastArgs{within(args), args.buffer, args.count, args.type, 0}));
}

int across(const ReduceArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    messages.recv(args.recv, args.count, *args.type, 0);
  if (args.root < 0)
    return messages.result();
  TypedScratch result(args.rank == 0 ? args.count : 0, *args.type);
  const int error = perform(
      ReduceArgs{{within(args), args.send, result.data(), args.count, args.type, args.op}, 0});
  if (args.rank == 0)
    messages.send(result.data(), args.count, *args.type, args.root);
  return firstOf(error, messages.result());
}

int across(const GatherArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    messages.recv(args.recv, args.recvCount * args.comm.peers(), *args.recvType, 0);
  if (args.root < 0)
    return messages.result();
  const int64_t all = args.rank == 0 ? args.sendCount * args.size : 0;
  TypedScratch gathered(all, *args.sendType);
  const int error =
      perform(GatherArgs{within(args), args.send, args.sendCount, args.sendType, gathered.data(),
                         args.sendCount, nullptr, nullptr, args.sendType, 0});
  if (args.rank == 0)
    messages.send(gathered.data(), all, *args.sendType, args.root);
  return firstOf(error, messages.result());
}

int across(const ScatterArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    messages.send(args.send, args.sendCount * args.comm.peers(), *args.sendType, 0);
  if (args.root < 0)
    return messages.result();
  const int64_t all = args.rank == 0 ? args.recvCount * args.size : 0;
  TypedScratch blocks(all, *args.recvType);
  if (args.rank == 0)
    messages.recv(blocks.data(), all, *args.recvType, args.root);
  return firstOf(messages.result(),
                 perform(ScatterArgs{within(args), blocks.data(), args.recvCount, nullptr, nullptr,
                                     args.recvType, args.recv, args.recvCount, args.recvType, 0}));
}

int across(const GathervArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    for (int r = 0; r < args.comm.peers(); ++r)
      messages.irecv(args.recvBlock(r), r);
  else if (args.root >= 0)
    messages.send(args.send, args.sendCount, *args.sendType, args.root);
  messages.waitAll();
  return messages.result();
}

int across(const ScattervArgs &args) {
  Messages messages(args);
  if (args.root == MPI_ROOT)
    for (int r = 0; r < args.comm.peers(); ++r)
      messages.isend(args.sendBlock(r), r);
  else if (args.root >= 0)
    messages.recv(args.recv, args.recvCount, *args.recvType, args.root);
  messages.waitAll();
  return messages.result();
}

} // namespace gnomon::coll
