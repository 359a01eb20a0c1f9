// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of total exchanges, and the default choices.
#include "coll/alltoall/Alltoall.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

namespace {

constexpr const char *PowerOfTwo = "a power of two of ranks";
template <class Args> bool powerOfTwo(const Args &args) { return isPowerOfTwo(args.size); }

} // namespace

std::span<const Algorithm<AlltoallArgs>> Collective<AlltoallArgs>::table() {
  static constexpr Algorithm<AlltoallArgs> algorithms[] = {
      {"basic_linear", alltoall::basicLinear<AlltoallArgs>},
      {"bruck", alltoall::bruck},
      {"pair", alltoall::pair<AlltoallArgs>, powerOfTwo<AlltoallArgs>, PowerOfTwo},
      {"ring", alltoall::ring<AlltoallArgs>},
  };
  return algorithms;
}

Run<AlltoallArgs> Collective<AlltoallArgs>::choose(const AlltoallArgs &args) {
  const int64_t block = args.blockBytes();
  if (block < 200 && args.size > 12)
    return alltoall::bruck;
  if (block < 3000)
    return alltoall::basicLinear<AlltoallArgs>;
  return isPowerOfTwo(args.size) ? alltoall::pair<AlltoallArgs> : alltoall::ring<AlltoallArgs>;
}

// The blocks' sizes differ between ranks, so only the number of ranks may decide.
template <class Args> static Run<Args> bySize(const Args &args) {
  constexpr int ManyRanks = 64;
  return args.size <= ManyRanks ? alltoall::basicLinear<Args> : alltoall::ring<Args>;
}

std::span<const Algorithm<AlltoallvArgs>> Collective<AlltoallvArgs>::table() {
  static constexpr Algorithm<AlltoallvArgs> algorithms[] = {
      {"ompi_basic_linear", alltoall::basicLinear<AlltoallvArgs>},
      {"pair", alltoall::pair<AlltoallvArgs>, powerOfTwo<AlltoallvArgs>, PowerOfTwo},
      {"ring", alltoall::ring<AlltoallvArgs>},
  };
  return algorithms;
}

Run<AlltoallvArgs> Collective<AlltoallvArgs>::choose(const AlltoallvArgs &args) {
  return bySize(args);
}

std::span<const Algorithm<AlltoallwArgs>> Collective<AlltoallwArgs>::table() {
  static constexpr Algorithm<AlltoallwArgs> algorithms[] = {
      {"ompi_basic_linear", alltoall::basicLinear<AlltoallwArgs>},
      {"pair", alltoall::pair<AlltoallwArgs>, powerOfTwo<AlltoallwArgs>, PowerOfTwo},
      {"ring", alltoall::ring<AlltoallwArgs>},
  };
  return algorithms;
}

Run<AlltoallwArgs> Collective<AlltoallwArgs>::choose(const AlltoallwArgs &args) {
  return bySize(args);
}

} // namespace gnomon::coll
