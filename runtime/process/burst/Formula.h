// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of an instance, from its burst's formula (gnomon/Burst.h). Instances in a row mostly
/// have the same numbers, so the last work is kept with them.
#pragma once

#include "gnomon/Burst.h"

namespace gnomon::process::burst {

/// At least 1 and at most 2^62.
uint64_t evaluate(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d);

/// The work, if the numbers are those that it was evaluated of last; else 0.
inline uint64_t knownWork(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c,
                          int64_t d) {
  const auto differs =
      (formula.a ^ static_cast<uint64_t>(a)) | (formula.b ^ static_cast<uint64_t>(b)) |
      (formula.c ^ static_cast<uint64_t>(c)) | (formula.d ^ static_cast<uint64_t>(d));
  return differs == 0 ? formula.work : 0;
}

inline uint64_t workOf(gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  if (const uint64_t known = knownWork(formula, a, b, c, d)) [[likely]]
    return known;
  formula.a = static_cast<uint64_t>(a);
  formula.b = static_cast<uint64_t>(b);
  formula.c = static_cast<uint64_t>(c);
  formula.d = static_cast<uint64_t>(d);
  return formula.work = evaluate(formula, a, b, c, d);
}

} // namespace gnomon::process::burst
