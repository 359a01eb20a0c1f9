// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of allgathers.
#include "coll/allgather/Allgather.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"

namespace gnomon::coll {

namespace {

constexpr const char *PowerOfTwo = "a power of two of ranks", *Even = "an even number of ranks",
                     *Two = "two ranks";
template <class Args> bool powerOfTwo(const Args &args) { return isPowerOfTwo(args.size); }
template <class Args> bool even(const Args &args) { return args.size % 2 == 0; }
template <class Args> bool two(const Args &args) { return args.size == 2; }

} // namespace

std::span<const Algorithm<AllgatherArgs>> Collective<AllgatherArgs>::table() {
  using A = AllgatherArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"rdb", allgather::recursiveDoubling, "recursive doubling",
       "ompi_recursive_doubling mpich_recursive_doubling", powerOfTwo<A>, PowerOfTwo, "bruck"},
      {"bruck", with<A, allgather::bruck>, "Bruck's: blocks by distance, doubling",
       "ompi_bruck mpich_brucks"},
      {"ring", with<A, allgather::ring>, "own block straight to each rank, by distance"},
      {"pair", with<A, allgather::pair>, "own block to rank xor i in step i", "", powerOfTwo<A>,
       PowerOfTwo},
      {"NTSLR", with<A, allgather::logicalRing>, "around a logical ring", "ompi_ring mpich_ring"},
      {"ompi_neighborexchange", with<A, allgather::neighborExchange>,
       "two blocks at a time to the right and the left by turns", "ompi_neighbor", even<A>, Even,
       "NTSLR"},
      {"ompi_two_proc", with<A, allgather::pair>, "two ranks exchange", "", two<A>, Two},
      {"spreading_simple", with<A, allgather::spreadingSimple>, "all sends and receives at once"},
      {"GB", with<A, allgather::gatherBcast>, "binomial gather, then binomial broadcast"},
      {"ompi_linear", with<A, allgather::chosenGatherBcast>,
       "a gather, then a broadcast, as they are chosen"},
  };
  return algorithms;
}

std::span<const Algorithm<AllgathervArgs>> Collective<AllgathervArgs>::table() {
  using A = AllgathervArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"GB", with<A, allgather::gatherBcast>, "linear gather, then binomial broadcast"},
      {"pair", with<A, allgather::pair>, "own block to rank xor i in step i", "", powerOfTwo<A>,
       PowerOfTwo},
      {"ring", with<A, allgather::ring>, "own block straight to each rank, by distance"},
      {"ompi_neighborexchange", with<A, allgather::neighborExchange>,
       "two blocks at a time to the right and the left by turns", "ompi_neighbor", even<A>, Even,
       "ompi_ring"},
      {"ompi_bruck", with<A, allgather::bruck>, "Bruck's: blocks by distance, doubling",
       "mpich_brucks"},
      {"ompi_ring", with<A, allgather::logicalRing>, "around a logical ring"},
      {"ompi_two_proc", with<A, allgather::pair>, "two ranks exchange", "", two<A>, Two},
      {"ompi_default", with<A, allgather::chosenGatherBcast>,
       "a gather, then a broadcast, as they are chosen"},
      {"mpich_rdb", with<A, allgather::packedRecursiveDoubling>, "recursive doubling",
       "mpich_recursive_doubling", powerOfTwo<A>, PowerOfTwo, "ompi_bruck"},
      {"mpich_ring", with<A, allgather::pipelinedRing>,
       "around a logical ring in pieces (segment=32768)"},
  };
  return algorithms;
}

} // namespace gnomon::coll
