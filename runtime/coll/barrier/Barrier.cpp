// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of barriers, and the default choice.
#include "coll/barrier/Barrier.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"

namespace gnomon::coll {

std::span<const Algorithm<BarrierArgs>> Collective<BarrierArgs>::table() {
  static constexpr Algorithm<BarrierArgs> algorithms[] = {
      {"ompi_basic_linear", barrier::basicLinear},
      {"ompi_two_procs", barrier::twoProcs, [](const BarrierArgs &args) { return args.size == 2; },
       "two ranks"},
      {"ompi_tree", barrier::tree},
      {"ompi_bruck", barrier::bruck},
      {"ompi_recursivedoubling", barrier::recursiveDoubling},
      {"ompi_doublering", barrier::doubleRing},
  };
  return algorithms;
}

/// SMPI's default, so that programs which start their clocks after a barrier compare number by
/// number.
Run<BarrierArgs> Collective<BarrierArgs>::choose(const BarrierArgs &) {
  return barrier::basicLinear;
}

} // namespace gnomon::coll
