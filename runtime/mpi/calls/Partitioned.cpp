// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on partitioned communication.
#include "mpi/request/Partitioned.h"
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "mpi/request/Polling.h"

#include <fmt/format.h>
#include <utility>

namespace gnomon::impl {

using namespace mpi;

namespace {

int make(bool sends, void *buf, int partitions, MPI_Count count, Datatype &datatype, int peer,
         int tag, Comm &comm, MPI_Request *request, const char *name) {
  if (peer == MPI_ANY_SOURCE)
    return fail(comm.owner(), MPI_ERR_RANK,
                "invalid source: MPI_ANY_SOURCE in a partitioned receive", &comm);
  if (tag == MPI_ANY_TAG)
    return fail(comm.owner(), MPI_ERR_TAG, "invalid tag: MPI_ANY_TAG in a partitioned receive",
                &comm);
  PartitionedSide side;
  side.sends = sends;
  side.buffer = buf;
  side.partitions = partitions;
  side.count = count;
  side.type = DatatypeRef(datatype);
  side.peer = peer;
  Request *made = newPartitioned(std::move(side), tag, comm, name);
  if (!made)
    return fail(
        comm.owner(), MPI_ERR_NO_MEM,
        fmt::format("all operations together may have 2^30 partitions; there are no {} left",
                    partitions),
        &comm);
  *request = expose(*made);
  return MPI_SUCCESS;
}

int wrong(Request &request, const std::string &detail) {
  return fail(request.comm->owner(), MPI_ERR_REQUEST, detail, request.comm);
}

int wrongPartition(Request &request, int partition, const PartitionedSide &side) {
  return fail(request.comm->owner(), MPI_ERR_ARG,
              fmt::format("invalid partition: {} of {}", partition, side.partitions), request.comm);
}

} // namespace

int Psend_init(const void *buf, int partitions, MPI_Count count, Datatype &datatype, int dest,
               int tag, Comm &comm, Info *, MPI_Request *request) {
  return make(true, const_cast<void *>(buf), partitions, count, datatype, dest, tag, comm, request,
              "MPI_Psend_init");
}

int Precv_init(void *buf, int partitions, MPI_Count count, Datatype &datatype, int dest, int tag,
               Comm &comm, Info *, MPI_Request *request) {
  return make(false, buf, partitions, count, datatype, dest, tag, comm, request, "MPI_Precv_init");
}

int Pready(int partition, Request &request) {
  PartitionedSide *side = partitionedSide(request);
  if (!side || !side->sends)
    return wrong(request, "invalid request: MPI_Psend_init did not make it");
  if (!request.active)
    return wrong(request, "invalid request: it has not been started");
  if (partition < 0 || partition >= side->partitions)
    return wrongPartition(request, partition, *side);
  if (side->missing == 0 ||
      (side->peer != MPI_PROC_NULL && side->messages[static_cast<size_t>(partition)]))
    return fail(request.comm->owner(), MPI_ERR_ARG,
                fmt::format("invalid partition: {} is ready already", partition), request.comm);
  makeReady(*side, partition);
  return MPI_SUCCESS;
}

int Pready_range(int partition_low, int partition_high, Request &request) {
  for (int partition = partition_low; partition <= partition_high; ++partition)
    if (int error = Pready(partition, request))
      return error;
  return MPI_SUCCESS;
}

int Pready_list(int length, const int *array_of_partitions, Request &request) {
  for (int i = 0; i < length; ++i)
    if (int error = Pready(array_of_partitions[i], request))
      return error;
  return MPI_SUCCESS;
}

int Parrived(Request &request, int partition, int *flag) {
  PartitionedSide *side = partitionedSide(request);
  if (!side || side->sends)
    return wrong(request, "invalid request: MPI_Precv_init did not make it");
  if (partition < 0 || partition >= side->partitions)
    return wrongPartition(request, partition, *side);
  RankState &own = currentState();
  *flag = 1;
  if (request.active)
    *flag = poll(own, own.runtime.world.protocol.testSeconds(), own.failedTests, {.isKnown = false},
                 [&] { return findsOther(own, hasArrived(*side, partition)); });
  else
    own.failedTests = 0;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
