// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tables of reduce-scatters.
#include "coll/reduce_scatter/ReduceScatter.h"
#include "coll/Algorithm.h"
#include "coll/Messages.h"

namespace gnomon::coll {

namespace {

constexpr const char *Commutative = "a commutative op";
bool commutes(const ReduceScatterArgs &args) { return args.op->commutative(); }
template <class A> bool commutative(const A &args) { return commutes(args); }

bool equalBlocks(const ReduceScatterArgs &args) {
  for (int r = 1; r < args.size; ++r)
    if (args.countOf(r) != args.countOf(0))
      return false;
  return isPowerOfTwo(args.size);
}

} // namespace

std::span<const Algorithm<ReduceScatterArgs>> Collective<ReduceScatterArgs>::table() {
  using A = ReduceScatterArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"ompi_basic_recursivehalving", reduce_scatter::recursiveHalving,
       "recursive halving, the farther half first",
       "ompi_recursive_halving mpich_recursive_halving", commutes, Commutative,
       "ompi_nonoverlapping"},
      {"ompi_ring", reduce_scatter::ring, "each block goes around a ring", "", commutes,
       Commutative, "ompi_nonoverlapping"},
      {"ompi_butterfly", reduce_scatter::butterfly,
       "recursive halving, neighbours first, then to the mirrored rank"},
      {"mpich_pair", reduce_scatter::pairwise,
       "each rank sends its part of every block to the block's owner, by distance",
       "mpich_pairwise", commutes, Commutative, "mpich_rdb"},
      {"mpich_rdb", reduce_scatter::recursiveDoubling,
       "recursive doubling of all blocks that are not one's own", "mpich_recursive_doubling"},
      {"mpich_noncomm", reduce_scatter::noncommutative,
       "recursive halving of blocks in mirrored order, neighbours first", "mpich_noncommutative",
       equalBlocks, "a power of two of ranks and equal blocks", "mpich_rdb"},
      {"ompi_nonoverlapping", reduce_scatter::nonoverlapping,
       "a reduce to rank 0, then a scatter, as they are chosen", "ompi_non_overlapping"},
  };
  return algorithms;
}

std::span<const Algorithm<ReduceScatterBlockArgs>> Collective<ReduceScatterBlockArgs>::table() {
  using A = ReduceScatterBlockArgs;
  static constexpr Algorithm<A> algorithms[] = {
      {"ompi_basic_recursivehalving", with<A, reduce_scatter::recursiveHalving>,
       "recursive halving, the farther half first",
       "ompi_recursive_halving mpich_recursive_halving", commutative<A>, Commutative,
       "ompi_nonoverlapping"},
      {"ompi_ring", with<A, reduce_scatter::ring>, "each block goes around a ring", "",
       commutative<A>, Commutative, "ompi_nonoverlapping"},
      {"ompi_butterfly", with<A, reduce_scatter::butterflyOfEqualBlocks>,
       "recursive halving, neighbours first; in mirrored order on a power of two"},
      {"mpich_pair", with<A, reduce_scatter::pairwise>,
       "each rank sends its part of every block to the block's owner, by distance",
       "mpich_pairwise", commutative<A>, Commutative, "mpich_rdb"},
      {"mpich_rdb", with<A, reduce_scatter::recursiveDoubling>,
       "recursive doubling of all blocks that are not one's own",
       "mpich_recursive_doubling ompi_recursive_doubling"},
      {"mpich_noncomm", with<A, reduce_scatter::noncommutative>,
       "recursive halving of blocks in mirrored order, neighbours first", "mpich_noncommutative",
       [](const A &args) { return isPowerOfTwo(args.size); }, "a power of two of ranks",
       "mpich_rdb"},
      {"ompi_nonoverlapping", with<A, reduce_scatter::nonoverlapping>,
       "a reduce to rank 0, then a scatter, as they are chosen", "ompi_basic_linear"},
  };
  return algorithms;
}

} // namespace gnomon::coll
