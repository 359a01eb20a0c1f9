// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of gathers, and the default choices.
#include "coll/gather/Gather.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

std::span<const Algorithm<GatherArgs>> Collective<GatherArgs>::table() {
  static constexpr Algorithm<GatherArgs> algorithms[] = {
      {"ompi_basic_linear", gather::basicLinear},
      {"ompi_binomial", gather::binomial},
      {"ompi_linear_sync", gather::linearSync},
  };
  return algorithms;
}

Run<GatherArgs> Collective<GatherArgs>::choose(const GatherArgs &args) {
  const int64_t block = args.blockBytes();
  if (block > 92160)
    return gather::linearSync;
  if (block < 1024 || (block < 6000 && args.size > 10))
    return gather::binomial;
  return gather::basicLinear;
}

std::span<const Algorithm<GathervArgs>> Collective<GathervArgs>::table() {
  static constexpr Algorithm<GathervArgs> algorithms[] = {
      {"ompi_basic_linear", with<GathervArgs, gather::basicLinear>},
  };
  return algorithms;
}

Run<GathervArgs> Collective<GathervArgs>::choose(const GathervArgs &) {
  return with<GathervArgs, gather::basicLinear>;
}

} // namespace gnomon::coll
