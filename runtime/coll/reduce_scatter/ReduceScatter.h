// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The algorithms of MPI_Reduce_scatter and MPI_Reduce_scatter_block; each file says what it does
/// and costs.
#pragma once

#include "coll/Arguments.h"

#include <vector>

namespace gnomon::coll::reduce_scatter {

int ring(const ReduceScatterArgs &args);
int pairwise(const ReduceScatterArgs &args);
int recursiveHalving(const ReduceScatterArgs &args);
int nonoverlapping(const ReduceScatterArgs &args);
int recursiveDoubling(const ReduceScatterArgs &args);
int noncommutative(const ReduceScatterArgs &args);
int butterfly(const ReduceScatterArgs &args);
int butterflyOfEqualBlocks(const ReduceScatterArgs &args);

/// Where each rank's block starts, in elements; the total at index n.
inline std::vector<int64_t> blockOffsets(const ReduceScatterArgs &args) {
  std::vector<int64_t> offsets(static_cast<size_t>(args.size) + 1);
  for (int r = 0; r < args.size; ++r)
    offsets[static_cast<size_t>(r) + 1] = offsets[static_cast<size_t>(r)] + args.countOf(r);
  return offsets;
}

/// The largest block, in elements.
inline int64_t largestBlock(const ReduceScatterArgs &args) {
  int64_t largest = 0;
  for (int r = 0; r < args.size; ++r)
    largest = largest < args.countOf(r) ? args.countOf(r) : largest;
  return largest;
}

/// The bits of \p place, one of the power of two \p p, in reverse.
inline int mirrored(int place, int p) {
  int mirror = 0;
  for (int bit = 1; bit < p; bit *= 2)
    mirror = 2 * mirror + (place & bit ? 1 : 0);
  return mirror;
}

} // namespace gnomon::coll::reduce_scatter
