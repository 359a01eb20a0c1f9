// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gnomon's own choice: Open MPI 4.1's, except for MPI_Barrier, whose algorithm is SMPI's default:
/// programs that start their clocks after a barrier then give the same numbers under both
/// simulators. Neighbourhood collectives have one algorithm.
#include "coll/selection/Rules.h"

namespace gnomon::coll {

static constexpr Rule rules[] = {
    {"barrier", Always, AnyRanks, Measure::Whole, "ompi_basic_linear"},
    {"neighbor", Always, AnyRanks, Measure::Whole, "ompi_basic_linear"},
};

const Selector byDefault{"default", "as ompi, but the barrier is SMPI's (ompi_basic_linear)", rules,
                         &openMpi};

std::span<const Selector *const> selectors() {
  static constexpr const Selector *all[] = {&byDefault, &openMpi, &mpich};
  return all;
}

} // namespace gnomon::coll
