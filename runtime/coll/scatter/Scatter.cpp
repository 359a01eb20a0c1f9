// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of scatters.
#include "coll/scatter/Scatter.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<ScatterArgs>> Collective<ScatterArgs>::table() {
  static constexpr Algorithm<ScatterArgs> algorithms[] = {
      {"ompi_basic_linear", scatter::basicLinear, "the root sends to one rank after the other"},
      {"ompi_binomial", scatter::binomial, "binomial tree, the largest subtree first",
       "mpich_binomial"},
      {"ompi_linear_nb", scatter::linearNonblocking, "the root sends to all at once"},
  };
  return algorithms;
}

std::span<const Algorithm<ScattervArgs>> Collective<ScattervArgs>::table() {
  static constexpr Algorithm<ScattervArgs> algorithms[] = {
      {"ompi_basic_linear", with<ScattervArgs, scatter::basicLinear>,
       "the root sends to one rank after the other", "ompi_linear"},
      {"ompi_linear_nb", with<ScattervArgs, scatter::linearNonblocking>,
       "the root sends to all at once", "mpich_linear"},
  };
  return algorithms;
}

} // namespace gnomon::coll
