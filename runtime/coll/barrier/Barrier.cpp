// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The table of barriers.
#include "coll/barrier/Barrier.h"
#include "coll/Algorithm.h"
#include "coll/Nodes.h"

namespace gnomon::coll {

std::span<const Algorithm<BarrierArgs>> Collective<BarrierArgs>::table() {
  static constexpr Algorithm<BarrierArgs> algorithms[] = {
      {"ompi_basic_linear", barrier::basicLinear, "all report to rank 0, which releases all",
       "ompi_linear"},
      {"ompi_two_procs", barrier::twoProcs, "two ranks tell each other", "ompi_two_proc",
       [](const BarrierArgs &args) { return args.size == 2; }, "two ranks"},
      {"ompi_tree", barrier::tree, "up and down a binomial tree"},
      {"ompi_bruck", barrier::bruck,
       "dissemination: tell the rank 2^k after, hear from that before", "mpich_dissemination"},
      {"ompi_recursivedoubling", barrier::recursiveDoubling,
       "exchanges with rank xor 2^k, after folding onto a power of two",
       "ompi_recursive_doubling mvapich2_pair"},
      {"ompi_doublering", barrier::doubleRing, "a token twice around the ring", "ompi_double_ring"},
      {"mpich_smp", barrier::smp, "within hosts, among their leaders, release within hosts", "",
       hierarchical<BarrierArgs>, SeveralOnAHost, "ompi_bruck"},
  };
  return algorithms;
}

} // namespace gnomon::coll
