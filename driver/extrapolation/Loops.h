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

/// The first loop of \p rank with messages whose turns are among \p turns. A loop is that up to
/// MostCalls calls come again, all the same. Costs O(MostCalls) a record.
std::optional<Loop> suspiciousLoop(const patterns::Recording &recording, uint32_t rank,
                                   const std::set<uint64_t> &turns);
inline constexpr size_t MostCalls = 24;

} // namespace gnomon::extrapolation
