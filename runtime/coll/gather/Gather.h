// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Gather and MPI_Gatherv; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::gather {

int binomial(const GatherArgs &args);
int basicLinear(const GatherArgs &args);
int linearSync(const GatherArgs &args);
int linearNonblocking(const GatherArgs &args);

} // namespace gnomon::coll::gather
