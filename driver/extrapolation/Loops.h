// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops that may go with the number of ranks. Around a ring of 6 ranks something is passed on 5
/// times; a program that iterates 5 times looks the same. One recorded size cannot tell.
#pragma once

#include "patterns/Pattern.h"

#include <optional>
#include <set>

namespace gnomon::extrapolation {

struct Loop {
  patterns::Place place; ///< its last call
  uint64_t turns = 0;
};

/// Numbers of turns that are no coincidence. Loops of collectives alone are compared with fewer
/// ones: three sums in a row are on a grid of 4x4 nothing that goes with the 4.
struct Turns {
  std::set<uint64_t> ofMessages, ofCollectives;
};

/// The first loop of \p rank that communicates so many times. A loop is that up to MostCalls calls
/// come again, with the same peers. Costs O(MostCalls) a record.
std::optional<Loop> suspiciousLoop(const patterns::Recording &recording, uint32_t rank,
                                   const Turns &turns);
inline constexpr size_t MostCalls = 24;

} // namespace gnomon::extrapolation
