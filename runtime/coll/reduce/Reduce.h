// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Reduce; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::reduce {

int binomial(const ReduceArgs &args);
int flatTree(const ReduceArgs &args);
int inOrderBinary(const ReduceArgs &args);
int scatterGather(const ReduceArgs &args);

} // namespace gnomon::coll::reduce
