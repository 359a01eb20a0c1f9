// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of scatters, and the default choices.
#include "coll/scatter/Scatter.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<ScatterArgs>> Collective<ScatterArgs>::table() {
  static constexpr Algorithm<ScatterArgs> algorithms[] = {
      {"ompi_basic_linear", scatter::basicLinear},
      {"ompi_binomial", scatter::binomial},
      {"ompi_linear_nb", scatter::linearNonblocking},
  };
  return algorithms;
}

Run<ScatterArgs> Collective<ScatterArgs>::choose(const ScatterArgs &args) {
  const int64_t block = args.blockBytes();
  if (block < 300 || (block < 2048 && args.size > 10))
    return scatter::binomial;
  return scatter::basicLinear;
}

std::span<const Algorithm<ScattervArgs>> Collective<ScattervArgs>::table() {
  static constexpr Algorithm<ScattervArgs> algorithms[] = {
      {"ompi_basic_linear", with<ScattervArgs, scatter::basicLinear>},
      {"ompi_linear_nb", with<ScattervArgs, scatter::linearNonblocking>},
  };
  return algorithms;
}

Run<ScattervArgs> Collective<ScattervArgs>::choose(const ScattervArgs &) {
  return with<ScattervArgs, scatter::basicLinear>;
}

} // namespace gnomon::coll
