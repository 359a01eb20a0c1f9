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
int scatterElementsRingAllgather(const BcastArgs &args);
int scatterElementsDoublingAllgather(const BcastArgs &args);
int pipeline(const BcastArgs &args);
int chain(const BcastArgs &args);
int binaryTree(const BcastArgs &args);
int binomial(const BcastArgs &args);
int knomial(const BcastArgs &args);
int splitBintree(const BcastArgs &args);
int smp(const BcastArgs &args);

} // namespace gnomon::coll::bcast
