// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of prefix reductions.
#include "coll/scan/Scan.h"
#include "coll/Algorithm.h"
#include "coll/Nodes.h"

namespace gnomon::coll {

std::span<const Algorithm<ScanArgs>> Collective<ScanArgs>::table() {
  static constexpr auto byHost = [](const ScanArgs &args) {
    return hierarchical(args) && nodesOf(args)->consecutive;
  };
  static constexpr Algorithm<ScanArgs> algorithms[] = {
      {"linear", scan::linear, "each rank waits for the one below", "ompi_linear"},
      {"recursivedoubling", scan::recursiveDoubling, "recursive doubling",
       "ompi_recursive_doubling mpich_recursive_doubling"},
      {"mpich_smp", scan::smp, "within hosts, among their leaders, within hosts", "", byHost,
       "several ranks on a host, one after the other", "recursivedoubling"},
  };
  return algorithms;
}

std::span<const Algorithm<ExscanArgs>> Collective<ExscanArgs>::table() {
  static constexpr Algorithm<ExscanArgs> algorithms[] = {
      {"linear", scan::exclusiveLinear, "each rank waits for the one below", "ompi_linear"},
      {"recursivedoubling", scan::exclusiveRecursiveDoubling, "recursive doubling",
       "ompi_recursive_doubling mpich_recursive_doubling"},
  };
  return algorithms;
}

} // namespace gnomon::coll
