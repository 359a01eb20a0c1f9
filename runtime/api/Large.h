// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the plain form of a function does with results that its implementation gives in 64 bits.
#pragma once

#include "mpi.h"

#include <cstdint>
#include <limits>

namespace gnomon::api {

/// A number for an int: MPI_UNDEFINED when it does not fit (MPI 4.1, section 3.2.5 and elsewhere).
inline int narrow(int64_t value) {
  const bool fits =
      value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  return fits ? static_cast<int>(value) : MPI_UNDEFINED;
}

} // namespace gnomon::api
