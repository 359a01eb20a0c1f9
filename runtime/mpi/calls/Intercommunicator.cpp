// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that make intercommunicators or need one.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

int notInter(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_COMM,
              "invalid comm: " + describe(comm) + " is no intercommunicator", &comm);
}

/// What is wrong with arguments that count at the leader only; MPI_SUCCESS for nothing.
int checkLeader(Comm &local, Comm *peer, int remoteLeader) {
  process::Rank &rank = local.owner();
  if (!peer)
    return fail(rank, MPI_ERR_COMM, "invalid peer_comm: null at the local leader", &local);
  if (remoteLeader < 0 || remoteLeader >= peer->peers())
    return fail(rank, MPI_ERR_RANK,
                fmt::format("invalid remote_leader: {} in a communicator of {} ranks", remoteLeader,
                            peer->peers()),
                &local);
  if (peer->process(remoteLeader) == rank.number)
    return fail(rank, MPI_ERR_RANK, "invalid remote_leader: it is the local leader itself", &local);
  return MPI_SUCCESS;
}

} // namespace

int Comm_test_inter(Comm &comm, int *flag) {
  *flag = comm.isInter();
  return MPI_SUCCESS;
}

int Comm_remote_size(Comm &comm, int *size) {
  if (!comm.isInter())
    return notInter(comm);
  *size = comm.peers();
  return MPI_SUCCESS;
}

int Comm_remote_group(Comm &comm, MPI_Group *group) {
  if (!comm.isInter())
    return notInter(comm);
  *group = insert<Group>(comm.owner(), new Group(comm.remoteMembers(), comm.owner().number));
  return MPI_SUCCESS;
}

int Intercomm_create(Comm &local_comm, int local_leader, Comm *peer_comm, int remote_leader,
                     int tag, MPI_Comm *newintercomm) {
  *newintercomm = MPI_COMM_NULL;
  process::Rank &rank = local_comm.owner();
  if (local_comm.isInter())
    return fail(rank, MPI_ERR_COMM, "invalid local_comm: it is an intercommunicator", &local_comm);
  if (local_leader < 0 || local_leader >= local_comm.size())
    return fail(rank, MPI_ERR_RANK,
                fmt::format("invalid local_leader: {} in a communicator of {} ranks", local_leader,
                            local_comm.size()),
                &local_comm);
  if (local_comm.rank() == local_leader)
    if (int error = checkLeader(local_comm, peer_comm, remote_leader))
      return error;
  Comm *made = createIntercomm(local_comm, local_leader, peer_comm, remote_leader, tag);
  if (!made)
    return fail(rank, MPI_ERR_COMM, "the two groups have members in common", &local_comm);
  *newintercomm = expose(*made);
  return MPI_SUCCESS;
}

int Intercomm_merge(Comm &intercomm, int high, MPI_Comm *newintracomm) {
  *newintracomm = MPI_COMM_NULL;
  if (!intercomm.isInter())
    return notInter(intercomm);
  Comm *merged = mergeIntercomm(intercomm, high != 0);
  if (!merged)
    return fail(intercomm.owner(), MPI_ERR_ARG,
                "invalid high: the ranks of one group give different values", &intercomm);
  *newintracomm = expose(*merged);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
