// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Peers.h"

#include "api/Casts.h"
#include "api/Entry.h"
#include "gnomon/Burst.h"
#include "process/burst/Bursts.h"

namespace gnomon::api {

static mpi::Comm *findComm(MPI_Comm comm) {
  process::Rank *rank = process::currentRank();
  return rank && rank->mpi ? mpi::find<mpi::Comm>(*rank, comm) : nullptr;
}

int peers(MPI_Comm comm) {
  mpi::Comm *found = findComm(comm);
  return found ? found->peers() : 0;
}

int members(MPI_Comm comm) {
  mpi::Comm *found = findComm(comm);
  return found ? found->size() : 0;
}

int peersAtRoot(MPI_Comm comm, int root) {
  mpi::Comm *found = findComm(comm);
  return found && Entry::atRoot(root, *found) ? found->peers() : 0;
}

int sourceCount(MPI_Comm comm) {
  mpi::Comm *found = findComm(comm);
  return found ? mpi::sourceCount(*found) : 0;
}

int destinationCount(MPI_Comm comm) {
  mpi::Comm *found = findComm(comm);
  return found ? mpi::destinationCount(*found) : 0;
}

/// How many numbers the point's array has (GNOMON_LENGTH_*).
static int lengthOf(const gnomon_point &point, MPI_Comm comm, int root) {
  switch (point.length) {
  case GNOMON_LENGTH_PEERS:
    return peers(comm);
  case GNOMON_LENGTH_PEERS_AT_ROOT:
    return peersAtRoot(comm, root);
  case GNOMON_LENGTH_MEMBERS:
    return members(comm);
  case GNOMON_LENGTH_SOURCES:
    return sourceCount(comm);
  case GNOMON_LENGTH_DESTINATIONS:
    return destinationCount(comm);
  default:
    return 0;
  }
}

} // namespace gnomon::api

using namespace gnomon;

/// A hook (gnomon/Hooks.def), here because only the communicator says how many numbers there are.
extern "C" __attribute__((visibility("default"))) const void *
gnomon_decide_each(gnomon_point *point, uint64_t comm, int root, const void *numbers) {
  const process::Rank *rank = process::currentRank();
  process::burst::Bursts *bursts = process::burst::bursts();
  if (!rank || !bursts || !numbers)
    return numbers;
  const int count = api::lengthOf(*point, api::toHandle<MPI_Comm>(static_cast<int>(comm)), root);
  return bursts->decideEach(*rank, *point, {numbers, static_cast<size_t>(count)});
}
