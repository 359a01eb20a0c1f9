// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the implementations of MPI's collectives are made of. They are generated from the rows with
/// @collective of room api's table: checks, the arguments of Arguments.h field by field, and a run
/// here and now (`perform`), on a helper fiber (`start`), or at each MPI_Start (`prepare`).
#pragma once

#include "coll/Algorithm.h"
#include "coll/Nonblocking.h"
#include "mpi.h"
#include "mpi/comm/Comm.h"

namespace gnomon::coll {

/// A new operation on \p comm; one that may overlap others gets a tag of its own later.
inline Call callOn(Comm &comm) { return {comm, comm.rank(), comm.size(), Comm::BlockingTag}; }

/// The same with the rest of its arguments still to be filled in: what a row leaves out stays zero.
template <class Args> Args argumentsOn(Comm &comm) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#pragma clang diagnostic ignored "-Wmissing-braces" // Call may be a base of a base
  return Args{callOn(comm)};
#pragma clang diagnostic pop
}

/// Fails with MPI_ERR_OP and its detail.
int refuseOp(const Op &op, const Datatype &type, Comm &comm);
/// MPI_SUCCESS, or why \p op cannot be applied to \p type.
inline int checkOp(const Op &op, const Datatype &type, Comm &comm) {
  return op.accepts(type) ? MPI_SUCCESS : refuseOp(op, type, comm);
}

/// The types of a total exchange by type; with MPI_IN_PLACE the send types mean nothing.
Kept keptTypes(Comm &comm, const void *send, const MPI_Datatype *sendTypes,
               const MPI_Datatype *recvTypes);

} // namespace gnomon::coll
