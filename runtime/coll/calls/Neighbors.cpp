// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's neighbourhood collectives: the neighbours of the communicator's topology and the blocks of
/// the call become a NeighborArgs, which the blocking, nonblocking and persistent forms share.
#include "coll/Nonblocking.h"
#include "coll/calls/Collectives.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"
#include "mpi/comm/Topology.h"

#include <utility>

namespace gnomon::coll {

namespace {

/// Runs a call whose blocks \p out(i) and \p in(i) gives, or refuses a communicator without
/// neighbours.
template <class Out, class In>
int exchange(const Form &form, Comm &comm, Kept kept, Out out, In in) {
  if (!comm.topology)
    return mpi::fail(comm.owner(), MPI_ERR_TOPOLOGY, "the communicator has no topology");
  NeighborArgs args{callOn(comm)};
  mpi::Neighbors neighbors = comm.topology->neighbors(comm.rank());
  args.sources = std::move(neighbors.sources);
  args.destinations = std::move(neighbors.destinations);
  args.grid = comm.topology->grid();
  for (size_t i = 0; i < args.destinations.size(); ++i)
    args.out.push_back(out(i));
  for (size_t i = 0; i < args.sources.size(); ++i)
    args.in.push_back(in(i));
  return perform(form, args, std::move(kept));
}

/// Where the blocks of a call are.
auto same(const void *data, int64_t count, const Datatype &type) {
  return [=, &type](size_t) { return ConstBlock{data, count, &type}; };
}
auto evenly(const void *data, int64_t count, const Datatype &type) {
  return [=, &type](size_t i) {
    return ConstBlock{at(data, static_cast<int64_t>(i) * count, type), count, &type};
  };
}
auto evenly(void *data, int64_t count, const Datatype &type) {
  return [=, &type](size_t i) {
    return Block{at(data, static_cast<int64_t>(i) * count, type), count, &type};
  };
}
auto placed(const void *data, Counts counts, Counts displacements, const Datatype &type) {
  return [=, &type](size_t i) {
    return ConstBlock{at(data, displacements[i], type), counts[i], &type};
  };
}
auto placed(void *data, Counts counts, Counts displacements, const Datatype &type) {
  return [=, &type](size_t i) { return Block{at(data, displacements[i], type), counts[i], &type}; };
}
/// Displacements in bytes; \p kept keeps the types.
template <class Result, class Data>
auto typed(Comm &comm, Data data, Counts counts, const MPI_Aint *displacements,
           const MPI_Datatype *types) {
  return [=, &comm](size_t i) {
    return Result{data + displacements[i], counts[i], mpi::find<Datatype>(comm.owner(), types[i])};
  };
}

Kept keptTypes(Comm &comm, const MPI_Datatype *sendTypes, const MPI_Datatype *recvTypes) {
  Kept kept;
  auto keep = [&](const MPI_Datatype *types, int count) {
    for (int i = 0; i < count; ++i)
      kept.types.emplace_back(*mpi::find<Datatype>(comm.owner(), types[i]));
  };
  keep(sendTypes, mpi::destinationCount(comm));
  keep(recvTypes, mpi::sourceCount(comm));
  return kept;
}

} // namespace

} // namespace gnomon::coll

namespace gnomon::impl {

using namespace coll;
using mpi::Comm;
using mpi::Datatype;

static int neighborAllgather(const Form &form, const void *sendbuf, int64_t sendcount,
                             Datatype &sendtype, void *recvbuf, int64_t recvcount,
                             Datatype &recvtype, Comm &comm) {
  return exchange(form, comm, {{sendtype, recvtype}}, same(sendbuf, sendcount, sendtype),
                  evenly(recvbuf, recvcount, recvtype));
}
int Neighbor_allgather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                       int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return neighborAllgather({"MPI_Neighbor_allgather"}, sendbuf, sendcount, sendtype, recvbuf,
                           recvcount, recvtype, comm);
}
int Ineighbor_allgather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        int64_t recvcount, Datatype &recvtype, Comm &comm, MPI_Request *request) {
  return neighborAllgather({"MPI_Ineighbor_allgather", request}, sendbuf, sendcount, sendtype,
                           recvbuf, recvcount, recvtype, comm);
}
int Neighbor_allgather_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                            void *recvbuf, int64_t recvcount, Datatype &recvtype, Comm &comm,
                            mpi::Info *, MPI_Request *request) {
  return neighborAllgather({"MPI_Neighbor_allgather_init", request, true}, sendbuf, sendcount,
                           sendtype, recvbuf, recvcount, recvtype, comm);
}

