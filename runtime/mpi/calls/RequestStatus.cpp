// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Request_get_status and its forms for several requests, which look at requests and leave them
/// as they are; generalised requests.
#include "impl/Impl.h"
#include "mpi/request/ArrivalOrder.h"
#include "mpi/request/Grequest.h"
#include "mpi/request/Operations.h"
#include "mpi/request/Polling.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// The status of a done request, which stays.
int statusOf(Request &request, MPI_Status *status) {
  if (isGrequest(request))
    return queryGrequest(request, status);
  const Receiving *received = request.receiving();
  if (received && received->pattern.source == MPI_PROC_NULL)
    setStatus(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  else if (received && !received->cancelled)
    setStatus(
        status, received->result.source, received->result.tag,
        static_cast<int64_t>(std::min(received->result.messageBytes, received->buffer.bytes)));
  else
    setStatus(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, request.completion().cancelled);
  return MPI_SUCCESS;
}

MPI_Status *at(MPI_Status *statuses, int index) { return statuses ? statuses + index : nullptr; }

/// The request behind a handle; null for the null handle. False when it names none.
bool lookUp(RankState &own, MPI_Request handle, int index, Request *&request) {
  request = handle == MPI_REQUEST_NULL ? nullptr : find<Request>(own.rank, handle);
  if (request || handle == MPI_REQUEST_NULL)
    return true;
  fail(own.rank, MPI_ERR_REQUEST,
       fmt::format("invalid array_of_requests[{}]: the handle names no request", index));
  return false;
}

/// The same of an array.
bool lookUpAll(RankState &own, const MPI_Request *handles, int count,
               std::vector<Request *> &requests) {
  requests.resize(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i)
    if (!lookUp(own, handles[i], i, requests[static_cast<size_t>(i)]))
      return false;
  return true;
}

int activeOf(const std::vector<Request *> &requests) {
  return static_cast<int>(std::count_if(requests.begin(), requests.end(), isActive));
}

int statusAt(Request *request, MPI_Status *status) {
  if (!isActive(request)) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  const int error = statusOf(*request, status);
  if (status)
    status->MPI_ERROR = error;
  return error;
}

} // namespace

int Request_get_status(Request *request, int *flag, MPI_Status *status) {
  *flag = 1;
  if (!isActive(request)) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  *flag = pollRequest(currentState(), *request);
  return *flag ? statusOf(*request, status) : MPI_SUCCESS;
}

int Request_get_status_any(int count, const MPI_Request *array_of_requests, int *indx, int *flag,
                           MPI_Status *status) {
  RankState &own = currentState();
  std::vector<Request *> requests;
  *indx = MPI_UNDEFINED;
  if (!lookUpAll(own, array_of_requests, count, requests))
    return MPI_ERR_REQUEST;
  const int active = activeOf(requests);
  Request *done = active == 0 ? nullptr : pollAny(own, requests, active);
  *flag = active == 0 || done;
  if (active == 0)
    setEmptyStatus(status);
  if (!done)
    return MPI_SUCCESS;
  *indx = static_cast<int>(std::find(requests.begin(), requests.end(), done) - requests.begin());
  return statusOf(*done, status);
}

int Request_get_status_all(int count, const MPI_Request *array_of_requests, int *flag,
                           MPI_Status *array_of_statuses) {
  RankState &own = currentState();
  std::vector<Request *> requests;
  if (!lookUpAll(own, array_of_requests, count, requests))
    return MPI_ERR_REQUEST;
  const int active = activeOf(requests);
  *flag = active == 0 || pollAll(own, requests, active);
  bool failed = false;
  for (int i = 0; *flag && i < count; ++i)
    failed |= statusAt(requests[static_cast<size_t>(i)], at(array_of_statuses, i)) != MPI_SUCCESS;
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int Request_get_status_some(int incount, const MPI_Request *array_of_requests, int *outcount,
                            int *array_of_indices, MPI_Status *array_of_statuses) {
  RankState &own = currentState();
  std::vector<Request *> requests;
  *outcount = 0;
  if (!lookUpAll(own, array_of_requests, incount, requests))
    return MPI_ERR_REQUEST;
  const int active = activeOf(requests);
  FoundSome found;
  if (active == 0)
    *outcount = MPI_UNDEFINED;
  else
    pollSome(own, requests, active, found);
  bool failed = false;
  for (int i = 0; active > 0 && i < incount; ++i) {
    Request *request = requests[static_cast<size_t>(i)];
    if (!found.has(request))
      continue;
    failed |= statusAt(request, at(array_of_statuses, *outcount)) != MPI_SUCCESS;
    array_of_indices[(*outcount)++] = i;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                   MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                   MPI_Request *request) {
  using Function = GrequestFunctions::Function;
  const GrequestFunctions functions{reinterpret_cast<Function>(query_fn),
                                    reinterpret_cast<Function>(free_fn),
                                    reinterpret_cast<Function>(cancel_fn), Convention::C,
                                    reinterpret_cast<intptr_t>(extra_state)};
  *request = expose(*startGrequest(*currentState().world, functions));
  return MPI_SUCCESS;
}

int Grequest_complete(Request &request) {
  process::Rank &rank = *process::currentRank();
  if (!isGrequest(request))
    return fail(rank, MPI_ERR_REQUEST, "invalid request: MPI_Grequest_start did not make it");
  if (request.done())
    return fail(rank, MPI_ERR_REQUEST, "invalid request: it is complete already");
  completeGrequest(request);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
