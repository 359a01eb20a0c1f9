// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on graphs, and on distributed graphs of which each rank gives its own part.
/// (MPI_Dist_graph_create, whose ranks give any part, needs a collective:
/// coll/calls/DistributedGraph.cpp.)
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Topology.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace gnomon::impl {

using namespace mpi;

namespace {

std::vector<int> copyOf(const int *array, int count) {
  return count > 0 ? std::vector<int>(array, array + count) : std::vector<int>();
}

const Graph *graphOf(const Comm &comm) { return comm.topology ? comm.topology->graph() : nullptr; }

int noGraph(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_TOPOLOGY, "the communicator has no graph topology");
}

const DistributedGraph *distributedGraphOf(const Comm &comm) {
  return comm.topology ? comm.topology->distributed() : nullptr;
}

int noDistributedGraph(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_TOPOLOGY, "the communicator has no distributed graph topology");
}

int wrong(Comm &comm, int errorClass, const char *array, int at, int value, const char *why) {
  return fail(comm.owner(), errorClass, fmt::format("{}[{}] is {}, {}", array, at, value, why));
}

int tooShort(Comm &comm, const char *name, int room, int needed) {
  return fail(comm.owner(), MPI_ERR_ARG, fmt::format("{} is {}, there are {}", name, room, needed));
}

/// The error class of a wrong description of a graph.
int check(Comm &comm, int nodes, const int *index, const int *edges) {
  if (comm.isInter())
    return fail(comm.owner(), MPI_ERR_COMM, "an intercommunicator has no topology");
  if (nodes > comm.size())
    return fail(comm.owner(), MPI_ERR_ARG,
                fmt::format("a graph of {} nodes in a communicator of {}", nodes, comm.size()));
  for (int i = 0; i < nodes; ++i)
    if (index[i] < (i == 0 ? 0 : index[i - 1]))
      return wrong(comm, MPI_ERR_ARG, "index", i, index[i], "less than the one before");
  const int count = nodes > 0 ? index[nodes - 1] : 0;
  if (count > 0 && !edges)
    return fail(comm.owner(), MPI_ERR_ARG, "edges is null");
  for (int i = 0; i < count; ++i)
    if (edges[i] < 0 || edges[i] >= nodes)
      return wrong(comm, MPI_ERR_ARG, "edges", i, edges[i], "no node of the graph");
  return MPI_SUCCESS;
}

/// The error class of one side of a rank's part of a distributed graph.
int check(Comm &comm, int degree, const int *neighbors, const int *weights, const char *name) {
  if (comm.isInter())
    return fail(comm.owner(), MPI_ERR_COMM, "an intercommunicator has no topology");
  for (int i = 0; i < degree; ++i)
    if (neighbors[i] < 0 || neighbors[i] >= comm.size())
      return wrong(comm, MPI_ERR_RANK, name, i, neighbors[i], "no rank of the communicator");
  if (weights == MPI_UNWEIGHTED || degree == 0)
    return MPI_SUCCESS;
  if (!weights || weights == MPI_WEIGHTS_EMPTY)
    return fail(comm.owner(), MPI_ERR_ARG, fmt::format("no weights for {} {}", degree, name));
  for (int i = 0; i < degree; ++i)
    if (weights[i] < 0)
      return wrong(comm, MPI_ERR_ARG, "weights", i, weights[i], "a weight below 0");
  return MPI_SUCCESS;
}

void copyFirst(const std::vector<int> &from, int *to, int room) {
  std::copy_n(from.begin(), std::min(static_cast<size_t>(room), from.size()), to);
}

} // namespace

int Graph_create(Comm &comm_old, int nnodes, const int *indx, const int *edges, int,
                 MPI_Comm *comm_graph) {
  *comm_graph = MPI_COMM_NULL;
  if (int error = checkIntra(comm_old))
    return error;
  if (int error = check(comm_old, nnodes, indx, edges))
    return error;
  const int color = comm_old.rank() < nnodes ? 0 : -1;
  Comm *comm = splitComm(comm_old, color, 0, "MPI_Graph_create");
  *comm_graph = MPI_COMM_NULL;
  if (!comm)
    return MPI_SUCCESS;
  Graph graph{copyOf(indx, nnodes), copyOf(edges, indx[nnodes - 1])};
  comm->topology = std::make_shared<const Topology>(std::move(graph));
  *comm_graph = expose(*comm);
  return MPI_SUCCESS;
}

