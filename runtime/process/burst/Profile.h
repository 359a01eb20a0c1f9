// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long bursts and the code between them took in an earlier run, as it stands in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::process::burst {

/// A burst by what a rebuild of the same source leaves alone: the ordinal counts the bursts of one
/// function in the order of their places, so that lines may move.
struct BurstKey {
  std::string name, file, function;
  uint32_t line = 0;
  uint32_t ordinal = 0;
};

/// `lu.f:120 blts #3`: names a burst in a trace.
std::string textOf(const BurstKey &key);

/// Figures of one kind of instances, or of all of a burst.
struct ProfileRow {
  int bucket = -1; ///< ⌊log2 work⌋ + 1, 0: work unknown; -1: all
  int warmth = -1; ///< 0 first, 1 cold, 2 warm; -1: all
  uint64_t instances = 0;
  double secondsPerWork = -1; ///< host CPU seconds per unit of work (per instance where unknown)
  double secondsPerInstruction = -1; ///< below 0: not counted
  double spread = 0;                 ///< relative standard deviation of seconds per work
};

struct ProfileBurst {
  BurstKey key;
  std::vector<ProfileRow> rows; ///< the first is of all instances
  /// The part of its time in which it moves memory (models/Slowness.h), 0 to 1, as the user says; -1:
  /// not known.
  double memoryShare = -1;
};

struct Profile {
  std::string path;    ///< where it was read; empty when it was made here
  std::string program; ///< as the link named it
  double hostSpeedFlops = 0;
  double gapSecondsPerInstruction = 0; ///< of the code between bursts
  /// Seconds per instruction of all bursts together, for those that the profile lacks.
  double meanSecondsPerInstruction = 0;
  double meanSecondsPerWork = 0;
  std::vector<ProfileBurst> bursts;
};

/// What an instruction of a burst costs, and how it loads memory.
struct ProfileRate {
  double secondsPerInstruction = 0, memoryShare = -1;
};

/// Of the burst that textOf() names so; of the code between bursts where \p text is empty. Nothing where
/// the profile lacks it, so that meanSecondsPerInstruction has to do.
std::optional<ProfileRate> rateOf(const Profile &profile, const std::string &text);

} // namespace gnomon::process::burst
