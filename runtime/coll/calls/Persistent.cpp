// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's persistent collectives (MPI 4.1, section 6.13): the arguments of the blocking calls, kept
/// for MPI_Start (Nonblocking.h).
#include "coll/Nonblocking.h"
#include "coll/calls/Collectives.h"
#include "impl/Impl.h"
#include "mpi/comm/Comm.h"

#include <utility>

namespace gnomon::impl {

using namespace coll;
using mpi::Comm;
using mpi::Datatype;
using mpi::Op;

int Barrier_init(Comm &comm, mpi::Info *, MPI_Request *request) {
  return prepare("MPI_Barrier_init", BarrierArgs{callOn(comm)}, {}, request);
}

int Bcast_init(void *buffer, int64_t count, Datatype &datatype, int root, Comm &comm, mpi::Info *,
               MPI_Request *request) {
  return prepare("MPI_Bcast_init", BcastArgs{callOn(comm), buffer, count, &datatype, root},
                 {{datatype}}, request);
}

int Reduce_init(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                int root, Comm &comm, mpi::Info *, MPI_Request *request) {
  if (int error = root == MPI_PROC_NULL ? MPI_SUCCESS : checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Reduce_init", reduceArgs(sendbuf, recvbuf, count, datatype, op, root, comm),
                 {{datatype}, &op}, request);
}

int Allreduce_init(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                   Comm &comm, mpi::Info *, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Allreduce_init", allreduceArgs(sendbuf, recvbuf, count, datatype, op, comm),
                 {{datatype}, &op}, request);
}

int Scan_init(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
              Comm &comm, mpi::Info *, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Scan_init", scanArgs(sendbuf, recvbuf, count, datatype, op, comm),
                 {{datatype}, &op}, request);
}

int Exscan_init(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                Comm &comm, mpi::Info *, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Exscan_init", exscanArgs(sendbuf, recvbuf, count, datatype, op, comm),
                 {{datatype}, &op}, request);
}

int Reduce_scatter_init(const void *sendbuf, void *recvbuf, Counts recvcounts, Datatype &datatype,
                        Op &op, Comm &comm, mpi::Info *, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Reduce_scatter_init",
                 reduceScatterArgs(sendbuf, recvbuf, recvcounts, datatype, op, comm),
                 {{datatype}, &op}, request);
}

int Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int64_t recvcount,
                              Datatype &datatype, Op &op, Comm &comm, mpi::Info *,
                              MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return prepare("MPI_Reduce_scatter_block_init",
                 reduceScatterBlockArgs(sendbuf, recvbuf, recvcount, datatype, op, comm),
                 {{datatype}, &op}, request);
}

int Gather_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                int64_t recvcount, Datatype &recvtype, int root, Comm &comm, mpi::Info *,
                MPI_Request *request) {
  return prepare("MPI_Gather_init",
                 gatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
                 {{sendtype, recvtype}}, request);
}

int Gatherv_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                 Counts recvcounts, Counts displs, Datatype &recvtype, int root, Comm &comm,
                 mpi::Info *, MPI_Request *request) {
  return prepare(
      "MPI_Gatherv_init",
      gathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
      {{sendtype, recvtype}}, request);
}

int Scatter_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                 int64_t recvcount, Datatype &recvtype, int root, Comm &comm, mpi::Info *,
                 MPI_Request *request) {
  return prepare(
      "MPI_Scatter_init",
      scatterArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
      {{sendtype, recvtype}}, request);
}

int Scatterv_init(const void *sendbuf, Counts sendcounts, Counts displs, Datatype &sendtype,
                  void *recvbuf, int64_t recvcount, Datatype &recvtype, int root, Comm &comm,
                  mpi::Info *, MPI_Request *request) {
  return prepare(
      "MPI_Scatterv_init",
      scattervArgs(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
      {{sendtype, recvtype}}, request);
}

int Allgather_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                   int64_t recvcount, Datatype &recvtype, Comm &comm, mpi::Info *,
                   MPI_Request *request) {
  return prepare("MPI_Allgather_init",
                 allgatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                 {{sendtype, recvtype}}, request);
}

int Allgatherv_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                    Counts recvcounts, Counts displs, Datatype &recvtype, Comm &comm, mpi::Info *,
                    MPI_Request *request) {
  return prepare(
      "MPI_Allgatherv_init",
      allgathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
      {{sendtype, recvtype}}, request);
}

int Alltoall_init(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                  int64_t recvcount, Datatype &recvtype, Comm &comm, mpi::Info *,
                  MPI_Request *request) {
  return prepare("MPI_Alltoall_init",
                 alltoallArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
                 {{sendtype, recvtype}}, request);
}

int Alltoallv_init(const void *sendbuf, Counts sendcounts, Counts sdispls, Datatype &sendtype,
                   void *recvbuf, Counts recvcounts, Counts rdispls, Datatype &recvtype, Comm &comm,
                   mpi::Info *, MPI_Request *request) {
  return prepare("MPI_Alltoallv_init",
                 alltoallvArgs(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm),
                 {{sendtype, recvtype}}, request);
}

int Alltoallw_init(const void *sendbuf, Counts sendcounts, Counts sdispls,
                   const MPI_Datatype *sendtypes, void *recvbuf, Counts recvcounts, Counts rdispls,
                   const MPI_Datatype *recvtypes, Comm &comm, mpi::Info *, MPI_Request *request) {
  Kept kept = keptTypes(comm, sendbuf, sendtypes, recvtypes);
  const AlltoallwArgs args =
      alltoallwArgs(sendbuf, sendcounts, sdispls, recvbuf, recvcounts, rdispls, kept, comm);
  return prepare("MPI_Alltoallw_init", args, std::move(kept), request);
}

} // namespace gnomon::impl
