// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicators, told in a way that holds for other numbers of ranks, too. A communicator whose
/// members are all points of the grid that differ in some dimensions only, in their order, is one
/// of a family: on a grid of 4x8 the rows are the family along dimension 1, the columns that along
/// dimension 0, a duplicate of MPI_COMM_WORLD is along both. A code says of a rank's communicator
/// along which dimensions it is, and the how-many-eth of the rank's communicators along these.
#pragma once

#include "patterns/Grid.h"
#include "trace/Record.h"

namespace gnomon::patterns {

class Families {
public:
  /// Costs O(members of all communicators).
  Families(const trace::Source &source, const Grid &grid);

  /// The code of a row of the trace. MPI_COMM_WORLD, MPI_COMM_SELF and none are their own codes.
  int64_t codeOf(int64_t row) const;
  /// Of a communicator whose members no family has.
  static constexpr int64_t Irregular = -9;

  /// The dimensions of a code, as a set. \p grid has any number of ranks.
  static uint32_t along(int64_t code, const Grid &grid);
  /// Whether it has one rank, and is not MPI_COMM_SELF.
  static bool isOfOne(int64_t code, const Grid &grid) {
    return code > trace::Self && along(code, grid) == 0;
  }
  static bool isSelf(int64_t code) { return code == trace::Self; }

private:
  std::vector<int64_t> codes_; ///< by row
};

} // namespace gnomon::patterns
