// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Allgather and MPI_Allgatherv; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::allgather {

int recursiveDoubling(const AllgatherArgs &args);
// These serve MPI_Allgatherv too.
int neighborExchange(const AllgatherBase &args);
int bruck(const AllgatherBase &args);
int ring(const AllgatherBase &args);
int pair(const AllgatherBase &args);
int logicalRing(const AllgatherBase &args);
int spreadingSimple(const AllgatherBase &args);
int gatherBcast(const AllgatherBase &args);
int chosenGatherBcast(const AllgatherBase &args);
// And these only that.
int packedRecursiveDoubling(const AllgatherBase &args);
int pipelinedRing(const AllgatherBase &args);

} // namespace gnomon::coll::allgather
