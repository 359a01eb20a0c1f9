// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What points decided in one run, as it stands in memory (docs/decisions.md).
#pragma once

#include "process/burst/InputLog.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::process::burst {

/// Equal values in a row.
struct ValueRun {
  int64_t value;
  uint64_t times; ///< above 0
  bool operator==(const ValueRun &) const = default;
};
/// All values of one point on one rank.
using Values = std::vector<ValueRun>;

/// A point by what a rebuild of the same source leaves alone: the ordinal counts the points of one function, from 1 on,
/// in the order of their code.
struct PointKey {
  std::string file, function;
  uint32_t line = 0, ordinal = 1;
};
/// "lulesh.cc:2745 main #1".
std::string nameOf(const PointKey &key);

struct PointLog {
  PointKey key;
  uint32_t bits = 1;          ///< of a value, 1 to 64
  bool real = false;          ///< values are the bits of doubles
  std::string what;           ///< for people
  bool alike = false;         ///< all ranks decide what ofRank[0] says
  std::vector<Values> ofRank; ///< by rank; those behind the last passed none
};

/// What a run is of, as far as that is known before it.
struct RunOrigin {
  std::string program;   ///< as the link named it
  std::string build;     ///< of the program's files: hexadecimal digits
  std::string arguments; ///< of the program, as a shell would take them
  uint32_t ranks = 1;
};

/// What a file of decisions was made from, and what it says.
struct DecisionLog : RunOrigin {
  std::string path;         ///< where it was read; empty when it was made here
  bool inputsKnown = false; ///< it says which files were read
  std::vector<InputLog> inputs;
  std::vector<PointLog> points;
  uint32_t spawned = 0; ///< ranks that the program started (MPI_Comm_spawn), behind the others
};

} // namespace gnomon::process::burst
