// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on requests: waiting, testing, starting, freeing, cancelling.
#include "impl/Impl.h"
#include "mpi/request/ArrivalOrder.h"
#include "mpi/request/Grequest.h"
#include "mpi/request/Operations.h"
#include "mpi/request/Polling.h"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <span>

namespace gnomon::impl {

using namespace mpi;

namespace {

int invalid(process::Rank &rank, int index = -1) {
  std::string which = index < 0 ? "request" : fmt::format("array_of_requests[{}]", index);
  return fail(rank, MPI_ERR_REQUEST, "invalid " + which + ": the handle names no request");
}

/// The objects behind an array of handles; null for null handles. Small arrays cost no allocation.
/// Lives on the stack of the call, for fibers interleave.
class Requests {
public:
  Requests(process::Rank &rank, const MPI_Request *handles, int count)
      : table_(handleTable(rank, HandleKind::Request)), count_(count) {
    if (count > static_cast<int>(small_.size())) {
      large_ = std::make_unique_for_overwrite<Request *[]>(static_cast<size_t>(count));
      requests_ = large_.get();
    }
    for (int i = 0; i < count; ++i) {
      requests_[i] = nullptr;
      if (handles[i] == MPI_REQUEST_NULL)
        continue;
      Request *request = find(handles[i]);
      requests_[i] = request;
      if (request)
        active_ += request->active;
      else if (badIndex_ < 0)
        badIndex_ = i;
    }
  }
  /// The first handle that names nothing; -1: none.
  int badIndex() const { return badIndex_; }
  int active() const { return active_; }
  /// The place of a request that it has.
  int indexOf(const Request *request) const {
    return static_cast<int>(std::find(requests_, requests_ + count_, request) - requests_);
  }
  std::span<Request *const> span() const { return {requests_, static_cast<size_t>(count_)}; }
  Request *operator[](int i) const { return requests_[i]; }
  /// What a handle names now. None is predefined but the null one.
  Request *find(MPI_Request handle) const {
    return static_cast<Request *>(
        table_.find(HandleKind::Request, reinterpret_cast<uintptr_t>(handle)));
  }

private:
  const HandleTable &table_;
  std::array<Request *, 16> small_;
  std::unique_ptr<Request *[]> large_;
  Request **requests_ = small_.data();
  int count_;
  int badIndex_ = -1, active_ = 0;
};

/// Takes the result of a done request and updates the user's handle.
int take(Request &request, MPI_Request *handle, MPI_Status *status, bool paid) {
  bool persistent = request.persistent;
  int error = finish(request, status, paid);
  if (!persistent)
    *handle = MPI_REQUEST_NULL;
  return error;
}

MPI_Status *at(MPI_Status *statuses, int index) { return statuses ? statuses + index : nullptr; }

/// Destroys what the user freed while it was active, once it is done.
void sweepOrphans(RankState &own) {
  std::erase_if(own.rare().orphans, [](Request *request) {
    if (!request->done())
      return false;
    destroy(*request);
    return true;
  });
}

/// Results of all requests of an array that were found done, in order of index.
int takeDone(const FoundSome &found, const Requests &requests, int count, MPI_Request *handles,
             int *outcount, int *indices, MPI_Status *statuses) {
  *outcount = 0;
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    if (!found.has(requests[i]))
      continue;
    MPI_Status *status = at(statuses, *outcount);
    int error = take(*requests[i], &handles[i], status, false);
    if (status)
      status->MPI_ERROR = error;
    failed |= error != MPI_SUCCESS;
    indices[(*outcount)++] = i;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

// MPI_Cancel on an operation of each kind.
int cancel(Request &, NoMessage &) { return MPI_SUCCESS; }
int cancel(Request &request, Sending &sending) {
  Comm &comm = *request.comm;
  p2p::Fabric &fabric = runtime().fabric;
  if (!fabric.cancel(sending) && sending.done)
    fabric.withdraw(comm.owner().number, comm.process(sending.transfer.peer), sending.sequence,
                    sending);
  return MPI_SUCCESS;
}
int cancel(Request &request, Sent &sent) {
  Comm &comm = *request.comm;
  runtime().fabric.withdraw(comm.owner().number, comm.process(sent.peer), sent.sequence, sent);
  return MPI_SUCCESS;
}
int cancel(Request &, Receiving &receiving) {
  runtime().fabric.cancel(receiving);
  return MPI_SUCCESS;
}
int cancel(Request &request, Exchange &) {
  return fail(request.comm->owner(), MPI_ERR_REQUEST,
              "a send and receive in one cannot be cancelled", request.comm);
}
int cancel(Request &request, Task &) {
  return fail(request.comm->owner(), MPI_ERR_REQUEST,
              "the request of a collective cannot be cancelled", request.comm);
}
int cancel(Request &request, Generalised &) { return cancelGrequest(request); }

} // namespace

int Wait(MPI_Request *request, MPI_Status *status) {
  if (*request == MPI_REQUEST_NULL) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  process::Rank &rank = *process::currentRank();
  Request *waited = find<Request>(rank, *request);
  if (!waited)
    return invalid(rank);
  if (!waited->active) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  waitDone(*waited);
  return take(*waited, request, status, false);
}

int Waitall(int count, MPI_Request *array_of_requests, MPI_Status *array_of_statuses) {
  process::Rank &rank = *process::currentRank();
  Requests requests(rank, array_of_requests, count);
  if (requests.badIndex() >= 0)
    return invalid(rank, requests.badIndex());
  if (requests.active() > 0)
    waitAllDone(rank, requests.span());
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    MPI_Status *status = at(array_of_statuses, i);
    setEmptyStatus(status);
    if (!requests[i])
      continue;
    if (requests.find(array_of_requests[i]) != requests[i])
      return fail(rank, MPI_ERR_REQUEST,
                  fmt::format("array_of_requests[{}] stands in the array twice", i));
    if (!requests[i]->active)
      continue;
    int error = take(*requests[i], &array_of_requests[i], status, true);
    if (status)
      status->MPI_ERROR = error;
    failed |= error != MPI_SUCCESS;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int Waitany(int count, MPI_Request *array_of_requests, int *indx, MPI_Status *status) {
  process::Rank &rank = *process::currentRank();
  Requests requests(rank, array_of_requests, count);
  if (requests.badIndex() >= 0)
    return invalid(rank, requests.badIndex());
  if (requests.active() == 0) {
    *indx = MPI_UNDEFINED;
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  const int i = requests.indexOf(awaitAny(rank, requests.span()));
  *indx = i;
  return take(*requests[i], &array_of_requests[i], status, false);
}

int Waitsome(int incount, MPI_Request *array_of_requests, int *outcount, int *array_of_indices,
             MPI_Status *array_of_statuses) {
  process::Rank &rank = *process::currentRank();
  Requests requests(rank, array_of_requests, incount);
  if (requests.badIndex() >= 0)
    return invalid(rank, requests.badIndex());
  if (requests.active() == 0) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  FoundSome found;
  awaitSome(rank, requests.span(), found);
  return takeDone(found, requests, incount, array_of_requests, outcount, array_of_indices,
                  array_of_statuses);
}

int Test(MPI_Request *request, int *flag, MPI_Status *status) {
  *flag = 1;
  if (*request == MPI_REQUEST_NULL) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  RankState &own = currentState();
  Request *tested = find<Request>(own.rank, *request);
  if (!tested)
    return invalid(own.rank);
  if (!tested->active) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  if (pollRequest(own, *tested))
    return take(*tested, request, status, false);
  *flag = 0;
  return MPI_SUCCESS;
}

int Testall(int count, MPI_Request *array_of_requests, int *flag, MPI_Status *array_of_statuses) {
  RankState &own = currentState();
  Requests requests(own.rank, array_of_requests, count);
  if (requests.badIndex() >= 0)
    return invalid(own.rank, requests.badIndex());
  *flag = requests.active() == 0 || pollAll(own, requests.span(), requests.active());
  if (!*flag)
    return MPI_SUCCESS;
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    MPI_Status *status = at(array_of_statuses, i);
    setEmptyStatus(status);
    if (!isActive(requests[i]))
      continue;
    int error = take(*requests[i], &array_of_requests[i], status, false);
    if (status)
      status->MPI_ERROR = error;
    failed |= error != MPI_SUCCESS;
  }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

int Testany(int count, MPI_Request *array_of_requests, int *indx, int *flag, MPI_Status *status) {
  RankState &own = currentState();
  Requests requests(own.rank, array_of_requests, count);
  if (requests.badIndex() >= 0)
    return invalid(own.rank, requests.badIndex());
  *indx = MPI_UNDEFINED;
  *flag = 1;
  if (requests.active() == 0) {
    setEmptyStatus(status);
    return MPI_SUCCESS;
  }
  const Request *found = pollAny(own, requests.span(), requests.active());
  *flag = found != nullptr;
  if (!found)
    return MPI_SUCCESS;
  const int i = requests.indexOf(found);
  *indx = i;
  return take(*requests[i], &array_of_requests[i], status, false);
}

int Testsome(int incount, MPI_Request *array_of_requests, int *outcount, int *array_of_indices,
             MPI_Status *array_of_statuses) {
  RankState &own = currentState();
  Requests requests(own.rank, array_of_requests, incount);
  if (requests.badIndex() >= 0)
    return invalid(own.rank, requests.badIndex());
  if (requests.active() == 0) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  FoundSome found;
  pollSome(own, requests.span(), requests.active(), found);
  return takeDone(found, requests, incount, array_of_requests, outcount, array_of_indices,
                  array_of_statuses);
}

int Start(MPI_Request *request) {
  process::Rank &rank = *process::currentRank();
  Request *started = *request == MPI_REQUEST_NULL ? nullptr : find<Request>(rank, *request);
  if (!started)
    return invalid(rank);
  if (!started->persistent)
    return fail(rank, MPI_ERR_REQUEST, "the request is not persistent", started->comm);
  if (started->active)
    return fail(rank, MPI_ERR_REQUEST, "the request is active already", started->comm);
  start(*started);
  return MPI_SUCCESS;
}

int Startall(int count, MPI_Request *array_of_requests) {
  for (int i = 0; i < count; ++i)
    if (int error = Start(&array_of_requests[i]))
      return error;
  return MPI_SUCCESS;
}

int Request_free(MPI_Request *request) {
  RankState &own = currentState();
  Request *freed = *request == MPI_REQUEST_NULL ? nullptr : find<Request>(own.rank, *request);
  if (!freed)
    return invalid(own.rank);
  if (isGrequest(*freed) && !freed->done()) {
    // The program completes it later by a copy of the handle, which lives until then.
    freed->userFreed = true;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
  }
  *request = MPI_REQUEST_NULL;
  if (!freed->active || freed->done()) {
    destroy(*freed);
    return MPI_SUCCESS;
  }
  erase<Request>(own.rank, freed->handle());
  freed->handleNumber = 0;
  freed->userFreed = true;
  std::vector<Request *> &orphans = own.rare().orphans;
  if (orphans.size() == orphans.capacity())
    sweepOrphans(own);
  orphans.push_back(freed);
  return MPI_SUCCESS;
}

int Cancel(MPI_Request *request) {
  process::Rank &rank = *process::currentRank();
  Request *cancelled = *request == MPI_REQUEST_NULL ? nullptr : find<Request>(rank, *request);
  if (!cancelled || !cancelled->active)
    return invalid(rank);
  return cancelled->visit([&](auto &operation) { return cancel(*cancelled, operation); });
}

/// Whole elements only: anything else is MPI_UNDEFINED, as is a number that does not fit an int.
int Get_count(const MPI_Status *status, Datatype &datatype, MPI_Count *count) {
  int64_t bytes = statusBytes(*status), size = datatype.size();
  *count = MPI_UNDEFINED;
  if (bytes == 0)
    *count = 0;
  else if (size > 0 && bytes % size == 0)
    *count = bytes / size;
  return MPI_SUCCESS;
}

int Test_cancelled(const MPI_Status *status, int *flag) {
  *flag = status && statusCancelled(*status);
  return MPI_SUCCESS;
}

int Status_set_cancelled(MPI_Status *status, int flag) {
  if (status)
    setStatusCancelled(*status, flag != 0);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
