// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the implementations of MPI's collectives share.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll {

/// A new operation on \p comm, with a tag of its own.
Call callOn(Comm &comm);
/// MPI_SUCCESS, or MPI_ERR_OP with its detail when \p op cannot be applied to \p type.
int checkOp(const Op &op, const Datatype &type, Comm &comm);

} // namespace gnomon::coll
