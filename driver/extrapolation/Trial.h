// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tries a pattern on what was recorded.
#pragma once

#include "patterns/Pattern.h"

#include <functional>
#include <optional>
#include <string>

namespace gnomon::extrapolation {

using patterns::Grid;
using patterns::Pattern;
using patterns::Place;
using patterns::Recording;

/// Told now and then which rule is tried, and at which of so many ranks that is. May be empty.
using Trying = std::function<void(const std::string &rule, uint32_t rank, uint32_t ranks)>;

/// Where a pattern fails.
struct Failure {
  Place place;
  uint64_t passed = 0; ///< calls before it, of all ranks
  std::string text;    ///< rank, record, call, and what it should be
};

struct Verdict {
  std::optional<Failure> failure; ///< nothing: the pattern gives all of it
  uint32_t reach = 0;             ///< how far apart on the grid ranks are that talk to each other
};

/// Whether \p pattern gives the calls of each rank of \p recording, whose ranks are on \p grid. It
/// may be another trace than the pattern's own, of which functions and strings have other numbers.
Verdict trial(const Pattern &pattern, const Recording &own, const Recording &recording,
              const Grid &grid, const Trying &trying);

} // namespace gnomon::extrapolation
