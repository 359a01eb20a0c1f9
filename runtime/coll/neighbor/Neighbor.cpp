// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of neighbourhood collectives.
#include "coll/neighbor/Neighbor.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<NeighborArgs>> Collective<NeighborArgs>::table() {
  static constexpr Algorithm<NeighborArgs> algorithms[] = {
      {"ompi_basic_linear", neighbor::basicLinear, "a message along each edge, all at once"},
  };
  return algorithms;
}

} // namespace gnomon::coll
