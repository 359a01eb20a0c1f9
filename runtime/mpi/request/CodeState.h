// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the program's code keeps while it is in a call of MPI: the registers that a call preserves,
/// and its stack. A loop that comes to the same call with the same of both has done nothing
/// meanwhile that it will remember, unless it has written to other memory: it counts nothing, and
/// steps through nothing.
#pragma once

#include "process/ranks/Rank.h"

#include <array>
#include <cstdint>

namespace gnomon::mpi {

struct CodeState {
  std::array<uintptr_t, 6> registers = {}; ///< rbx, rbp, r12 to r15
  uintptr_t stackPointer = 0;              ///< 0: could not be found
  uint64_t stack = 0;                      ///< a hash of what is on it

  friend bool operator==(const CodeState &, const CodeState &) = default;
};

/// The state of the code that has called MPI on \p rank, which runs. Takes some microseconds.
CodeState callersState(const process::Rank &rank);

} // namespace gnomon::mpi
