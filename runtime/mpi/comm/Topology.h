// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Virtual topologies (MPI 4.1, chapter 8): what a communicator knows about neighbours. Values
/// without communication; ranks are those of the communicator. Ranks are never reordered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gnomon::mpi {

class Comm;

/// A grid, row-major: the last coordinate varies fastest with the rank.
struct CartesianGrid {
  std::vector<int> dims;
  std::vector<int> periodic; ///< 0 or 1, by dimension

  friend bool operator==(const CartesianGrid &, const CartesianGrid &) = default;
  int dimensions() const { return static_cast<int>(dims.size()); }
  int64_t nodes() const;
  void coordinates(int rank, std::span<int> coords) const;
  /// The rank at \p coords, which are wrapped in periodic dimensions; nothing when outside another.
  std::optional<int> rankAt(std::span<const int> coords) const;
  /// The rank \p displacement steps away along \p dimension; nothing beyond the edge.
  std::optional<int> neighbor(int rank, int dimension, int displacement) const;
};

/// MPI_Graph_create's neighbours: those of rank r are edges[index[r - 1] … index[r]).
struct Graph {
  std::vector<int> index, edges;

  int nodes() const { return static_cast<int>(index.size()); }
  std::span<const int> neighbors(int rank) const;
};

/// One rank's neighbours of a distributed graph.
struct DistributedGraph {
  std::vector<int> sources, sourceWeights, destinations, destinationWeights;
  bool weighted = false;
};

/// Whom a rank receives from and sends to, in the order of the blocks of neighbourhood collectives;
/// MPI_PROC_NULL beyond the edge of a grid.
struct Neighbors {
  std::vector<int> sources, destinations;
};

class Topology {
public:
  explicit Topology(CartesianGrid grid) : grid_(std::move(grid)) {}
  explicit Topology(Graph graph) : graph_(std::move(graph)) {}
  explicit Topology(DistributedGraph graph) : distributed_(std::move(graph)) {}

  const CartesianGrid *grid() const { return grid_ ? &*grid_ : nullptr; }
  const Graph *graph() const { return graph_ ? &*graph_ : nullptr; }
  const DistributedGraph *distributed() const { return distributed_ ? &*distributed_ : nullptr; }

  /// Of \p rank; a distributed graph knows those of its own rank only. In a grid: of each
  /// dimension the neighbour below, then the one above (MPI 4.1, section 8.6).
  Neighbors neighbors(int rank) const;
  int sourceCount(int rank) const;
  int destinationCount(int rank) const;

private:
  std::optional<CartesianGrid> grid_;
  std::optional<Graph> graph_;
  std::optional<DistributedGraph> distributed_;
};

/// The lengths of the arrays that neighbourhood collectives on \p comm take; 0 without a topology.
int sourceCount(const Comm &comm);
int destinationCount(const Comm &comm);

/// MPI_Dims_create: fills in the zeros of \p dims so that their product is \p nodes, as close to
/// each other as possible (the largest as small as can be, then the next…), not increasing. False
/// when the given ones do not divide \p nodes.
bool balanceDims(int nodes, std::span<int> dims);

/// MPI_ERR_COMM for an intercommunicator: topologies are made of intracommunicators.
int checkIntra(Comm &comm);

} // namespace gnomon::mpi
