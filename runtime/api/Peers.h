// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lengths of the arrays that v-collectives take, for code that converts the arrays before the
/// call's own checks.
#pragma once

#include "mpi.h"

namespace gnomon::api {

/// The size of the group that a communicator's v-collectives have an array element for (the remote
/// group of an intercommunicator); 0 for no communicator.
int peers(MPI_Comm comm);
/// The size of its local group, for the arrays of MPI_Reduce_scatter.
int members(MPI_Comm comm);
/// The same on the root; 0 elsewhere, where the arrays are not significant.
int peersAtRoot(MPI_Comm comm, int root);
/// The numbers of neighbours that the rank receives from and sends to in the communicator's
/// topology; 0 without one.
int sourceCount(MPI_Comm comm);
int destinationCount(MPI_Comm comm);

} // namespace gnomon::api
