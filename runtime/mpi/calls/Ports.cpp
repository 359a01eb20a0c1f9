// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions by which groups of processes that run already connect, and part.
#include "mpi/comm/Ports.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "support/Number.h"

#include <cstring>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// How long MPI_Comm_connect waits for an accept, in simulated seconds, unless the info's `timeout`
/// says otherwise: MPICH's default.
constexpr double ConnectSeconds = 180;

process::Rank &caller() { return *process::currentRank(); }

int badPort(Encounter &found, const std::string &port, const char *why) {
  found.error = MPI_ERR_PORT;
  found.failure = "port '" + port + "' " + why;
  return found.error;
}

int notIntra(Comm &comm) {
  return fail(comm.owner(), MPI_ERR_COMM,
              "invalid comm: " + describe(comm) + " is an intercommunicator", &comm);
}

Encounter meetAt(Comm &comm, const char *port_name, Ports::Side side, double seconds) {
  Encounter found;
  const std::string port = port_name ? port_name : "";
  if (!runtime().ports->isOpen(port)) {
    badPort(found, port, "is not open");
    return found;
  }
  found.shared = runtime().ports->meet(comm, port, side, seconds);
  if (!found.shared)
    badPort(found, port,
            runtime().ports->isOpen(port) ? "has no MPI_Comm_accept within the time limit of "
                                            "MPI_Comm_connect (the info's `timeout`)"
                                          : "was closed meanwhile");
  return found;
}

/// The info's time limit in seconds; false when it is no number.
bool timeLimit(const Info *info, double &seconds) {
  const std::string *text = info ? info->find("timeout") : nullptr;
  seconds = ConnectSeconds;
  if (!text)
    return true;
  try {
    seconds = parseQuantity(*text, Unit::Seconds).value;
  } catch (const NumberError &) {
    return false;
  }
  return seconds >= 0;
}

} // namespace

int Open_port(Info *, char *port_name) {
  const std::string name = runtime().ports->open(caller());
  std::memcpy(port_name, name.c_str(), name.size() + 1);
  return MPI_SUCCESS;
}

int Close_port(const char *port_name) {
  if (!runtime().ports->close(port_name))
    return fail(caller(), MPI_ERR_PORT, "port '" + std::string(port_name) + "' is not open");
  return MPI_SUCCESS;
}

int Comm_accept(const char *port_name, Info *, int root, Comm &comm, MPI_Comm *newcomm) {
  if (comm.isInter())
    return notIntra(comm);
  return connectGroup(
      comm, root, "MPI_Comm_accept",
      [&] { return meetAt(comm, port_name, Ports::Side::Accept, 0); }, newcomm);
}

int Comm_connect(const char *port_name, Info *info, int root, Comm &comm, MPI_Comm *newcomm) {
  if (comm.isInter())
    return notIntra(comm);
  auto meet = [&] {
    double seconds = 0;
    if (!timeLimit(info, seconds)) {
      Encounter found;
      found.error = MPI_ERR_INFO_VALUE;
      found.failure = "the info's `timeout` is not a number of seconds";
      return found;
    }
    return meetAt(comm, port_name, Ports::Side::Connect, seconds);
  };
  return connectGroup(comm, root, "MPI_Comm_connect", meet, newcomm);
}

/// What is under way on the communicator comes to its end first, then all members of both groups
/// have called.
int Comm_disconnect(MPI_Comm *comm) {
  process::Rank &rank = caller();
  Comm *parting = find<Comm>(rank, *comm);
  if (!parting || reinterpret_cast<uintptr_t>(*comm) < 0x1000)
    return Comm_free(comm); // which says what is wrong
  std::vector<Request *> pending = state(rank).rare().orphans;
  handleTable(rank, HandleKind::Request).forEach([&](void *request) {
    pending.push_back(static_cast<Request *>(request));
  });
  for (Request *request : pending)
    if (request->comm == parting && request->active && !request->done())
      runtime().fabric.wait(request->completion());
  synchronise(*parting);
  return Comm_free(comm);
}

int Publish_name(const char *service_name, Info *, const char *port_name) {
  auto &published = runtime().ports->published;
  if (!published.emplace(service_name, port_name).second)
    return fail(caller(), MPI_ERR_SERVICE,
                "service '" + std::string(service_name) + "' is published already");
  return MPI_SUCCESS;
}

int Lookup_name(const char *service_name, Info *, char *port_name) {
  auto &published = runtime().ports->published;
  auto found = published.find(service_name);
  if (found == published.end())
    return fail(caller(), MPI_ERR_NAME,
                "service '" + std::string(service_name) + "' is not published");
  const size_t length = std::min(found->second.size(), size_t{MPI_MAX_PORT_NAME - 1});
  std::memcpy(port_name, found->second.c_str(), length);
  port_name[length] = '\0';
  return MPI_SUCCESS;
}

int Unpublish_name(const char *service_name, Info *, const char *port_name) {
  auto &published = runtime().ports->published;
  auto found = published.find(service_name);
  if (found == published.end() || found->second != port_name)
    return fail(caller(), MPI_ERR_SERVICE,
                "service '" + std::string(service_name) + "' is not published with this port");
  published.erase(found);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
