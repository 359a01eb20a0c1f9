// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of an instance, from its burst's formula (gnomon/Burst.h). Instances in a row mostly
/// have the same numbers, so the last work is kept with them; what others had before is looked up.
#pragma once

#include "gnomon/Burst.h"

#include <cstdint>
#include <optional>

namespace gnomon::process::burst {

/// At least 1 and at most 2^62.
uint64_t evaluate(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d);
/// The same, looked up where it was evaluated before with these numbers: ranks that take turns have a few.
uint64_t recall(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d);

/// The same, where these numbers are the last ones that it was asked for.
inline std::optional<uint64_t> latestWork(const gnomon_formula &formula, int64_t a, int64_t b,
                                          int64_t c, int64_t d) {
  const auto differs =
      (formula.a ^ static_cast<uint64_t>(a)) | (formula.b ^ static_cast<uint64_t>(b)) |
      (formula.c ^ static_cast<uint64_t>(c)) | (formula.d ^ static_cast<uint64_t>(d));
  if (differs == 0 && formula.work != 0) [[likely]]
    return formula.work;
  return std::nullopt;
}

inline uint64_t workOf(gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  if (const auto work = latestWork(formula, a, b, c, d)) [[likely]]
    return *work;
  const uint64_t work = recall(formula, a, b, c, d);
  formula.a = static_cast<uint64_t>(a);
  formula.b = static_cast<uint64_t>(b);
  formula.c = static_cast<uint64_t>(c);
  formula.d = static_cast<uint64_t>(d);
  return formula.work = work;
}

} // namespace gnomon::process::burst