int Graph_map(Comm &comm, int nnodes, const int *indx, const int *edges, int *newrank) {
  if (int error = check(comm, nnodes, indx, edges))
    return error;
  *newrank = comm.rank() < nnodes ? comm.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Graphdims_get(Comm &comm, int *nnodes, int *nedges) {
  const Graph *graph = graphOf(comm);
  if (!graph)
    return noGraph(comm);
  *nnodes = graph->nodes();
  *nedges = static_cast<int>(graph->edges.size());
  return MPI_SUCCESS;
}

int Graph_get(Comm &comm, int maxindex, int maxedges, int *indx, int *edges) {
  const Graph *graph = graphOf(comm);
  if (!graph)
    return noGraph(comm);
  if (maxindex < graph->nodes())
    return tooShort(comm, "maxindex", maxindex, graph->nodes());
  if (maxedges < static_cast<int>(graph->edges.size()))
    return tooShort(comm, "maxedges", maxedges, static_cast<int>(graph->edges.size()));
  std::copy(graph->index.begin(), graph->index.end(), indx);
  std::copy(graph->edges.begin(), graph->edges.end(), edges);
  return MPI_SUCCESS;
}

int Graph_neighbors_count(Comm &comm, int rank, int *nneighbors) {
  const Graph *graph = graphOf(comm);
  if (!graph)
    return noGraph(comm);
  *nneighbors = static_cast<int>(graph->neighbors(rank).size());
  return MPI_SUCCESS;
}

int Graph_neighbors(Comm &comm, int rank, int maxneighbors, int *neighbors) {
  const Graph *graph = graphOf(comm);
  if (!graph)
    return noGraph(comm);
  const auto all = graph->neighbors(rank);
  if (maxneighbors < static_cast<int>(all.size()))
    return tooShort(comm, "maxneighbors", maxneighbors, static_cast<int>(all.size()));
  std::copy(all.begin(), all.end(), neighbors);
  return MPI_SUCCESS;
}

int Dist_graph_create_adjacent(Comm &comm_old, int indegree, const int *sources,
                               const int *sourceweights, int outdegree, const int *destinations,
                               const int *destweights, Info *, int, MPI_Comm *comm_dist_graph) {
  *comm_dist_graph = MPI_COMM_NULL;
  if (int error = checkIntra(comm_old))
    return error;
  if (int error = check(comm_old, indegree, sources, sourceweights, "sources"))
    return error;
  if (int error = check(comm_old, outdegree, destinations, destweights, "destinations"))
    return error;
  if ((sourceweights == MPI_UNWEIGHTED) != (destweights == MPI_UNWEIGHTED))
    return fail(comm_old.owner(), MPI_ERR_ARG,
                "one of sourceweights and destweights is MPI_UNWEIGHTED, the other is not");
  DistributedGraph graph;
  graph.weighted = sourceweights != MPI_UNWEIGHTED;
  graph.sources = copyOf(sources, indegree);
  graph.destinations = copyOf(destinations, outdegree);
  if (graph.weighted) {
    graph.sourceWeights = copyOf(sourceweights, indegree);
    graph.destinationWeights = copyOf(destweights, outdegree);
  }
  Comm *comm = duplicateComm(comm_old, "MPI_Dist_graph_create_adjacent");
  comm->topology = std::make_shared<const Topology>(std::move(graph));
  *comm_dist_graph = expose(*comm);
  return MPI_SUCCESS;
}

int Dist_graph_neighbors_count(Comm &comm, int *indegree, int *outdegree, int *weighted) {
  const DistributedGraph *graph = distributedGraphOf(comm);
  if (!graph)
    return noDistributedGraph(comm);
  *indegree = static_cast<int>(graph->sources.size());
  *outdegree = static_cast<int>(graph->destinations.size());
  *weighted = graph->weighted;
  return MPI_SUCCESS;
}

/// With too little room the first neighbours; weights only of a weighted graph.
int Dist_graph_neighbors(Comm &comm, int maxindegree, int *sources, int *sourceweights,
                         int maxoutdegree, int *destinations, int *destweights) {
  const DistributedGraph *graph = distributedGraphOf(comm);
  if (!graph)
    return noDistributedGraph(comm);
  copyFirst(graph->sources, sources, maxindegree);
  copyFirst(graph->destinations, destinations, maxoutdegree);
  auto wanted = [](const int *weights) {
    return weights && weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
  };
  if (graph->weighted && wanted(sourceweights))
    copyFirst(graph->sourceWeights, sourceweights, maxindegree);
  if (graph->weighted && wanted(destweights))
    copyFirst(graph->destinationWeights, destweights, maxoutdegree);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
