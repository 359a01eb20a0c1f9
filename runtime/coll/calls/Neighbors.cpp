// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The neighbours of a topology, and what is kept of blocks with types of their own.
#include "coll/calls/Neighbors.h"

#include "mpi/Error.h"
#include "mpi/comm/Topology.h"

#include <utility>

namespace gnomon::coll {

int checkTopology(Comm &comm) {
  if (comm.topology)
    return MPI_SUCCESS;
  return mpi::fail(comm.owner(), MPI_ERR_TOPOLOGY, "the communicator has no topology");
}

template <> NeighborArgs argumentsOn<NeighborArgs>(Comm &comm) {
  NeighborArgs args{callOn(comm)};
  mpi::Neighbors neighbors = comm.topology->neighbors(comm.rank());
  args.sources = std::move(neighbors.sources);
  args.destinations = std::move(neighbors.destinations);
  args.grid = comm.topology->grid();
  args.out.resize(args.destinations.size());
  args.in.resize(args.sources.size());
  return args;
}

Kept keptNeighborTypes(Comm &comm, const MPI_Datatype *sendTypes, const MPI_Datatype *recvTypes) {
  Kept kept;
  auto keep = [&](const MPI_Datatype *types, int count) {
    for (int i = 0; i < count; ++i)
      kept.types.emplace_back(*mpi::find<Datatype>(comm.owner(), types[i]));
  };
  keep(sendTypes, mpi::destinationCount(comm));
  keep(recvTypes, mpi::sourceCount(comm));
  return kept;
}

} // namespace gnomon::coll
