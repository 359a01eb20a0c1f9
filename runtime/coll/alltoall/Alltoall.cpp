// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of total exchanges.
#include "coll/alltoall/Alltoall.h"
#include "coll/Algorithm.h"

namespace gnomon::coll {

namespace {

constexpr const char *PowerOfTwo = "a power of two of ranks";
template <class Args> bool powerOfTwo(const Args &args) { return isPowerOfTwo(args.size); }

constexpr const char *OmpiInPlace =
                         "exchanges with the rank before and the rank after, by distance",
                     *Replace = "an exchange with each rank, in the order of ranks",
                     *Scattered = "all at once, in batches of 32 peers",
                     *ByXor = "exchange with rank xor i in step i",
                     *ByDistance = "to the rank i after, from the rank i before, in step i";

} // namespace

std::span<const Algorithm<AlltoallArgs>> Collective<AlltoallArgs>::table() {
  using A = AlltoallArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"basic_linear", alltoall::basicLinear<A>, "all sends and receives at once",
       "ompi_linear ompi_linear_sync"},
      {"bruck", alltoall::bruck, "Bruck's: blocks travel by the binary digits of their distance",
       "ompi_modified_bruck mpich_brucks"},
      {"pair", alltoall::pair<A>, ByXor, "", powerOfTwo<A>, PowerOfTwo},
      {"ring", alltoall::ring<A>, ByDistance, "ompi_pairwise"},
      {"ompi_two_proc", alltoall::pair<A>, "two ranks exchange", "",
       [](const A &args) { return args.size == 2; }, "two ranks"},
      {"ompi_inplace", alltoall::ompiInPlace<A>, OmpiInPlace},
      {"mpich_pairwise", alltoall::pairOrRing, "as pair on a power of two of ranks, else as ring"},
      {"mpich_scattered", alltoall::scattered<A>, Scattered},
      {"mpich_pairwise_sendrecv_replace", alltoall::exchangeInOrder<A>, Replace},
  };
  return algorithms;
}

std::span<const Algorithm<AlltoallvArgs>> Collective<AlltoallvArgs>::table() {
  using A = AlltoallvArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"ompi_basic_linear", alltoall::linearInOrder<A>, "all sends and receives at once"},
      {"pair", alltoall::pair<A>, ByXor, "", powerOfTwo<A>, PowerOfTwo},
      {"ring", alltoall::ring<A>, ByDistance, "ompi_pairwise"},
      {"ompi_inplace", alltoall::ompiInPlace<A>, OmpiInPlace},
      {"mpich_scattered", alltoall::scattered<A>, Scattered},
      {"mpich_pairwise_sendrecv_replace", alltoall::exchangeInOrder<A>, Replace},
  };
  return algorithms;
}

std::span<const Algorithm<AlltoallwArgs>> Collective<AlltoallwArgs>::table() {
  using A = AlltoallwArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"ompi_basic_linear", alltoall::linearInOrder<A>, "all sends and receives at once",
       "ompi_linear"},
      {"pair", alltoall::pair<A>, ByXor, "", powerOfTwo<A>, PowerOfTwo},
      {"ring", alltoall::ring<A>, ByDistance},
      {"ompi_inplace", alltoall::ompiInPlace<A>, OmpiInPlace},
      {"mpich_scattered", alltoall::scattered<A>, Scattered},
      {"mpich_pairwise_sendrecv_replace", alltoall::exchangeInOrder<A>, Replace},
  };
  return algorithms;
}

} // namespace gnomon::coll