static int neighborAllgatherv(const Form &form, const void *sendbuf, int64_t sendcount,
                              Datatype &sendtype, void *recvbuf, Counts recvcounts, Counts displs,
                              Datatype &recvtype, Comm &comm) {
  return exchange(form, comm, {{sendtype, recvtype}}, same(sendbuf, sendcount, sendtype),
                  placed(recvbuf, recvcounts, displs, recvtype));
}
int Neighbor_allgatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        Counts recvcounts, Counts displs, Datatype &recvtype, Comm &comm) {
  return neighborAllgatherv({"MPI_Neighbor_allgatherv"}, sendbuf, sendcount, sendtype, recvbuf,
                            recvcounts, displs, recvtype, comm);
}
int Ineighbor_allgatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                         Counts recvcounts, Counts displs, Datatype &recvtype, Comm &comm,
                         MPI_Request *request) {
  return neighborAllgatherv({"MPI_Ineighbor_allgatherv", request}, sendbuf, sendcount, sendtype,
                            recvbuf, recvcounts, displs, recvtype, comm);
}
int Neighbor_allgatherv_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                             void *recvbuf, Counts recvcounts, Counts displs, Datatype &recvtype,
                             Comm &comm, mpi::Info *, MPI_Request *request) {
  return neighborAllgatherv({"MPI_Neighbor_allgatherv_init", request, true}, sendbuf, sendcount,
                            sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

static int neighborAlltoall(const Form &form, const void *sendbuf, int64_t sendcount,
                            Datatype &sendtype, void *recvbuf, int64_t recvcount,
                            Datatype &recvtype, Comm &comm) {
  return exchange(form, comm, {{sendtype, recvtype}}, evenly(sendbuf, sendcount, sendtype),
                  evenly(recvbuf, recvcount, recvtype));
}
int Neighbor_alltoall(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                      int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return neighborAlltoall({"MPI_Neighbor_alltoall"}, sendbuf, sendcount, sendtype, recvbuf,
                          recvcount, recvtype, comm);
}
int Ineighbor_alltoall(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                       int64_t recvcount, Datatype &recvtype, Comm &comm, MPI_Request *request) {
  return neighborAlltoall({"MPI_Ineighbor_alltoall", request}, sendbuf, sendcount, sendtype,
                          recvbuf, recvcount, recvtype, comm);
}
int Neighbor_alltoall_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                           void *recvbuf, int64_t recvcount, Datatype &recvtype, Comm &comm,
                           mpi::Info *, MPI_Request *request) {
  return neighborAlltoall({"MPI_Neighbor_alltoall_init", request, true}, sendbuf, sendcount,
                          sendtype, recvbuf, recvcount, recvtype, comm);
}

static int neighborAlltoallv(const Form &form, const void *sendbuf, Counts sendcounts,
                             Counts sdispls, Datatype &sendtype, void *recvbuf, Counts recvcounts,
                             Counts rdispls, Datatype &recvtype, Comm &comm) {
  return exchange(form, comm, {{sendtype, recvtype}},
                  placed(sendbuf, sendcounts, sdispls, sendtype),
                  placed(recvbuf, recvcounts, rdispls, recvtype));
}
int Neighbor_alltoallv(const void *sendbuf, Counts sendcounts, Counts sdispls, Datatype &sendtype,
                       void *recvbuf, Counts recvcounts, Counts rdispls, Datatype &recvtype,
                       Comm &comm) {
  return neighborAlltoallv({"MPI_Neighbor_alltoallv"}, sendbuf, sendcounts, sdispls, sendtype,
                           recvbuf, recvcounts, rdispls, recvtype, comm);
}
int Ineighbor_alltoallv(const void *sendbuf, Counts sendcounts, Counts sdispls, Datatype &sendtype,
                        void *recvbuf, Counts recvcounts, Counts rdispls, Datatype &recvtype,
                        Comm &comm, MPI_Request *request) {
  return neighborAlltoallv({"MPI_Ineighbor_alltoallv", request}, sendbuf, sendcounts, sdispls,
                           sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
int Neighbor_alltoallv_init(const void *sendbuf, Counts sendcounts, Counts sdispls,
                            Datatype &sendtype, void *recvbuf, Counts recvcounts, Counts rdispls,
                            Datatype &recvtype, Comm &comm, mpi::Info *, MPI_Request *request) {
  return neighborAlltoallv({"MPI_Neighbor_alltoallv_init", request, true}, sendbuf, sendcounts,
                           sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

static int neighborAlltoallw(const Form &form, const void *sendbuf, Counts sendcounts,
                             const MPI_Aint *sdispls, const MPI_Datatype *sendtypes, void *recvbuf,
                             Counts recvcounts, const MPI_Aint *rdispls,
                             const MPI_Datatype *recvtypes, Comm &comm) {
  return exchange(
      form, comm, keptTypes(comm, sendtypes, recvtypes),
      typed<ConstBlock>(comm, static_cast<const char *>(sendbuf), sendcounts, sdispls, sendtypes),
      typed<Block>(comm, static_cast<char *>(recvbuf), recvcounts, rdispls, recvtypes));
}
int Neighbor_alltoallw(const void *sendbuf, Counts sendcounts, const MPI_Aint *sdispls,
                       const MPI_Datatype *sendtypes, void *recvbuf, Counts recvcounts,
                       const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, Comm &comm) {
  return neighborAlltoallw({"MPI_Neighbor_alltoallw"}, sendbuf, sendcounts, sdispls, sendtypes,
                           recvbuf, recvcounts, rdispls, recvtypes, comm);
}
int Ineighbor_alltoallw(const void *sendbuf, Counts sendcounts, const MPI_Aint *sdispls,
                        const MPI_Datatype *sendtypes, void *recvbuf, Counts recvcounts,
                        const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, Comm &comm,
                        MPI_Request *request) {
  return neighborAlltoallw({"MPI_Ineighbor_alltoallw", request}, sendbuf, sendcounts, sdispls,
                           sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
int Neighbor_alltoallw_init(const void *sendbuf, Counts sendcounts, const MPI_Aint *sdispls,
                            const MPI_Datatype *sendtypes, void *recvbuf, Counts recvcounts,
                            const MPI_Aint *rdispls, const MPI_Datatype *recvtypes, Comm &comm,
                            mpi::Info *, MPI_Request *request) {
  return neighborAlltoallw({"MPI_Neighbor_alltoallw_init", request, true}, sendbuf, sendcounts,
                           sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

} // namespace gnomon::impl
