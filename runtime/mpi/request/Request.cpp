// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lives of requests.
#include "mpi/request/Request.h"

#include "mpi/RankState.h"
#include "mpi/comm/CollectiveLedger.h"
#include "support/Check.h"

namespace gnomon::mpi {

namespace {

Request *newRequest(Comm &comm, Request::Kind kind, const char *name) {
  Request *request = runtime().requests.create();
  request->kind = kind;
  request->name = name;
  request->comm = &comm;
  comm.retain();
  return request;
}

} // namespace

Request *newTask(Comm &comm, const char *name) {
  Request *request = newRequest(comm, Request::Kind::Task, name);
  request->active = true;
  return request;
}

Request *newPersistentTask(Comm &comm, const char *name, Request::TaskActions actions,
                           void *argument) {
  Request *request = newRequest(comm, Request::Kind::Task, name);
  request->persistent = true;
  request->actions = actions;
  request->argument = argument;
  return request;
}

void completeTask(Request &request, int error) {
  CHECK(request.kind == Request::Kind::Task && request.active && !request.other.done,
        "a task is completed once");
  request.error = error;
  runtime().fabric.complete(request.other);
}

MPI_Request expose(Request &request) {
  request.handle = insert<Request>(request.comm->owner(), &request);
  return request.handle;
}

void destroy(Request &request) {
  if (request.actions.destroy)
    request.actions.destroy(request, request.argument);
  if (request.agreement)
    endAgreement(request, MPI_SUCCESS);
  if (request.handle)
    erase<Request>(request.comm->owner(), request.handle);
  request.comm->release();
  runtime().requests.destroy(&request);
}

std::string describe(Request &request) {
  auto operation = [&](const char *verb, const char *preposition) {
    std::string peer =
        request.peer == p2p::AnySource ? "any rank" : "rank " + std::to_string(request.peer);
    std::string tag = request.tag == p2p::AnyTag ? "any tag" : "tag " + std::to_string(request.tag);
    return std::string(*request.name ? request.name : verb) + " " + preposition + " " + peer +
           ", " + tag + ", " + describe(*request.comm);
  };
  switch (request.kind) {
  case Request::Kind::Send:
    return operation("send", "to");
  case Request::Kind::Receive:
  case Request::Kind::Exchange:
    return operation("receive", "from");
  case Request::Kind::Task:
    return std::string(request.name) + " on " + describe(*request.comm);
  case Request::Kind::Nothing:
    break;
  }
  return "nothing (MPI_PROC_NULL)";
}

} // namespace gnomon::mpi
