// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nonblocking and persistent collectives: the same functions as the blocking ones, run by a helper
/// fiber of the rank while the rank goes on. The helper progresses by itself, as with a library
/// that has a progress thread.
#pragma once

#include "coll/Algorithm.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/Request.h"

#include <vector>

namespace gnomon::coll {

/// What an operation under way must keep alive: the user may free types and ops before its end.
struct Kept {
  std::vector<mpi::DatatypeRef> types = {};
  const Op *op = nullptr;
  /// Arrays that the arguments point to.
  std::vector<const Datatype *> sendTypes = {}, recvTypes = {};
  /// Copies of the user's counts and displacements: Fortran hands over temporary ones.
  std::vector<std::vector<int64_t>> numbers = {};
};

/// Starts `perform(args)` on a fiber of its own, and gives the user the request for its end.
/// \p name is the MPI function's, for reports. Returns an MPI error class.
template <class Args>
int start(const char *name, const Args &args, Kept kept, MPI_Request *request);

/// The same, once for each MPI_Start of the request. All ranks make such requests in the same
/// order, but may start different ones in any order, so that the tag is chosen here.
template <class Args>
int prepare(const char *name, const Args &args, Kept kept, MPI_Request *request);

} // namespace gnomon::coll
