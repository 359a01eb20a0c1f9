// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generalised requests: calls of the user's functions in their language.
#include "mpi/request/Grequest.h"

#include "mpi/UserCall.h"
#include "mpi/request/Operations.h"

#include <memory>
#include <utility>

namespace gnomon::mpi {

namespace {

/// Fortran's functions take the extra state by reference; what they make of it the program sees.
template <class... Arguments>
int callFortran(GrequestFunctions &functions, GrequestFunctions::Function function,
                Arguments... arguments) {
  int error = MPI_SUCCESS;
  const intptr_t before = functions.extra;
  reinterpret_cast<void (*)(intptr_t *, Arguments..., int *)>(function)(&functions.extra,
                                                                        arguments..., &error);
  if (functions.variable && functions.extra != before)
    *functions.variable = functions.extra;
  return error;
}

int callQuery(Request &request, void *argument, MPI_Status *status) {
  auto &functions = *static_cast<GrequestFunctions *>(argument);
  MPI_Status ignored;
  if (!status)
    status = &ignored; // the function is given a status to fill in, whatever the program wants
  setEmptyStatus(status);
  UserCall user(request.comm->owner());
  if (functions.convention == Convention::C)
    return reinterpret_cast<int (*)(void *, MPI_Status *)>(functions.query)(
        reinterpret_cast<void *>(functions.extra), status);
  return callFortran(functions, functions.query, status);
}

int callFree(Request &request, GrequestFunctions &functions) {
  UserCall user(request.comm->owner());
  if (functions.convention == Convention::C)
    return reinterpret_cast<int (*)(void *)>(functions.free)(
        reinterpret_cast<void *>(functions.extra));
  return callFortran(functions, functions.free);
}

int callCancel(Request &request, void *argument) {
  auto &functions = *static_cast<GrequestFunctions *>(argument);
  int complete = request.done();
  UserCall user(request.comm->owner());
  if (functions.convention == Convention::C)
    return reinterpret_cast<int (*)(void *, int)>(functions.cancel)(
        reinterpret_cast<void *>(functions.extra), complete);
  return callFortran(functions, functions.cancel, &complete);
}

int release(Request &request) {
  request.actions.destroy = nullptr;
  std::unique_ptr<GrequestFunctions> functions(
      static_cast<GrequestFunctions *>(std::exchange(request.argument, nullptr)));
  return callFree(request, *functions);
}

} // namespace

Request *startGrequest(Comm &comm, const GrequestFunctions &functions) {
  Request *request = newTask(comm, "MPI_Grequest_start");
  request->argument = new GrequestFunctions(functions);
  request->actions.query = callQuery;
  request->actions.cancel = callCancel;
  request->actions.destroy = [](Request &request, void *) { release(request); };
  return request;
}

bool isGrequest(const Request &request) { return request.actions.query != nullptr; }

void completeGrequest(Request &request) {
  completeTask(request);
  if (request.userFreed)
    destroy(request);
}

int finishGrequest(Request &request, MPI_Status *status) {
  const int queried = callQuery(request, request.argument, status);
  const int freed = release(request);
  return queried != MPI_SUCCESS ? queried : freed;
}

} // namespace gnomon::mpi
