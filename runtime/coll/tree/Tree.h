// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The trees that Open MPI's algorithms send along, each from one rank's view: whom it gets data
/// from and to whom it passes them, in order. Relative ranks count from the root.
/// Source: Open MPI 4.1, coll_base_topo.
#pragma once

#include "coll/Arguments.h"

#include <vector>

namespace gnomon::coll {

struct Tree {
  int parent = -1; ///< -1 at the root
  std::vector<int> children;

  /// \p chains chains (32 at most) of nearly equal length hang on the root; the first ones are a
  /// rank longer.
  static Tree chain(const Call &call, int root, int chains);
  /// Levels of 1, 2, 4, … relative ranks, in order; rank r of a level has the children r + 2^level
  /// and r + 2 * 2^level.
  static Tree binary(const Call &call, int root);
  /// Every subtree is a range of ranks with its root at the upper end, the last rank that of all:
  /// right child's range, left child's range and the node follow one another, as an op that does
  /// not commute needs them.
  static Tree inOrderBinary(const Call &call);
  /// The parent lacks the highest set bit of the relative rank; the first child, 2^k above, has the
  /// largest subtree.
  static Tree binomial(const Call &call, int root);
  /// The parent lacks the lowest set bit; a subtree is a range of relative ranks, and the last
  /// child has the largest.
  static Tree inOrderBinomial(const Call &call, int root);
  /// As inOrderBinomial in base \p radix, the largest subtree first.
  static Tree knomial(const Call &call, int root, int radix);
};

} // namespace gnomon::coll
