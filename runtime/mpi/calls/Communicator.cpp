// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on communicators.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/Creation.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// What a program may give as mpi_hw_resource_type.
constexpr const char *HostResource = "gnomon://host";

uintptr_t bits(MPI_Comm handle) { return reinterpret_cast<uintptr_t>(handle); }

/// The hints that the standard defines for communicators; others are ignored, as it wants of hints
/// that an implementation does not know. (None changes what Gnomon does.)
std::unique_ptr<Info> knownHints(const Info &info) {
  auto known = std::make_unique<Info>();
  for (const char *key : {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                          "mpi_assert_exact_length", "mpi_assert_allow_overtaking"})
    if (const std::string *value = info.find(key))
      known->set(key, *value);
  return known;
}

/// The rest of MPI_Comm_dup once the new communicator is there. Attributes were copied before:
/// their callbacks may fail, and then no rank waits for this one.
int finishDuplicate(Comm &comm, Comm *copy, AttributeSet attributes, const Info *info,
                    MPI_Comm *newcomm) {
  copy->attributes = std::move(attributes);
  copy->topology = comm.topology;
  if (info)
    copy->info = knownHints(*info);
  *newcomm = expose(*copy);
  return MPI_SUCCESS;
}

int duplicate(Comm &comm, const Info *info, MPI_Comm *newcomm, const char *function) {
  *newcomm = MPI_COMM_NULL;
  AttributeSet attributes;
  int error = copyAttributes(comm.owner(), comm.attributes, bits(comm.handle), attributes);
  if (error)
    return error;
  return finishDuplicate(comm, duplicateComm(comm, function), std::move(attributes), info, newcomm);
}

int startDuplicate(Comm &comm, const Info *info, MPI_Comm *newcomm, MPI_Request *request,
                   const char *function) {
  *newcomm = MPI_COMM_NULL;
  *request = MPI_REQUEST_NULL;
  AttributeSet attributes;
  int error = copyAttributes(comm.owner(), comm.attributes, bits(comm.handle), attributes);
  if (error)
    return error;
  Request *task = newTask(comm, function);
  Comm *copy = duplicateLater(comm, *task);
  *request = expose(*task);
  return finishDuplicate(comm, copy, std::move(attributes), info, newcomm);
}

int giveNew(Comm *comm, MPI_Comm *newcomm) {
  *newcomm = comm ? expose(*comm) : MPI_COMM_NULL;
  return MPI_SUCCESS;
}

/// Whether every member of \p part is one of \p whole.
bool contains(const Members &whole, const Members &part) {
  for (int rank = 0; rank < part.size(); ++rank)
    if (whole.rankOf(part.process(rank)) < 0)
      return false;
  return true;
}

int notWithin(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_GROUP,
              "invalid group: it has members that are not in " + describe(comm), &comm);
}

int notIntra(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_COMM,
              "invalid comm: " + describe(comm) + " is an intercommunicator", &comm);
}

} // namespace

int Comm_rank(Comm &comm, int *rank) {
  *rank = comm.rank();
  return MPI_SUCCESS;
}

int Comm_size(Comm &comm, int *size) {
  *size = comm.size();
  return MPI_SUCCESS;
}

int Comm_group(Comm &comm, MPI_Group *group) {
  *group = insert<Group>(comm.owner(), new Group(comm.members(), comm.owner().number));
  return MPI_SUCCESS;
}

int Comm_compare(Comm &comm1, Comm &comm2, int *result) {
  // Groups of an intercommunicator correspond, local to local and remote to remote.
  auto both = [&](bool (Members::*same)(const Members &) const) {
    return comm1.isInter() == comm2.isInter() && ((*comm1.members()).*same)(*comm2.members()) &&
           (!comm1.isInter() || ((*comm1.remoteMembers()).*same)(*comm2.remoteMembers()));
  };
  if (&comm1 == &comm2)
    *result = MPI_IDENT;
  else if (both(&Members::sameOrder))
    *result = MPI_CONGRUENT;
  else
    *result = both(&Members::sameSet) ? MPI_SIMILAR : MPI_UNEQUAL;
  return MPI_SUCCESS;
}

int Comm_dup(Comm &comm, MPI_Comm *newcomm) {
  return duplicate(comm, comm.info.get(), newcomm, "MPI_Comm_dup");
}

int Comm_dup_with_info(Comm &comm, Info *info, MPI_Comm *newcomm) {
  return duplicate(comm, info, newcomm, "MPI_Comm_dup_with_info");
}

