// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of prefix reductions, and the default choices.
#include "coll/scan/Scan.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

namespace {
constexpr int FewRanks = 8; ///< below: a chain is as fast as a tree
}

std::span<const Algorithm<ScanArgs>> Collective<ScanArgs>::table() {
  static constexpr Algorithm<ScanArgs> algorithms[] = {
      {"linear", scan::linear},
      {"recursivedoubling", scan::recursiveDoubling},
  };
  return algorithms;
}

Run<ScanArgs> Collective<ScanArgs>::choose(const ScanArgs &args) {
  return args.size < FewRanks ? scan::linear : scan::recursiveDoubling;
}

std::span<const Algorithm<ExscanArgs>> Collective<ExscanArgs>::table() {
  static constexpr Algorithm<ExscanArgs> algorithms[] = {
      {"linear", scan::exclusiveLinear},
      {"recursivedoubling", scan::exclusiveRecursiveDoubling},
  };
  return algorithms;
}

Run<ExscanArgs> Collective<ExscanArgs>::choose(const ExscanArgs &args) {
  return args.size < FewRanks ? scan::exclusiveLinear : scan::exclusiveRecursiveDoubling;
}

} // namespace gnomon::coll
