// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Generalised requests (MPI 4.1, section 13.2): tasks whose end, status and cancelling the user's
/// functions tell. In Fortran these functions take everything by reference and return ierror.
#pragma once

#include "mpi/Attribute.h"

#include <cstdint>

struct MPI_Status;

namespace gnomon::mpi {

class Comm;
class Request;

struct GrequestFunctions {
  using Function = void (*)(); ///< cast according to convention when called
  Function query = nullptr, free = nullptr, cancel = nullptr;
  Convention convention = Convention::C; ///< C or Fortran
  intptr_t extra = 0;                    ///< C's pointer, or Fortran's integer
  /// Fortran's variable that the extra state was taken from: it follows when a function changes the
  /// state. It is not read again, for it may be a constant that is gone.
  intptr_t *variable = nullptr;
};

/// An active request of the rank \p comm belongs to.
Request *startGrequest(Comm &comm, const GrequestFunctions &functions);
bool isGrequest(const Request &request);
/// MPI_Grequest_complete. Ends the request's life if the user freed it before.
void completeGrequest(Request &request);
/// Its status by the user's query function (\p status may be null). Returns an error class.
int queryGrequest(Request &request, MPI_Status *status);
/// MPI_Cancel by the user's function.
int cancelGrequest(Request &request);
/// The end of a wait or a test: its status, then the user's free function. Returns the first error
/// of the two.
int finishGrequest(Request &request, MPI_Status *status);
/// Calls the user's free function unless it has been called.
int freeGrequest(Request &request);

} // namespace gnomon::mpi
