// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on sessions, and communicators made from groups without a parent.
#include "mpi/Session.h"
#include "impl/Impl.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/Creation.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <strings.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

constexpr std::array<const char *, 2> ProcessSets = {"mpi://WORLD", "mpi://SELF"};

struct Level {
  const char *name;
  int value;
};
constexpr Level Levels[] = {{"MPI_THREAD_SINGLE", MPI_THREAD_SINGLE},
                            {"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                            {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                            {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};

/// The members of a process set; null when there is none of that name.
MembersRef membersOf(RankState &own, const char *name) {
  if (strcasecmp(name, ProcessSets[0]) == 0)
    return own.world->members();
  return strcasecmp(name, ProcessSets[1]) == 0 ? own.self().members() : nullptr;
}

int unknownSet(Session &session, const char *name) {
  return fail(session.owner, MPI_ERR_ARG,
              "invalid pset_name: no process set \"" + std::string(name) +
                  "\"; there are mpi://WORLD and mpi://SELF",
              session);
}

int notForSessions(process::Rank &rank) {
  return fail(rank, MPI_ERR_ARG, "invalid errhandler: it was not made for sessions");
}

bool forSessions(const Errhandler &handler) {
  return handler.action != Errhandler::Action::User ||
         handler.target == Errhandler::Target::Session;
}

int checkCommHandler(process::Rank &rank, const Errhandler &handler) {
  if (handler.target == Errhandler::Target::Comm)
    return MPI_SUCCESS;
  return fail(rank, MPI_ERR_ARG, "invalid errhandler: it was not made for communicators");
}

/// Gives a new communicator its error handler and the user its handle.
void give(Comm &comm, Errhandler &errhandler, MPI_Comm *handle) {
  retain(errhandler);
  release(comm.owner(), *comm.errhandler);
  comm.errhandler = &errhandler;
  *handle = expose(comm);
}

} // namespace

int Session_init(Info *info, Errhandler &errhandler, MPI_Session *session) {
  RankState &own = currentState();
  *session = MPI_SESSION_NULL;
  if (!forSessions(errhandler))
    return notForSessions(own.rank);
  // Who asks for nothing gets all that there is, as of MPICH: other threads may have sessions too.
  int required = MPI_THREAD_MULTIPLE;
  const std::string *asked = info ? info->find("thread_level") : nullptr;
  for (const Level &level : Levels)
    if (asked && *asked == level.name)
      required = level.value;
  enterMpi(own);
  ++own.openSessions;
  retain(errhandler);
  auto *made = new Session{own.rank, &errhandler, grantedThreadLevel(required), {}};
  *session = made->handle = insert<Session>(own.rank, made);
  return MPI_SUCCESS;
}

int Session_finalize(MPI_Session *session) {
  RankState &own = currentState();
  Session *ended = find<Session>(own.rank, *session);
  if (!ended)
    return fail(own.rank, MPI_ERR_SESSION, "invalid session: the handle names no session");
  erase<Session>(own.rank, *session);
  release(own.rank, *ended->errhandler);
  delete ended;
  *session = MPI_SESSION_NULL;
  --own.openSessions;
  leaveMpi(own);
  return MPI_SUCCESS;
}

int Session_get_info(Session &session, MPI_Info *info_used) {
  auto *used = new Info;
  for (const Level &level : Levels)
    if (level.value == session.threadLevel)
      used->set("thread_level", level.name);
  *info_used = insert<Info>(session.owner, used);
  return MPI_SUCCESS;
}

int Session_get_num_psets(Session &, Info *, int *npset_names) {
  *npset_names = static_cast<int>(ProcessSets.size());
  return MPI_SUCCESS;
}

int Session_get_nth_pset(Session &session, Info *, int n, int *pset_len, char *pset_name) {
  if (n < 0 || n >= static_cast<int>(ProcessSets.size()))
    return fail(session.owner, MPI_ERR_ARG,
                fmt::format("invalid n: {} of {} process sets", n, ProcessSets.size()), session);
  const char *name = ProcessSets[static_cast<size_t>(n)];
  const size_t length = std::strlen(name);
  if (*pset_len > 0) {
    if (!pset_name)
      return fail(session.owner, MPI_ERR_ARG, "invalid pset_name: a null address for text",
                  session);
    const size_t stored = std::min(length, static_cast<size_t>(*pset_len) - 1);
    std::memcpy(pset_name, name, stored);
    pset_name[stored] = '\0';
  }
  *pset_len = static_cast<int>(length) + 1; // in C, the null byte counts
  return MPI_SUCCESS;
}

int Session_get_pset_info(Session &session, const char *pset_name, MPI_Info *info) {
  const MembersRef members = membersOf(state(session.owner), pset_name);
  if (!members)
    return unknownSet(session, pset_name);
  auto *about = new Info;
  about->set("mpi_size", std::to_string(members->size()));
  *info = insert<Info>(session.owner, about);
  return MPI_SUCCESS;
}

int Group_from_session_pset(Session &session, const char *pset_name, MPI_Group *newgroup) {
  MembersRef members = membersOf(state(session.owner), pset_name);
  if (!members)
    return unknownSet(session, pset_name);
  *newgroup = insert<Group>(session.owner, new Group(std::move(members), session.owner.number));
  return MPI_SUCCESS;
}

int Comm_create_from_group(Group &group, const char *stringtag, Info *, Errhandler &errhandler,
                           MPI_Comm *newcomm) {
  RankState &own = currentState();
  *newcomm = MPI_COMM_NULL;
  if (int error = checkCommHandler(own.rank, errhandler))
    return error;
  if (group.size() == 0)
    return MPI_SUCCESS;
  if (group.rank() < 0)
    return fail(own.rank, MPI_ERR_GROUP, "invalid group: the caller is no member");
  give(*createCommFromGroup(own, group.members(), stringtag, "MPI_Comm_create_from_group"),
       errhandler, newcomm);
  return MPI_SUCCESS;
}

int Intercomm_create_from_groups(Group &local_group, int local_leader, Group &remote_group,
                                 int remote_leader, const char *stringtag, Info *,
                                 Errhandler &errhandler, MPI_Comm *newintercomm) {
  constexpr const char *Function = "MPI_Intercomm_create_from_groups";
  RankState &own = currentState();
  *newintercomm = MPI_COMM_NULL;
  if (int error = checkCommHandler(own.rank, errhandler))
    return error;
  if (local_group.rank() < 0)
    return fail(own.rank, MPI_ERR_GROUP, "invalid local_group: the caller is no member");
  if (local_leader < 0 || local_leader >= local_group.size() || remote_leader < 0 ||
      remote_leader >= remote_group.size())
    return fail(own.rank, MPI_ERR_RANK,
                fmt::format("invalid leader: {} of {} local and {} of {} remote ranks",
                            local_leader, local_group.size(), remote_leader, remote_group.size()));
  const uint32_t leader = local_group.members()->process(local_leader);
  const uint32_t other = remote_group.members()->process(remote_leader);
  if (local_group.members()->rankOf(other) >= 0)
    return fail(own.rank, MPI_ERR_GROUP, "the two groups have members in common");
  // The leaders meet in a communicator of their own; strings that no program's tag can be.
  Comm *local =
      createCommFromGroup(own, local_group.members(), std::string("local\n") + stringtag, Function);
  Comm *leaders = nullptr;
  if (own.rank.number == leader)
    leaders =
        createCommFromGroup(own, Members::list({std::min(leader, other), std::max(leader, other)}),
                            std::string("leaders\n") + stringtag, Function);
  Comm *made = createIntercomm(*local, local_leader, leaders, leader < other ? 1 : 0, 0);
  local->release();
  if (leaders)
    leaders->release();
  if (!made)
    return fail(own.rank, MPI_ERR_GROUP, "the two groups have members in common");
  give(*made, errhandler, newintercomm);
  return MPI_SUCCESS;
}

int Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn,
                              MPI_Errhandler *errhandler) {
  auto *handler = new Errhandler;
  handler->action = Errhandler::Action::User;
  handler->target = Errhandler::Target::Session;
  handler->function = reinterpret_cast<Errhandler::Function>(session_errhandler_fn);
  *errhandler = handler->handle = insert<Errhandler>(*process::currentRank(), handler);
  return MPI_SUCCESS;
}

int Session_set_errhandler(Session &session, Errhandler &errhandler) {
  if (!forSessions(errhandler))
    return notForSessions(session.owner);
  retain(errhandler);
  release(session.owner, *session.errhandler);
  session.errhandler = &errhandler;
  return MPI_SUCCESS;
}

int Session_get_errhandler(Session &session, MPI_Errhandler *errhandler) {
  retain(*session.errhandler);
  *errhandler = session.errhandler->handle;
  return MPI_SUCCESS;
}

int Session_call_errhandler(Session &session, int errorcode) {
  int errorClass = errorcode;
  Error_class(errorcode, &errorClass);
  const char *text = errorText(errorClass);
  fail(session.owner, errorcode, text ? text : fmt::format("error {}", errorcode), session);
  raiseError(nullptr, errorcode, "MPI_Session_call_errhandler", "");
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
