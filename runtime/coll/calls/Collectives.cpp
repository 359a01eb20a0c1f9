// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's collectives: arguments become the structs of Arguments.h, which run here and now, or, for
/// the nonblocking calls, on a helper fiber of the rank (Nonblocking.h). Persistent ones:
/// Persistent.cpp.
#include "coll/calls/Collectives.h"

#include "coll/Nonblocking.h"
#include "coll/Timed.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/comm/Comm.h"

#include <vector>

namespace gnomon::coll {

Call callOn(Comm &comm) { return {comm, comm.rank(), comm.size(), Comm::BlockingTag}; }

int checkOp(const Op &op, const Datatype &type, Comm &comm) {
  if (op.accepts(type))
    return MPI_SUCCESS;
  const std::string name = type.name().empty() ? "a derived datatype" : type.name();
  return mpi::fail(comm.owner(), MPI_ERR_OP,
                   std::string(op.name()) + " cannot be applied to " + name);
}

namespace {

std::vector<const Datatype *> typesOf(Comm &comm, const MPI_Datatype *handles) {
  std::vector<const Datatype *> types(static_cast<size_t>(comm.peers()));
  for (size_t r = 0; r < types.size(); ++r)
    types[r] = mpi::find<Datatype>(comm.owner(), handles[r]);
  return types;
}

} // namespace

Kept keptTypes(Comm &comm, const void *send, const MPI_Datatype *sendTypes,
               const MPI_Datatype *recvTypes) {
  Kept kept;
  kept.recvTypes = typesOf(comm, recvTypes);
  kept.sendTypes = inPlace(send) ? kept.recvTypes : typesOf(comm, sendTypes);
  for (const auto *list : {&kept.sendTypes, &kept.recvTypes})
    for (const Datatype *type : *list)
      kept.types.emplace_back(*type);
  return kept;
}

} // namespace gnomon::coll

namespace gnomon::impl {

using namespace coll;
using mpi::Comm;
using mpi::Datatype;
using mpi::Op;

int Barrier(Comm &comm) { return perform(BarrierArgs{callOn(comm)}); }
int Ibarrier(Comm &comm, MPI_Request *request) {
  return start("MPI_Ibarrier", BarrierArgs{callOn(comm)}, {}, request);
}

int Bcast(void *buffer, int64_t count, Datatype &datatype, int root, Comm &comm) {
  return perform(BcastArgs{callOn(comm), buffer, count, &datatype, root});
}
int Ibcast(void *buffer, int64_t count, Datatype &datatype, int root, Comm &comm,
           MPI_Request *request) {
  return start("MPI_Ibcast", BcastArgs{callOn(comm), buffer, count, &datatype, root}, {{datatype}},
               request);
}

ReduceArgs reduceArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                      int root, Comm &comm) {
  return {ReductionArgs{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}, root};
}
int Reduce(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op, int root,
           Comm &comm) {
  if (int error = root == MPI_PROC_NULL ? MPI_SUCCESS : checkOp(op, datatype, comm))
    return error;
  return perform(reduceArgs(sendbuf, recvbuf, count, datatype, op, root, comm));
}
int Ireduce(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op, int root,
            Comm &comm, MPI_Request *request) {
  if (int error = root == MPI_PROC_NULL ? MPI_SUCCESS : checkOp(op, datatype, comm))
    return error;
  return start("MPI_Ireduce", reduceArgs(sendbuf, recvbuf, count, datatype, op, root, comm),
               {{datatype}, &op, {}, {}}, request);
}

