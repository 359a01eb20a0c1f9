// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sessions (MPI 4.1, section 11.3): what a library initialises MPI by, beside MPI_Init. Process
/// sets are those that the standard demands, mpi://WORLD and mpi://SELF.
#pragma once

#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"

#include <string>
#include <utility>

namespace gnomon::mpi {

class Session {
public:
  process::Rank &owner;
  Errhandler *errhandler; ///< counted
  int threadLevel;        ///< the ABI's MPI_THREAD_*
  AttachedBuffer buffer;  ///< of MPI_Session_attach_buffer
  MPI_Session handle = nullptr;
};

/// fail() of Error.h; the error goes to the session's handler.
inline int fail(process::Rank &rank, int errorClass, std::string detail, const Session &session) {
  return fail(rank, errorClass, std::move(detail),
              ErrorTarget{session.errhandler, reinterpret_cast<uintptr_t>(session.handle)});
}

/// Enters MPI, from MPI_Init or MPI_Session_init; charges what that costs when nobody has before.
void enterMpi(RankState &own);
/// Leaves MPI when neither MPI_Init nor a session keeps it.
void leaveMpi(RankState &own);
/// The level of thread support that a program gets which asks for \p required.
int grantedThreadLevel(int required);

} // namespace gnomon::mpi
