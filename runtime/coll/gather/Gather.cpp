// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of gathers.
#include "coll/gather/Gather.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<GatherArgs>> Collective<GatherArgs>::table() {
  static constexpr Algorithm<GatherArgs> algorithms[] = {
      {"ompi_basic_linear", gather::basicLinear, "the root receives in the order of ranks"},
      {"ompi_binomial", gather::binomial, "binomial tree, the smallest subtree first",
       "mpich_binomial"},
      {"ompi_linear_sync", gather::linearSync,
       "the root asks one rank after the other; blocks in two parts"},
  };
  return algorithms;
}

std::span<const Algorithm<GathervArgs>> Collective<GathervArgs>::table() {
  static constexpr Algorithm<GathervArgs> algorithms[] = {
      {"ompi_basic_linear", with<GathervArgs, gather::basicLinear>,
       "the root receives in the order of ranks", "ompi_linear"},
      {"mpich_linear", with<GathervArgs, gather::linearNonblocking>,
       "the root receives from all at once"},
  };
  return algorithms;
}

} // namespace gnomon::coll