int Comm_idup(Comm &comm, MPI_Comm *newcomm, MPI_Request *request) {
  return startDuplicate(comm, comm.info.get(), newcomm, request, "MPI_Comm_idup");
}

int Comm_idup_with_info(Comm &comm, Info *info, MPI_Comm *newcomm, MPI_Request *request) {
  return startDuplicate(comm, info, newcomm, request, "MPI_Comm_idup_with_info");
}

int Comm_split(Comm &comm, int color, int key, MPI_Comm *newcomm) {
  if (color < 0 && color != MPI_UNDEFINED)
    return fail(comm.owner(), MPI_ERR_ARG,
                fmt::format("invalid color {}: neither >= 0 nor MPI_UNDEFINED", color), &comm);
  return giveNew(splitComm(comm, color, key, "MPI_Comm_split"), newcomm);
}

/// MPI_COMM_TYPE_SHARED and what MPI_Get_hw_resource_info names: the ranks of one simulated host,
/// the one resource that Gnomon's platforms tell.
int Comm_split_type(Comm &comm, int split_type, int key, Info *info, MPI_Comm *newcomm) {
  if (comm.isInter())
    return notIntra(comm);
  int color = MPI_UNDEFINED;
  switch (split_type) {
  case MPI_COMM_TYPE_SHARED:
    color = static_cast<int>(comm.owner().host);
    break;
  case MPI_COMM_TYPE_HW_GUIDED:
  case MPI_COMM_TYPE_RESOURCE_GUIDED:
    if (const std::string *type = info ? info->find("mpi_hw_resource_type") : nullptr)
      if (*type == HostResource || *type == "mpi_shared_memory")
        color = static_cast<int>(comm.owner().host);
    break;
  case MPI_COMM_TYPE_HW_UNGUIDED:
  case MPI_UNDEFINED:
    break;
  default:
    return fail(comm.owner(), MPI_ERR_ARG, fmt::format("invalid split_type {}", split_type), &comm);
  }
  return giveNew(splitComm(comm, color, key, "MPI_Comm_split_type"), newcomm);
}

int Get_hw_resource_info(MPI_Info *hw_info) {
  auto *resources = new Info;
  resources->set(HostResource, "true"); // each rank is on one host
  *hw_info = insert<Info>(*process::currentRank(), resources);
  return MPI_SUCCESS;
}

int Comm_create(Comm &comm, Group &group, MPI_Comm *newcomm) {
  if (!contains(*comm.members(), *group.members()))
    return notWithin(comm);
  return giveNew(createComm(comm, group.members(), "MPI_Comm_create"), newcomm);
}

int Comm_create_group(Comm &comm, Group &group, int tag, MPI_Comm *newcomm) {
  if (comm.isInter())
    return notIntra(comm);
  if (!contains(*comm.members(), *group.members()))
    return notWithin(comm);
  *newcomm = MPI_COMM_NULL;
  if (group.rank() < 0 || group.size() == 0)
    return MPI_SUCCESS;
  return giveNew(createCommOfGroup(comm, group.members(), tag, "MPI_Comm_create_group"), newcomm);
}

int Comm_free(MPI_Comm *comm) {
  process::Rank &rank = *process::currentRank();
  Comm *freed = find<Comm>(rank, *comm);
  if (!freed || bits(*comm) < 0x1000)
    return fail(rank, MPI_ERR_COMM,
                freed ? describe(*freed) + " cannot be freed"
                      : std::string("invalid comm: the handle names no communicator"));
  if (int error = deleteAttributes(rank, freed->attributes, bits(*comm)))
    return error;
  if (freed == state(rank).parent)
    state(rank).parent = nullptr;
  erase<Comm>(rank, *comm);
  *comm = MPI_COMM_NULL;
  freed->handle = MPI_COMM_NULL;
  freed->release();
  return MPI_SUCCESS;
}

int Comm_set_name(Comm &comm, const char *comm_name) {
  comm.name.assign(comm_name, strnlen(comm_name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

int Comm_get_name(Comm &comm, char *comm_name, int *resultlen) {
  std::memcpy(comm_name, comm.name.c_str(), comm.name.size() + 1);
  *resultlen = static_cast<int>(comm.name.size());
  return MPI_SUCCESS;
}

int Comm_set_info(Comm &comm, Info *info) {
  comm.info = info ? knownHints(*info) : nullptr;
  return MPI_SUCCESS;
}

int Comm_get_info(Comm &comm, MPI_Info *info_used) {
  auto *copy = comm.info ? new Info(*comm.info) : new Info;
  *info_used = insert<Info>(comm.owner(), copy);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
