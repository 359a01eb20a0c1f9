// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lives of requests.
#include "mpi/request/Request.h"

#include "mpi/RankState.h"
#include "mpi/comm/CollectiveLedger.h"
#include "mpi/request/Operations.h"
#include "mpi/request/WaitNote.h"
#include "support/Check.h"

#include <fmt/format.h>

namespace gnomon::mpi {

namespace {

// What ends with a request of each kind, beside what its destructor does.
void end(Request &, p2p::Completion &) {}
void end(Request &request, Collective &collective) {
  if (collective.actions.destroy)
    collective.actions.destroy(request, collective.argument);
  if (collective.agreement)
    endAgreement(request, MPI_SUCCESS);
}
void end(Request &request, FileAccess &access) {
  if (access.error && !request.userFreed)
    access.failed(*access.file);
}
void end(Request &request, Generalised &) { freeGrequest(request); }

std::string messageText(const Request &request, const char *verb, const char *preposition, int peer,
                        int tag) {
  return fmt::format("{} {} {}, {}, {}", *request.name ? request.name : verb, preposition,
                     peerText(peer), tagText(tag), describe(*request.comm));
}

std::string text(const Request &, const NoMessage &) { return "nothing (MPI_PROC_NULL)"; }
std::string text(const Request &request, const Sending &sending) {
  return messageText(request, "send", "to", sending.transfer.peer, sending.transfer.tag);
}
std::string text(const Request &request, const Sent &sent) {
  return messageText(request, "send", "to", sent.peer, sent.tag);
}
std::string text(const Request &request, const Receiving &receiving) {
  return messageText(request, "receive", "from", receiving.pattern.source, receiving.pattern.tag);
}
std::string text(const Request &request, const Exchange &exchange) {
  return text(request, exchange.parts->receive);
}
std::string text(const Request &request, const Task &) {
  return fmt::format("{} on {}", request.name, describe(*request.comm));
}

} // namespace

Request *newTask(Comm &comm, const char *name) {
  Request *request = newRequest<Task>(comm, name);
  request->active = true;
  return request;
}

Request *newCollective(Comm &comm, const char *name) {
  Request *request = newRequest<Collective>(comm, name);
  request->active = true;
  return request;
}

size_t RequestPools::live() const {
  return std::apply([](const auto &...pool) { return (pool.live() + ...); }, pools_);
}

Request *newPersistentCollective(Comm &comm, const char *name, Collective::Actions actions,
                                 void *argument) {
  Request *request = newRequest<Collective>(comm, name);
  request->persistent = true;
  auto &collective = *request->as<Collective>();
  collective.actions = actions;
  collective.argument = argument;
  return request;
}

void completeTask(Request &request, int error) {
  Task *task = request.task();
  CHECK(task && request.active && !task->done, "a task is completed once");
  task->error = error;
  runtime().fabric.complete(*task);
}

MPI_Request expose(Request &request) {
  request.site = request.comm->owner().call.returnAddress;
  const MPI_Request handle = insert<Request>(request.comm->owner(), &request);
  request.handleNumber = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle));
  return handle;
}

void destroy(Request &request) {
  if (!request.as<Sent>() && !request.as<Sending>() && !request.as<Receiving>())
    request.visit([&](auto &operation) { end(request, operation); });
  if (request.handleNumber)
    erase<Request>(request.comm->owner(), request.handle());
  request.comm->release();
  runtime().requests.destroy(request);
}

std::string describe(Request &request) {
  return request.visit([&](const auto &operation) { return text(request, operation); });
}

} // namespace gnomon::mpi
