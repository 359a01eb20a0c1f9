// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What all collectives between groups share, and those that are nothing but an exchange of
/// everybody with everybody of the other group:
///   alltoall, alltoallv, alltoallw   all messages at once: max(n, m) (L + b/B)
#include "coll/inter/Inter.h"

#include "coll/Messages.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"

#include "mpi.h"

namespace gnomon::coll {

Call within(const Call &call) {
  return {call.comm.local(), call.rank, call.size, call.tag, call.mode};
}

namespace {

// What of a call would be read or written in place.
const void *placed(const BarrierArgs &) { return nullptr; }
const void *placed(const NeighborArgs &) { return nullptr; }
const void *placed(const BcastArgs &) { return nullptr; }
const void *placed(const ReduceArgs &args) { return args.root >= 0 ? args.send : nullptr; }
const void *placed(const GatherArgs &args) { return args.root >= 0 ? args.send : nullptr; }
const void *placed(const ScatterArgs &args) { return args.root >= 0 ? args.recv : nullptr; }
template <class Args> const void *placed(const Args &args) { return args.send; }

template <class Args> int exchangeAll(const Args &args) {
  Messages messages(args);
  for (int r = 0; r < args.comm.peers(); ++r)
    messages.irecv(args.recvBlock(r), r);
  for (int r = 0; r < args.comm.peers(); ++r)
    messages.isend(args.sendBlock(r), r);
  messages.waitAll();
  return messages.result();
}

} // namespace

template <class Args> int refuse(const Args &args) {
  if (std::is_same_v<Args, ScanArgs> || std::is_same_v<Args, ExscanArgs>)
    return mpi::fail(args.comm.owner(), MPI_ERR_COMM,
                     "invalid comm: " + mpi::describe(args.comm) +
                         " is an intercommunicator, on which scans are not defined",
                     &args.comm);
  if (inPlace(placed(args)))
    return mpi::fail(args.comm.owner(), MPI_ERR_BUFFER,
                     "MPI_IN_PLACE has no meaning on an intercommunicator", &args.comm);
  return MPI_SUCCESS;
}

#define GNOMON_COLLECTIVE(ARGS, NAME) template int refuse<ARGS>(const ARGS &args);
#include "coll/Collectives.def"

int across(const AlltoallArgs &args) { return exchangeAll(args); }
int across(const AlltoallvArgs &args) { return exchangeAll(args); }
int across(const AlltoallwArgs &args) { return exchangeAll(args); }

} // namespace gnomon::coll
