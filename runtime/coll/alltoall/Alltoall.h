// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw; each file says what it does and
/// costs. Those that only move blocks are templates over the three argument structs.
#pragma once

#include "coll/Arguments.h"
#include "coll/alltoall/BasicLinear.h"
#include "coll/alltoall/InPlace.h"
#include "coll/alltoall/MpichScattered.h"
#include "coll/alltoall/OmpiBasicLinear.h"
#include "coll/alltoall/Pair.h"
#include "coll/alltoall/Ring.h"

namespace gnomon::coll::alltoall {

int bruck(const AlltoallArgs &args);
int pairOrRing(const AlltoallArgs &args);

} // namespace gnomon::coll::alltoall