AllreduceArgs allreduceArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype,
                            Op &op, Comm &comm) {
  return {ReductionArgs{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
}
int Allreduce(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
              Comm &comm) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return perform(allreduceArgs(sendbuf, recvbuf, count, datatype, op, comm));
}
int Iallreduce(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
               Comm &comm, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return start("MPI_Iallreduce", allreduceArgs(sendbuf, recvbuf, count, datatype, op, comm),
               {{datatype}, &op, {}, {}}, request);
}

ScanArgs scanArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                  Comm &comm) {
  return {ReductionArgs{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
}
int Scan(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
         Comm &comm) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return perform(scanArgs(sendbuf, recvbuf, count, datatype, op, comm));
}
int Iscan(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op, Comm &comm,
          MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return start("MPI_Iscan", scanArgs(sendbuf, recvbuf, count, datatype, op, comm),
               {{datatype}, &op, {}, {}}, request);
}

ExscanArgs exscanArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                      Comm &comm) {
  return {ReductionArgs{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
}
int Exscan(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
           Comm &comm) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return perform(exscanArgs(sendbuf, recvbuf, count, datatype, op, comm));
}
int Iexscan(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
            Comm &comm, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return start("MPI_Iexscan", exscanArgs(sendbuf, recvbuf, count, datatype, op, comm),
               {{datatype}, &op, {}, {}}, request);
}

ReduceScatterArgs reduceScatterArgs(const void *sendbuf, void *recvbuf, Counts recvcounts,
                                    Datatype &datatype, Op &op, Comm &comm) {
  return {callOn(comm), sendbuf, recvbuf, recvcounts, 0, &datatype, &op};
}
int Reduce_scatter(const void *sendbuf, void *recvbuf, Counts recvcounts, Datatype &datatype,
                   Op &op, Comm &comm) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return perform(reduceScatterArgs(sendbuf, recvbuf, recvcounts, datatype, op, comm));
}
int Ireduce_scatter(const void *sendbuf, void *recvbuf, Counts recvcounts, Datatype &datatype,
                    Op &op, Comm &comm, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return start("MPI_Ireduce_scatter",
               reduceScatterArgs(sendbuf, recvbuf, recvcounts, datatype, op, comm),
               {{datatype}, &op, {}, {}}, request);
}

ReduceScatterBlockArgs reduceScatterBlockArgs(const void *sendbuf, void *recvbuf, int64_t recvcount,
                                              Datatype &datatype, Op &op, Comm &comm) {
  return {{callOn(comm), sendbuf, recvbuf, nullptr, recvcount, &datatype, &op}};
}
int Reduce_scatter_block(const void *sendbuf, void *recvbuf, int64_t recvcount, Datatype &datatype,
                         Op &op, Comm &comm) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return perform(reduceScatterBlockArgs(sendbuf, recvbuf, recvcount, datatype, op, comm));
}
int Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int64_t recvcount, Datatype &datatype,
                          Op &op, Comm &comm, MPI_Request *request) {
  if (int error = checkOp(op, datatype, comm))
    return error;
  return start("MPI_Ireduce_scatter_block",
               reduceScatterBlockArgs(sendbuf, recvbuf, recvcount, datatype, op, comm),
               {{datatype}, &op, {}, {}}, request);
}

GatherArgs gatherArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                      int64_t recvcount, Datatype &recvtype, int root, Comm &comm) {
  return {callOn(comm), sendbuf, sendcount, &sendtype, recvbuf,
          recvcount,    nullptr, nullptr,   &recvtype, root};
}
int Gather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
           int64_t recvcount, Datatype &recvtype, int root, Comm &comm) {
  return perform(
      gatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}
int Igather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
            int64_t recvcount, Datatype &recvtype, int root, Comm &comm, MPI_Request *request) {
  return start("MPI_Igather",
               gatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
               {{sendtype, recvtype}}, request);
}

GathervArgs gathervArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        Counts recvcounts, Counts displs, Datatype &recvtype, int root,
                        Comm &comm) {
  return {{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, 0, recvcounts, displs, &recvtype,
           root}};
}
int Gatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
            Counts recvcounts, Counts displs, Datatype &recvtype, int root, Comm &comm) {
  return perform(
      gathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm));
}
int Igatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
             Counts recvcounts, Counts displs, Datatype &recvtype, int root, Comm &comm,
             MPI_Request *request) {
  return start(
      "MPI_Igatherv",
      gathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),
      {{sendtype, recvtype}}, request);
}

