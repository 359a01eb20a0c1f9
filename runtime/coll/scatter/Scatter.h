// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Scatter and MPI_Scatterv; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::scatter {

int binomial(const ScatterArgs &args);
int basicLinear(const ScatterArgs &args);
int linearNonblocking(const ScatterArgs &args);

} // namespace gnomon::coll::scatter
