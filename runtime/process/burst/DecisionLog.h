// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What points decided in one run, as it stands in memory (docs/decisions.md).
#pragma once

#include "process/burst/InputLog.h"
#include "process/burst/Moments.h"
#include "process/burst/Profile.h"
#include "support/Append.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::process::burst {

/// Equal values in a row.
struct ValueRun {
  int64_t value;
  uint64_t times; ///< above 0
  auto operator<=>(const ValueRun &) const = default;
};
/// All values of one point on one rank.
using Values = std::vector<ValueRun>;

inline void appendRun(Values &values, const ValueRun &run) {
  if (!values.empty() && values.back().value == run.value) [[likely]]
    values.back().times += run.times;
  else
    append(values, run);
}

inline uint64_t timesOf(const Values &values) {
  uint64_t times = 0;
  for (const ValueRun &run : values)
    times += run.times;
  return times;
}

/// What is left of a rank's values.
struct ValueCursor {
  size_t run = 0;
  uint64_t taken = 0; ///< of the run
  uint64_t passed = 0;

  /// Nothing: they are at an end.
  std::optional<int64_t> next(const Values &values) {
    if (run == values.size())
      return std::nullopt;
    const ValueRun &present = values[run];
    ++passed;
    if (++taken == present.times) {
      ++run;
      taken = 0;
    }
    return present.value;
  }
};

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
  uint32_t bits = 1; ///< of a value, 1 to 64
  bool real = false; ///< values are the bits of doubles
  bool each = false; ///< many at a time, as many as there are ranks: counts of MPI_Alltoallv, say
  std::string what;  ///< for people
  bool execute = false;       ///< the user: what it rests on runs, and what is computed holds
  bool alike = false;         ///< all ranks decide what ofRank[0] says
  std::vector<Values> ofRank; ///< by rank; those behind the last passed none
};

/// A burst that may be skipped. Its key counts the bursts of one function.
struct BurstLog {
  PointKey key;
  /// What its instances cost, kind by kind, in CPU seconds of DecisionLog::machine, or in instructions.
  std::vector<ProfileRow> costs;
  /// How the times of stretches vary that meet it first, as parts of their mean (Variation).
  std::vector<double> chances;
  /// What they execute, in counted instructions, where no formula tells it (Volumes.h): by rank, in the order in which
  /// they begin. The unit of their work then.
  std::vector<Values> volumes;
  bool alike = false; ///< volumes[0] is of all ranks
  /// How often the rank of the shortest list came through it; 0: nobody knows.
  uint64_t repeats = 0;
  /// Instructions for a unit of the work that the formula tells, where they follow it roughly; 0: they do not.
  double perWork = 0;
};

/// Stretches that are alike (Stretches.h): what they took in a measured run.
struct StretchLog {
  uint64_t name = 0;
  uint64_t kind =
      0; ///< of those that met the same bursts, whatever the sizes of their work; 0: there is none
  std::optional<PointKey> first; ///< the burst that they met first, for people
  uint64_t times = 1;
  double seconds = 0;      ///< of the processor, in the mean
  double cost = 0;         ///< what bursts' costs say of them in the mean; 0: nothing
  double instructions = 0; ///< that were counted, in the mean; 0: nobody knows
  /// What each rank took for its work, as parts of what all took for theirs; 0: it had none.
  std::vector<double> ofRank;
  Chances chances;
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
  /// The processor that costs were measured on, or "counted instructions"; empty: there are none.
  std::string machine;
  std::vector<BurstLog> bursts;
  bool allBursts = false; ///< of those that may be skipped, bursts has all that were executed
  uint32_t spawned = 0;   ///< ranks that the program started (MPI_Comm_spawn), behind the others
  std::vector<StretchLog> stretches; ///< of alike ones
};

} // namespace gnomon::process::burst
