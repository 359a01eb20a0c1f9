// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's blocking collectives: arguments become the structs of Arguments.h, operations without data
/// end at once (as in Open MPI and MPICH), and Selection runs an algorithm.
#include "coll/Impl.h"

#include "coll/Scratch.h"
#include "coll/Selection.h"
#include "impl/Impl.h"
#include "mpi/Comm.h"
#include "mpi/Error.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gnomon::coll {

Call callOn(Comm &comm) { return {comm, comm.rank(), comm.size(), comm.nextCollectiveTag()}; }

int checkOp(const Op &op, const Datatype &type, Comm &comm) {
  if (op.accepts(type))
    return MPI_SUCCESS;
  const std::string name = type.name().empty() ? "a derived datatype" : type.name();
  return mpi::fail(comm.owner(), MPI_ERR_OP,
                   std::string(op.name()) + " cannot be applied to " + name);
}

namespace {

/// Runs a total exchange whose input is in the receive buffer: from a copy of it.
template <class Args> int runInPlace(Args args) {
  intptr_t low = std::numeric_limits<intptr_t>::max(), high = std::numeric_limits<intptr_t>::min();
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    if (block.bytes() == 0)
      continue;
    const intptr_t first = reinterpret_cast<intptr_t>(block.data) + block.type->trueLowerBound();
    const intptr_t span = (block.count - 1) * block.type->extent();
    low = std::min(low, first + std::min<intptr_t>(0, span));
    high = std::max(high, first + std::max<intptr_t>(0, span) + block.type->trueExtent());
  }
  Scratch copy(low < high ? high - low : 0);
  const intptr_t moved = low < high ? reinterpret_cast<intptr_t>(copy.data()) - low : 0;
  args.send = reinterpret_cast<const void *>(reinterpret_cast<intptr_t>(args.recv) + moved);
  for (int r = 0; r < args.size; ++r) {
    const Block block = args.recvBlock(r);
    const ConstBlock target = args.sendBlock(r);
    mpi::copyTyped(block.data, block.count, *block.type, const_cast<void *>(target.data),
                   target.count, *target.type);
  }
  return run(args);
}

std::vector<const Datatype *> typesOf(Comm &comm, const MPI_Datatype *handles) {
  std::vector<const Datatype *> types(static_cast<size_t>(comm.size()));
  for (size_t r = 0; r < types.size(); ++r)
    types[r] = mpi::find<Datatype>(comm.owner(), handles[r]);
  return types;
}

} // namespace

} // namespace gnomon::coll

