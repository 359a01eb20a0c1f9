// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI errors: error handlers, and raiseError, through which every error of the user's goes.
/// Error classes and codes are the ABI's MPI_ERR_*, with the texts of api/constants.txt; classes and
/// codes that the user adds start at MPI_ERR_LASTCODE + 1.
#pragma once

#include "mpi.h"
#include "mpi/Handle.h"

#include <cstdint>
#include <string>

namespace gnomon::mpi {

class Errhandler {
public:
  enum class Action : uint8_t { Fatal, Abort, Return, User };
  enum class Target : uint8_t { Comm, Win, File, Session };
  using Function = void (*)(); ///< void f(handle *, int *code, …), in C and in Fortran

  Action action = Action::Fatal;
  Target target = Target::Comm;
  Function function = nullptr;
  uint32_t references = 1;
  MPI_Errhandler handle = nullptr;
};

/// An object other than a communicator whose handler an error goes to; its handle is what the
/// user's function gets.
struct ErrorTarget {
  Errhandler *handler = nullptr; ///< null: none
  uintptr_t handle = 0;
};

/// The three predefined handlers.
Errhandler &predefinedErrhandler(Errhandler::Action action);
void retain(Errhandler &handler);
void release(process::Rank &rank, Errhandler &handler);

/// An error of the user's in a call on \p comm (null: a call that has none; MPI_COMM_SELF's handler
/// then). Fatal handlers print "gnomon: rank 3 at 0.0012 s: MPI_Recv: invalid tag -7 (MPI_ERR_TAG)"
/// with the call's source line and end the simulation with exit code 1; the others return \p
/// errorClass, or what the user's function, if any, leaves in its place.
int raiseError(Comm *comm, int errorClass, const char *function, const std::string &detail);
/// The same for an error on an object that is no communicator.
int raiseError(process::Rank &rank, const ErrorTarget &target, int errorClass, const char *function,
               const std::string &detail);
/// What went wrong, for the entry that raises the error that an implementation returns: an
/// implementation sets it just before it returns an error class. Taken by raiseError, when its own
/// detail is empty.
/// \p comm, if any, is the one whose handler is called when the entry knows none.
int fail(process::Rank &rank, int errorClass, std::string detail, Comm *comm = nullptr);
int fail(process::Rank &rank, int errorClass, std::string detail, const ErrorTarget &target);

/// "MPI_ERR_TAG"; "MPI error 4711" for numbers without a name.
std::string errorName(int errorClass);
/// The sentence of MPI_Error_string for a predefined class; null for other numbers.
const char *errorText(int errorClass);

} // namespace gnomon::mpi
