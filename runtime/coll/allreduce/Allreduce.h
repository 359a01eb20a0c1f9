// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Allreduce; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::allreduce {

int recursiveDoubling(const AllreduceArgs &args);
int rabenseifner(const AllreduceArgs &args);
int logicalRing(const AllreduceArgs &args);
int reduceBcast(const AllreduceArgs &args);

} // namespace gnomon::coll::allreduce
