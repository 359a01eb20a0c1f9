// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Scan and MPI_Exscan; each file says what it does and costs.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::scan {

int linear(const ScanArgs &args);
int recursiveDoubling(const ScanArgs &args);
int smp(const ScanArgs &args);
int exclusiveLinear(const ExscanArgs &args);
int exclusiveRecursiveDoubling(const ExscanArgs &args);

} // namespace gnomon::coll::scan
