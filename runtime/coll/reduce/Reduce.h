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
int chain(const ReduceArgs &args);
int pipeline(const ReduceArgs &args);
int binary(const ReduceArgs &args);
int ompiBinomial(const ReduceArgs &args);
int ompiRabenseifner(const ReduceArgs &args);
int smp(const ReduceArgs &args);
int compositionAlpha(const ReduceArgs &args);

} // namespace gnomon::coll::reduce
