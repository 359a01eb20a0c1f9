// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Algorithms of neighbourhood collectives (MPI 4.1, section 8.6): all of them are an exchange of
/// blocks along the edges of a topology.
#pragma once

#include "coll/Arguments.h"

namespace gnomon::coll::neighbor {

int basicLinear(const NeighborArgs &args);

} // namespace gnomon::coll::neighbor
