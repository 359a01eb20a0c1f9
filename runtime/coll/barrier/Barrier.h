// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Barrier; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::barrier {

int bruck(const BarrierArgs &args);
int recursiveDoubling(const BarrierArgs &args);
int basicLinear(const BarrierArgs &args);
int tree(const BarrierArgs &args);
int doubleRing(const BarrierArgs &args);
int twoProcs(const BarrierArgs &args);
int smp(const BarrierArgs &args);

} // namespace gnomon::coll::barrier
