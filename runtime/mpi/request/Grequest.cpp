// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generalised requests: calls of the user's functions in their language.
#include "mpi/request/Grequest.h"

#include "mpi/UserCall.h"
#include "mpi/request/Operations.h"

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

GrequestFunctions &functionsOf(Request &request) { return request.as<Generalised>()->functions; }

} // namespace

Request *startGrequest(Comm &comm, const GrequestFunctions &functions) {
  Request *request = newRequest<Generalised>(comm, "MPI_Grequest_start");
  request->active = true;
  functionsOf(*request) = functions;
  return request;
}

bool isGrequest(const Request &request) { return request.as<Generalised>() != nullptr; }

void completeGrequest(Request &request) {
  completeTask(request);
  if (request.userFreed)
    destroy(request);
}

int queryGrequest(Request &request, MPI_Status *status) {
  GrequestFunctions &functions = functionsOf(request);
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

int freeGrequest(Request &request) {
  if (std::exchange(request.as<Generalised>()->freed, true))
    return MPI_SUCCESS;
  GrequestFunctions &functions = functionsOf(request);
  UserCall user(request.comm->owner());
  if (functions.convention == Convention::C)
    return reinterpret_cast<int (*)(void *)>(functions.free)(
        reinterpret_cast<void *>(functions.extra));
  return callFortran(functions, functions.free);
}

int cancelGrequest(Request &request) {
  GrequestFunctions &functions = functionsOf(request);
  int complete = request.done();
  UserCall user(request.comm->owner());
  if (functions.convention == Convention::C)
    return reinterpret_cast<int (*)(void *, int)>(functions.cancel)(
        reinterpret_cast<void *>(functions.extra), complete);
  return callFortran(functions, functions.cancel, &complete);
}

int finishGrequest(Request &request, MPI_Status *status) {
  const int queried = queryGrequest(request, status);
  const int freed = freeGrequest(request);
  return queried != MPI_SUCCESS ? queried : freed;
}

} // namespace gnomon::mpi
