// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of allgathers, and the default choices.
#include "coll/allgather/Allgather.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"

namespace gnomon::coll {

namespace {

constexpr int64_t ShortBytes = 50000;
constexpr const char *PowerOfTwo = "a power of two of ranks";
template <class Args> bool powerOfTwo(const Args &args) { return isPowerOfTwo(args.size); }

} // namespace

std::span<const Algorithm<AllgatherArgs>> Collective<AllgatherArgs>::table() {
  using A = AllgatherArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"rdb", allgather::recursiveDoubling, powerOfTwo<A>, PowerOfTwo},
      {"bruck", with<A, allgather::bruck>},
      {"ring", with<A, allgather::ring>},
      {"pair", with<A, allgather::pair>, powerOfTwo<A>, PowerOfTwo},
      {"NTSLR", with<A, allgather::logicalRing>},
      {"ompi_neighborexchange", allgather::neighborExchange,
       [](const A &args) { return args.size % 2 == 0; }, "an even number of ranks"},
      {"spreading_simple", with<A, allgather::spreadingSimple>},
      {"GB", with<A, allgather::gatherBcast>},
  };
  return algorithms;
}

Run<AllgatherArgs> Collective<AllgatherArgs>::choose(const AllgatherArgs &args) {
  using A = AllgatherArgs;
  if (args.size == 2)
    return with<A, allgather::pair>;
  if (args.totalBytes() < ShortBytes) {
    if (isPowerOfTwo(args.size))
      return allgather::recursiveDoubling;
    return with<A, allgather::bruck>;
  }
  if (args.size % 2 == 0)
    return allgather::neighborExchange;
  return with<A, allgather::logicalRing>;
}

std::span<const Algorithm<AllgathervArgs>> Collective<AllgathervArgs>::table() {
  using A = AllgathervArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"GB", with<A, allgather::gatherBcast>},
      {"pair", with<A, allgather::pair>, powerOfTwo<A>, PowerOfTwo},
      {"ring", with<A, allgather::ring>},
      {"ompi_bruck", with<A, allgather::bruck>},
      {"mpich_ring", with<A, allgather::logicalRing>},
  };
  return algorithms;
}

Run<AllgathervArgs> Collective<AllgathervArgs>::choose(const AllgathervArgs &args) {
  if (args.totalBytes() < ShortBytes)
    return with<AllgathervArgs, allgather::bruck>;
  return with<AllgathervArgs, allgather::logicalRing>;
}

} // namespace gnomon::coll
