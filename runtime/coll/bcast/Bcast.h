// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Bcast; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::bcast {

int binomialTree(const BcastArgs &args);
int flatTree(const BcastArgs &args);
int scatterRingAllgather(const BcastArgs &args);
int scatterDoublingAllgather(const BcastArgs &args);
int pipeline(const BcastArgs &args);

} // namespace gnomon::coll::bcast