namespace gnomon::impl {

using namespace coll;

int Barrier(mpi::Comm &comm) { return run(BarrierArgs{callOn(comm)}); }

int Bcast(void *buffer, int count, mpi::Datatype &datatype, int root, mpi::Comm &comm) {
  const BcastArgs args{callOn(comm), buffer, count, &datatype, root};
  return args.bytes() == 0 ? MPI_SUCCESS : run(args);
}

int Reduce(const void *sendbuf, void *recvbuf, int count, mpi::Datatype &datatype, mpi::Op &op,
           int root, mpi::Comm &comm) {
  const ReduceArgs args{{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}, root};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return count == 0 ? MPI_SUCCESS : run(args);
}

int Allreduce(const void *sendbuf, void *recvbuf, int count, mpi::Datatype &datatype, mpi::Op &op,
              mpi::Comm &comm) {
  const AllreduceArgs args{{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return count == 0 ? MPI_SUCCESS : run(args);
}

int Scan(const void *sendbuf, void *recvbuf, int count, mpi::Datatype &datatype, mpi::Op &op,
         mpi::Comm &comm) {
  const ScanArgs args{{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return count == 0 ? MPI_SUCCESS : run(args);
}

int Exscan(const void *sendbuf, void *recvbuf, int count, mpi::Datatype &datatype, mpi::Op &op,
           mpi::Comm &comm) {
  const ExscanArgs args{{callOn(comm), sendbuf, recvbuf, count, &datatype, &op}};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return count == 0 ? MPI_SUCCESS : run(args);
}

int Reduce_scatter(const void *sendbuf, void *recvbuf, const int *recvcounts,
                   mpi::Datatype &datatype, mpi::Op &op, mpi::Comm &comm) {
  const ReduceScatterArgs args{callOn(comm), sendbuf, recvbuf, recvcounts, 0, &datatype, &op};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return args.total() == 0 ? MPI_SUCCESS : run(args);
}

int Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, mpi::Datatype &datatype,
                         mpi::Op &op, mpi::Comm &comm) {
  const ReduceScatterArgs args{callOn(comm), sendbuf, recvbuf, nullptr, recvcount, &datatype, &op};
  if (int error = checkOp(op, datatype, comm))
    return error;
  return recvcount == 0 ? MPI_SUCCESS : run(args);
}

int Gather(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
           int recvcount, mpi::Datatype &recvtype, int root, mpi::Comm &comm) {
  const GatherArgs args{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf,
                        recvcount,    nullptr, nullptr,   &recvtype, root};
  return args.blockBytes() == 0 ? MPI_SUCCESS : run(args);
}

int Gatherv(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
            const int *recvcounts, const int *displs, mpi::Datatype &recvtype, int root,
            mpi::Comm &comm) {
  return run(GathervArgs{{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, 0, recvcounts,
                          displs, &recvtype, root}});
}

int Scatter(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
            int recvcount, mpi::Datatype &recvtype, int root, mpi::Comm &comm) {
  const ScatterArgs args{callOn(comm), sendbuf, sendcount, nullptr,   nullptr,
                         &sendtype,    recvbuf, recvcount, &recvtype, root};
  return args.blockBytes() == 0 ? MPI_SUCCESS : run(args);
}

int Scatterv(const void *sendbuf, const int *sendcounts, const int *displs, mpi::Datatype &sendtype,
             void *recvbuf, int recvcount, mpi::Datatype &recvtype, int root, mpi::Comm &comm) {
  return run(ScattervArgs{{callOn(comm), sendbuf, 0, sendcounts, displs, &sendtype, recvbuf,
                           recvcount, &recvtype, root}});
}

int Allgather(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
              int recvcount, mpi::Datatype &recvtype, mpi::Comm &comm) {
  const AllgatherArgs args{{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, recvcount,
                            nullptr, nullptr, &recvtype}};
  return args.totalBytes() == 0 ? MPI_SUCCESS : run(args);
}

int Allgatherv(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
               const int *recvcounts, const int *displs, mpi::Datatype &recvtype, mpi::Comm &comm) {
  const AllgathervArgs args{
      {callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, 0, recvcounts, displs, &recvtype}};
  return args.totalBytes() == 0 ? MPI_SUCCESS : run(args);
}

int Alltoall(const void *sendbuf, int sendcount, mpi::Datatype &sendtype, void *recvbuf,
             int recvcount, mpi::Datatype &recvtype, mpi::Comm &comm) {
  AlltoallArgs args{callOn(comm), sendbuf, sendcount, &sendtype, recvbuf, recvcount, &recvtype};
  if (args.blockBytes() == 0)
    return MPI_SUCCESS;
  if (!inPlace(sendbuf))
    return run(args);
  args.sendCount = recvcount;
  args.sendType = &recvtype;
  return runInPlace(args);
}

int Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls,
              mpi::Datatype &sendtype, void *recvbuf, const int *recvcounts, const int *rdispls,
              mpi::Datatype &recvtype, mpi::Comm &comm) {
  const Call call = callOn(comm);
  if (inPlace(sendbuf))
    return runInPlace(AlltoallvArgs{call, nullptr, recvcounts, rdispls, &recvtype, recvbuf,
                                    recvcounts, rdispls, &recvtype});
  return run(AlltoallvArgs{call, sendbuf, sendcounts, sdispls, &sendtype, recvbuf, recvcounts,
                           rdispls, &recvtype});
}

int Alltoallw(const void *sendbuf, const int *sendcounts, const int *sdispls,
              const MPI_Datatype *sendtypes, void *recvbuf, const int *recvcounts,
              const int *rdispls, const MPI_Datatype *recvtypes, mpi::Comm &comm) {
  const Call call = callOn(comm);
  const auto into = typesOf(comm, recvtypes);
  if (inPlace(sendbuf))
    return runInPlace(AlltoallwArgs{call, nullptr, recvcounts, rdispls, into.data(), recvbuf,
                                    recvcounts, rdispls, into.data()});
  const auto from = typesOf(comm, sendtypes);
  return run(AlltoallwArgs{call, sendbuf, sendcounts, sdispls, from.data(), recvbuf, recvcounts,
                           rdispls, into.data()});
}

} // namespace gnomon::impl
