// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the implementations of MPI's collectives share.
#pragma once

#include "coll/Algorithm.h"
#include "coll/Nonblocking.h"

namespace gnomon::coll {

/// A new operation on \p comm; one that may overlap others gets a tag of its own later.
Call callOn(Comm &comm);
/// MPI_SUCCESS, or MPI_ERR_OP with its detail when \p op cannot be applied to \p type.
int checkOp(const Op &op, const Datatype &type, Comm &comm);
/// The types of a total exchange by type; with MPI_IN_PLACE the send types mean nothing.
Kept keptTypes(Comm &comm, const void *send, const MPI_Datatype *sendTypes,
               const MPI_Datatype *recvTypes);

} // namespace gnomon::coll

namespace gnomon::impl {

using namespace coll;

// What the forms of a call make of its arguments.
ReduceArgs reduceArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                      int root, Comm &comm);
AllreduceArgs allreduceArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype,
                            Op &op, Comm &comm);
ScanArgs scanArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                  Comm &comm);
ExscanArgs exscanArgs(const void *sendbuf, void *recvbuf, int64_t count, Datatype &datatype, Op &op,
                      Comm &comm);
ReduceScatterArgs reduceScatterArgs(const void *sendbuf, void *recvbuf, Counts recvcounts,
                                    Datatype &datatype, Op &op, Comm &comm);
ReduceScatterBlockArgs reduceScatterBlockArgs(const void *sendbuf, void *recvbuf, int64_t recvcount,
                                              Datatype &datatype, Op &op, Comm &comm);
GatherArgs gatherArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                      int64_t recvcount, Datatype &recvtype, int root, Comm &comm);
GathervArgs gathervArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        Counts recvcounts, Counts displs, Datatype &recvtype, int root, Comm &comm);
ScatterArgs scatterArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                        int64_t recvcount, Datatype &recvtype, int root, Comm &comm);
ScattervArgs scattervArgs(const void *sendbuf, Counts sendcounts, Counts displs, Datatype &sendtype,
                          void *recvbuf, int64_t recvcount, Datatype &recvtype, int root,
                          Comm &comm);
AllgatherArgs allgatherArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                            void *recvbuf, int64_t recvcount, Datatype &recvtype, Comm &comm);
AllgathervArgs allgathervArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype,
                              void *recvbuf, Counts recvcounts, Counts displs, Datatype &recvtype,
                              Comm &comm);
AlltoallArgs alltoallArgs(const void *sendbuf, int64_t sendcount, Datatype &sendtype, void *recvbuf,
                          int64_t recvcount, Datatype &recvtype, Comm &comm);
AlltoallvArgs alltoallvArgs(const void *sendbuf, Counts sendcounts, Counts sdispls,
                            Datatype &sendtype, void *recvbuf, Counts recvcounts, Counts rdispls,
                            Datatype &recvtype, Comm &comm);
AlltoallwArgs alltoallwArgs(const void *sendbuf, Counts sendcounts, Counts sdispls, void *recvbuf,
                            Counts recvcounts, Counts rdispls, const Kept &kept, Comm &comm);

} // namespace gnomon::impl