ScatterArgs scatterArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        int64_t recvcount, Datatype &recvtype, int root, Comm &comm) {
  return {callOn(comm), sendbuf, sendcount, nullptr,   nullptr,
          &sendtype,    recvbuf, recvcount, &recvtype, root};
}
int Scatter(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
            int64_t recvcount, Datatype &recvtype, int root, Comm &comm) {
  return perform(
      scatterArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}
int Iscatter(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
             int64_t recvcount, Datatype &recvtype, int root, Comm &comm, MPI_Request *request) {
  return start("MPI_Iscatter",
               scatterArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
               {{sendtype, recvtype}}, request);
}

ScattervArgs scattervArgs(const void *sendbuf, Counts sendcounts, Counts displs, Datatype &sendtype,
                          void *recvbuf, int64_t recvcount, Datatype &recvtype, int root,
                          Comm &comm) {
  return {{callOn(comm), sendbuf, 0, sendcounts, displs, &sendtype, recvbuf, recvcount, &recvtype,
           root}};
}
int Scatterv(const void *sendbuf, Counts sendcounts, Counts displs, Datatype &sendtype,
             void *recvbuf, int64_t recvcount, Datatype &recvtype, int root, Comm &comm) {
  return perform(scattervArgs(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                              root, comm));
}
int Iscatterv(const void *sendbuf, Counts sendcounts, Counts displs, Datatype &sendtype,
              void *recvbuf, int64_t recvcount, Datatype &recvtype, int root, Comm &comm,
              MPI_Request *request) {
  return start(
      "MPI_Iscatterv",
      scattervArgs(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),
      {{sendtype, recvtype}}, request);
}

AllgatherArgs allgatherArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                            void *recvbuf, int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return {{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, recvcount, nullptr, nullptr,
           &recvtype}};
}
int Allgather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
              int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return perform(allgatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
int Iallgather(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
               int64_t recvcount, Datatype &recvtype, Comm &comm, MPI_Request *request) {
  return start("MPI_Iallgather",
               allgatherArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               {{sendtype, recvtype}}, request);
}

AllgathervArgs allgathervArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                              void *recvbuf, Counts recvcounts, Counts displs, Datatype &recvtype,
                              Comm &comm) {
  return {{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, 0, recvcounts, displs, &recvtype}};
}
int Allgatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
               Counts recvcounts, Counts displs, Datatype &recvtype, Comm &comm) {
  return perform(
      allgathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm));
}
int Iallgatherv(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                Counts recvcounts, Counts displs, Datatype &recvtype, Comm &comm,
                MPI_Request *request) {
  return start(
      "MPI_Iallgatherv",
      allgathervArgs(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
      {{sendtype, recvtype}}, request);
}

AlltoallArgs alltoallArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                          int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return {callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, recvcount, &recvtype};
}
int Alltoall(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
             int64_t recvcount, Datatype &recvtype, Comm &comm) {
  return perform(alltoallArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
int Ialltoall(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
              int64_t recvcount, Datatype &recvtype, Comm &comm, MPI_Request *request) {
  return start("MPI_Ialltoall",
               alltoallArgs(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
               {{sendtype, recvtype}}, request);
}

AlltoallvArgs alltoallvArgs(const void *sendbuf, Counts sendcounts, Counts sdispls,
                            Datatype &sendtype, void *recvbuf, Counts recvcounts, Counts rdispls,
                            Datatype &recvtype, Comm &comm) {
  return {callOn(comm), sendbuf,    sendcounts, sdispls,  &sendtype,
          recvbuf,      recvcounts, rdispls,    &recvtype};
}
int Alltoallv(const void *sendbuf, Counts sendcounts, Counts sdispls, Datatype &sendtype,
              void *recvbuf, Counts recvcounts, Counts rdispls, Datatype &recvtype, Comm &comm) {
  return perform(alltoallvArgs(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                               recvtype, comm));
}
int Ialltoallv(const void *sendbuf, Counts sendcounts, Counts sdispls, Datatype &sendtype,
               void *recvbuf, Counts recvcounts, Counts rdispls, Datatype &recvtype, Comm &comm,
               MPI_Request *request) {
  return start("MPI_Ialltoallv",
               alltoallvArgs(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                             recvtype, comm),
               {{sendtype, recvtype}}, request);
}

AlltoallwArgs alltoallwArgs(const void *sendbuf, Counts sendcounts, Counts sdispls, void *recvbuf,
                            Counts recvcounts, Counts rdispls, const Kept &kept, Comm &comm) {
  return {callOn(comm), sendbuf, sendcounts,           sdispls, kept.sendTypes.data(), recvbuf,
          recvcounts,   rdispls, kept.recvTypes.data()};
}
int Alltoallw(const void *sendbuf, Counts sendcounts, Counts sdispls, const MPI_Datatype *sendtypes,
              void *recvbuf, Counts recvcounts, Counts rdispls, const MPI_Datatype *recvtypes,
              Comm &comm) {
  const Kept kept = keptTypes(comm, sendbuf, sendtypes, recvtypes);
  return perform(
      alltoallwArgs(sendbuf, sendcounts, sdispls, recvbuf, recvcounts, rdispls, kept, comm));
}
int Ialltoallw(const void *sendbuf, Counts sendcounts, Counts sdispls,
               const MPI_Datatype *sendtypes, void *recvbuf, Counts recvcounts, Counts rdispls,
               const MPI_Datatype *recvtypes, Comm &comm, MPI_Request *request) {
  Kept kept = keptTypes(comm, sendbuf, sendtypes, recvtypes);
  const AlltoallwArgs args =
      alltoallwArgs(sendbuf, sendcounts, sdispls, recvbuf, recvcounts, rdispls, kept, comm);
  return start("MPI_Ialltoallw", args, std::move(kept), request);
}

} // namespace gnomon::impl
