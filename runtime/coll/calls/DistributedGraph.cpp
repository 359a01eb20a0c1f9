// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Dist_graph_create: each rank names any edges of the graph, and each must learn its own.
///   1. Each rank sorts what it knows by the rank that must know it: an edge s → d is told to s
///      and d.
///   2. A reduce-scatter of two integers a rank tells each one how many ranks will write to it,
///      and how much in all.
///   3. Each rank sends one message to each rank that it has something to tell, and receives from
///      whoever writes. Messages are ordered by their senders, so that the result is the same in
///      every run.
/// Cost: an agreement (mpi/comm/Creation.h), a reduce-scatter of 8 n bytes, 12 bytes for each end of
/// an edge.
/// Source: the pattern of MPICH 4.0, MPIR_Dist_graph_create_impl.
#include "coll/Timed.h"
#include "coll/calls/Collectives.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Topology.h"
#include "mpi/request/Status.h"

#include <fmt/format.h>

#include <map>
#include <vector>

namespace gnomon::coll {

namespace {

/// What one rank tells another of an edge between that rank and a third one.
struct EdgeEnd {
  int incoming; ///< 1: the edge ends at whom it is told to; 0: it starts there
  int other;
  int weight;
};
constexpr int IntsPerEnd = sizeof(EdgeEnd) / sizeof(int);

using Ends = std::map<int, std::vector<EdgeEnd>>; ///< by the rank told, or telling

int wrong(Comm &comm, int errorClass, const char *name, int at, int value) {
  return mpi::fail(comm.owner(), errorClass, fmt::format("{}[{}] is {}", name, at, value));
}

int check(Comm &comm, int n, const int *sources, const int *degrees, const int *destinations,
          const int *weights) {
  if (comm.isInter())
    return mpi::fail(comm.owner(), MPI_ERR_COMM, "an intercommunicator has no topology");
  int edges = 0;
  for (int i = 0; i < n; ++i) {
    if (sources[i] < 0 || sources[i] >= comm.size())
      return wrong(comm, MPI_ERR_RANK, "sources", i, sources[i]);
    if (degrees[i] < 0)
      return wrong(comm, MPI_ERR_ARG, "degrees", i, degrees[i]);
    edges += degrees[i];
  }
  if (edges == 0)
    return MPI_SUCCESS;
  if (!destinations)
    return mpi::fail(comm.owner(), MPI_ERR_ARG, "destinations is null");
  if (!weights || weights == MPI_WEIGHTS_EMPTY)
    return mpi::fail(comm.owner(), MPI_ERR_ARG, fmt::format("no weights for {} edges", edges));
  for (int e = 0; e < edges; ++e) {
    if (destinations[e] < 0 || destinations[e] >= comm.size())
      return wrong(comm, MPI_ERR_RANK, "destinations", e, destinations[e]);
    if (weights != MPI_UNWEIGHTED && weights[e] < 0)
      return wrong(comm, MPI_ERR_ARG, "weights", e, weights[e]);
  }
  return MPI_SUCCESS;
}

Ends endsOf(int n, const int *sources, const int *degrees, const int *destinations,
            const int *weights) {
  Ends ends;
  int edge = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < degrees[i]; ++k, ++edge) {
      const int weight = weights == MPI_UNWEIGHTED ? 0 : weights[edge];
      ends[sources[i]].push_back({0, destinations[edge], weight});
      ends[destinations[edge]].push_back({1, sources[i], weight});
    }
  return ends;
}

/// Tells every other rank its ends, and takes what the others tell.
int exchange(Comm &comm, Ends &told, Ends &heard) {
  const Datatype &type = Datatype::predefined(MPI_INT);
  std::vector<int> outgoing(2 * static_cast<size_t>(comm.size()));
  for (const auto &[rank, ends] : told) {
    if (rank == comm.rank())
      continue;
    outgoing[2 * static_cast<size_t>(rank)] = 1;
    outgoing[2 * static_cast<size_t>(rank) + 1] = static_cast<int>(ends.size());
  }
  int incoming[2] = {0, 0}; // messages, ends
  if (int error = perform(ReduceScatterArgs{callOn(comm), outgoing.data(), incoming, nullptr, 2,
                                            &type, &Op::predefined(Op::Sum)}))
    return error;
  const int tag = comm.nextCollectiveTag();
  std::vector<mpi::Request *> sends;
  for (const auto &[rank, ends] : told)
    if (rank != comm.rank())
      sends.push_back(mpi::isend(ends.data(), static_cast<int64_t>(ends.size()) * IntsPerEnd, type,
                                 rank, tag, comm, mpi::Channel::Collective));
  std::vector<EdgeEnd> message(static_cast<size_t>(incoming[1]));
  for (int i = 0; i < incoming[0]; ++i) {
    MPI_Status status;
    if (int error = mpi::recv(message.data(), int64_t{incoming[1]} * IntsPerEnd, type,
                              MPI_ANY_SOURCE, tag, comm, mpi::Channel::Collective, &status))
      return error;
    const auto ends = static_cast<size_t>(mpi::statusBytes(status)) / sizeof(EdgeEnd);
    heard[status.MPI_SOURCE].assign(message.begin(),
                                    message.begin() + static_cast<std::ptrdiff_t>(ends));
  }
  if (const auto own = told.find(comm.rank()); own != told.end())
    heard[comm.rank()] = std::move(own->second);
  return mpi::waitAll(sends);
}

mpi::DistributedGraph graphFrom(const Ends &heard, bool weighted) {
  mpi::DistributedGraph graph;
  graph.weighted = weighted;
  for (const auto &[rank, ends] : heard)
    for (const EdgeEnd &end : ends) {
      (end.incoming ? graph.sources : graph.destinations).push_back(end.other);
      if (weighted)
        (end.incoming ? graph.sourceWeights : graph.destinationWeights).push_back(end.weight);
    }
  return graph;
}

} // namespace

} // namespace gnomon::coll

namespace gnomon::impl {

using namespace coll;

int Dist_graph_create(mpi::Comm &comm_old, int n, const int *sources, const int *degrees,
                      const int *destinations, const int *weights, mpi::Info *, int,
                      MPI_Comm *comm_dist_graph) {
  *comm_dist_graph = MPI_COMM_NULL;
  if (int error = mpi::checkIntra(comm_old))
    return error;
  if (int error = check(comm_old, n, sources, degrees, destinations, weights))
    return error;
  mpi::Comm *comm = mpi::duplicateComm(comm_old, "MPI_Dist_graph_create");
  Ends told = endsOf(n, sources, degrees, destinations, weights), heard;
  if (int error = exchange(*comm, told, heard)) {
    comm->release();
    return error;
  }
  comm->topology =
      std::make_shared<const mpi::Topology>(graphFrom(heard, weights != MPI_UNWEIGHTED));
  *comm_dist_graph = mpi::expose(*comm);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
