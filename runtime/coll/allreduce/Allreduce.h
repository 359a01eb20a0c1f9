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
int basicLinear(const AllreduceArgs &args);
int nonoverlapping(const AllreduceArgs &args);
int ring(const AllreduceArgs &args);
int ringSegmented(const AllreduceArgs &args);
int ompiRabenseifner(const AllreduceArgs &args);
int smp(const AllreduceArgs &args);

} // namespace gnomon::coll::allreduce
