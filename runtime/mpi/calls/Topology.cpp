// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on virtual topologies.
#include "mpi/comm/Topology.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"

#include <fmt/format.h>
#include <string>

namespace gnomon::mpi {

int checkIntra(Comm &comm) {
  if (!comm.isInter())
    return MPI_SUCCESS;
  return fail(comm.owner(), MPI_ERR_COMM,
              "invalid comm_old: " + describe(comm) + " is an intercommunicator", &comm);
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

const CartesianGrid *gridOf(const Comm &comm) {
  return comm.topology ? comm.topology->grid() : nullptr;
}

int noGrid(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_TOPOLOGY, "the communicator has no Cartesian topology");
}

std::span<const int> ints(const int *array, int count) {
  return {array, static_cast<size_t>(count)};
}

/// The grid that MPI_Cart_create and MPI_Cart_map describe; an error class through \p error.
CartesianGrid gridFrom(Comm &comm, int ndims, const int *dims, const int *periods, int &error) {
  CartesianGrid grid;
  error = MPI_SUCCESS;
  for (int d = 0; d < ndims; ++d) {
    if (dims[d] <= 0) {
      error = fail(comm.owner(), MPI_ERR_DIMS, fmt::format("dims[{}] is {}", d, dims[d]));
      return grid;
    }
    grid.dims.push_back(dims[d]);
    grid.periodic.push_back(periods[d] != 0);
  }
  if (grid.nodes() > comm.size())
    error =
        fail(comm.owner(), MPI_ERR_DIMS,
             fmt::format("a grid of {} ranks in a communicator of {}", grid.nodes(), comm.size()));
  return grid;
}

/// One for all ranks that describe the same grid, as all should.
std::shared_ptr<const Topology> shared(const Comm &comm, CartesianGrid grid) {
  std::shared_ptr<const Topology> &common = comm.shared()->grid;
  if (common && *common->grid() == grid)
    return common;
  auto own = std::make_shared<const Topology>(std::move(grid));
  if (!common)
    common = own;
  return own;
}

int give(Comm *comm, CartesianGrid grid, MPI_Comm *handle) {
  if (!comm) {
    *handle = MPI_COMM_NULL;
    return MPI_SUCCESS;
  }
  comm->topology = shared(*comm, std::move(grid));
  *handle = expose(*comm);
  return MPI_SUCCESS;
}

} // namespace

int Cart_create(Comm &comm_old, int ndims, const int *dims, const int *periods, int reorder,
                MPI_Comm *comm_cart) {
  *comm_cart = MPI_COMM_NULL;
  if (int error = checkIntra(comm_old))
    return error;
  int error;
  CartesianGrid grid = gridFrom(comm_old, ndims, dims, periods, error);
  if (error)
    return error;
  const int color = comm_old.rank() < grid.nodes() ? 0 : -1;
  return give(splitComm(comm_old, color, 0, "MPI_Cart_create"), std::move(grid), comm_cart);
}

int Cart_sub(Comm &comm, const int *remain_dims, MPI_Comm *newcomm) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  std::vector<int> coords(grid->dims.size());
  grid->coordinates(comm.rank(), coords);
  CartesianGrid kept;
  int color = 0; // the place among the slices: the coordinates that are dropped
  for (size_t d = 0; d < coords.size(); ++d) {
    if (remain_dims[d]) {
      kept.dims.push_back(grid->dims[d]);
      kept.periodic.push_back(grid->periodic[d]);
    } else {
      color = color * grid->dims[d] + coords[d];
    }
  }
  // A slice without dimensions is a grid of one rank, and as in MPI_Cart_create the others get no
  // communicator: MPICH's reading. (Open MPI's: one for each rank.)
  if (kept.dims.empty())
    color = comm.rank() == 0 ? 0 : -1;
  // Ranks of a slice are in row-major order already.
  return give(splitComm(comm, color, 0, "MPI_Cart_sub"), std::move(kept), newcomm);
}

int Cartdim_get(Comm &comm, int *ndims) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  *ndims = grid->dimensions();
  return MPI_SUCCESS;
}

int Cart_get(Comm &comm, int maxdims, int *dims, int *periods, int *coords) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  std::vector<int> own(grid->dims.size());
  grid->coordinates(comm.rank(), own);
  if (maxdims < grid->dimensions())
    return fail(
        comm.owner(), MPI_ERR_ARG,
        fmt::format("maxdims is {}, the grid has {} dimensions", maxdims, grid->dimensions()));
  std::copy(grid->dims.begin(), grid->dims.end(), dims);
  std::copy(grid->periodic.begin(), grid->periodic.end(), periods);
  std::copy(own.begin(), own.end(), coords);
  return MPI_SUCCESS;
}

int Cart_coords(Comm &comm, int rank, int maxdims, int *coords) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  if (maxdims < grid->dimensions())
    return fail(
        comm.owner(), MPI_ERR_ARG,
        fmt::format("maxdims is {}, the grid has {} dimensions", maxdims, grid->dimensions()));
  grid->coordinates(rank, {coords, grid->dims.size()});
  return MPI_SUCCESS;
}

int Cart_rank(Comm &comm, const int *coords, int *rank) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  const auto found = grid->rankAt(ints(coords, grid->dimensions()));
  if (!found)
    return fail(comm.owner(), MPI_ERR_ARG, "coordinates outside a dimension that is not periodic");
  *rank = *found;
  return MPI_SUCCESS;
}

int Cart_shift(Comm &comm, int direction, int disp, int *rank_source, int *rank_dest) {
  const CartesianGrid *grid = gridOf(comm);
  if (!grid)
    return noGrid(comm);
  if (direction < 0 || direction >= grid->dimensions())
    return fail(
        comm.owner(), MPI_ERR_DIMS,
        fmt::format("direction {} of a grid of {} dimensions", direction, grid->dimensions()));
  *rank_dest = grid->neighbor(comm.rank(), direction, disp).value_or(MPI_PROC_NULL);
  *rank_source = grid->neighbor(comm.rank(), direction, -disp).value_or(MPI_PROC_NULL);
  return MPI_SUCCESS;
}

int Cart_map(Comm &comm, int ndims, const int *dims, const int *periods, int *newrank) {
  int error;
  const CartesianGrid grid = gridFrom(comm, ndims, dims, periods, error);
  if (error)
    return error;
  *newrank = comm.rank() < grid.nodes() ? comm.rank() : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Dims_create(int nnodes, int ndims, int *dims) {
  process::Rank &rank = *process::currentRank();
  if (nnodes <= 0)
    return fail(rank, MPI_ERR_ARG, fmt::format("a grid of {} ranks", nnodes));
  if (ndims == 0)
    return MPI_SUCCESS;
  if (!balanceDims(nnodes, {dims, static_cast<size_t>(ndims)}))
    return fail(rank, MPI_ERR_DIMS,
                fmt::format("the given dims are negative or do not divide {}", nnodes));
  return MPI_SUCCESS;
}

int Topo_test(Comm &comm, int *status) {
  const Topology *topology = comm.topology.get();
  *status = !topology           ? MPI_UNDEFINED
            : topology->grid()  ? MPI_CART
            : topology->graph() ? MPI_GRAPH
                                : MPI_DIST_GRAPH;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
