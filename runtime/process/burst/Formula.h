// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The work of an instance, from its burst's formula (gnomon/Burst.h). Instances in a row mostly
/// have the same numbers, so the last work is kept with them; what others had before is looked up.
#pragma once

#include "gnomon/Burst.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gnomon::process::burst {

/// At least 1 and at most 2^62.
uint64_t evaluate(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d);

/// What formulas gave for numbers before: ranks that take turns have a few. Direct mapped: what comes later takes the
/// place of what is there.
class RecalledWorks {
public:
  /// The work, if it is there; else 0.
  uint64_t find(const gnomon_formula &formula, uint64_t a, uint64_t b, uint64_t c,
                uint64_t d) const {
    const Place &place = places_[placeOf(formula, a, b, c, d)];
    const bool same =
        place.formula == &formula && place.a == a && place.b == b && place.c == c && place.d == d;
    return same ? place.work : 0;
  }
  void add(const gnomon_formula &formula) {
    places_[placeOf(formula, formula.a, formula.b, formula.c, formula.d)] = {
        &formula, formula.a, formula.b, formula.c, formula.d, formula.work};
    marks_[markOf(formula) / 64] |= uint64_t{1} << markOf(formula) % 64;
  }
  /// Works of \p formula, if there may be any, and then those of all others, too.
  void forget(const gnomon_formula &formula) {
    if (!(marks_[markOf(formula) / 64] >> markOf(formula) % 64 & 1))
      return;
    places_.fill({});
    marks_.fill(0);
  }

private:
  struct Place {
    const gnomon_formula *formula = nullptr;
    uint64_t a = 0, b = 0, c = 0, d = 0;
    uint64_t work = 0;
  };
  static constexpr size_t Bits = 10, MarkBits = 12;

  static size_t placeOf(const gnomon_formula &formula, uint64_t a, uint64_t b, uint64_t c,
                        uint64_t d) {
    // Odd numbers of 64 random bits, one for each place of a number.
    const uint64_t sum = (reinterpret_cast<uintptr_t>(&formula) >> 3) + a * 0x9e3779b97f4a7c15 +
                         b * 0xd1b54a32d192ed03 + c * 0x8cb92ba72f3d8dd7 + d * 0xaef17502108ef2d9;
    return sum * 0xf1357aea2e62a9c5 >> (64 - Bits);
  }

  static size_t markOf(const gnomon_formula &formula) {
    return (reinterpret_cast<uintptr_t>(&formula) >> 3) * 0xf1357aea2e62a9c5 >> (64 - MarkBits);
  }

  std::array<Place, size_t{1} << Bits> places_{};
  /// Whose works may be there: a program asks for each formula a first time, and to empty the places takes longer
  /// than to skip fifty instances.
  std::array<uint64_t, (size_t{1} << MarkBits) / 64> marks_{};
};
inline constinit RecalledWorks recalledWorks;

/// Whether that are the numbers of its latest work.
inline bool isOf(const gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d) {
  return formula.a == static_cast<uint64_t>(a) && formula.b == static_cast<uint64_t>(b) &&
         formula.c == static_cast<uint64_t>(c) && formula.d == static_cast<uint64_t>(d);
}

/// The work of these numbers, if formulas were asked for it lately.
inline std::optional<uint64_t> knownWork(gnomon_formula &formula, int64_t first, int64_t second,
                                         int64_t third, int64_t fourth) {
  const auto a = static_cast<uint64_t>(first), b = static_cast<uint64_t>(second),
             c = static_cast<uint64_t>(third), d = static_cast<uint64_t>(fourth);
  const uint64_t differs = (formula.a ^ a) | (formula.b ^ b) | (formula.c ^ c) | (formula.d ^ d);
  if (formula.work == 0) [[unlikely]]
    return std::nullopt;
  if (differs == 0)
    return formula.work;
  const uint64_t work = recalledWorks.find(formula, a, b, c, d);
  if (work == 0) [[unlikely]]
    return std::nullopt;
  formula.a = a;
  formula.b = b;
  formula.c = c;
  formula.d = d;
  return formula.work = work;
}

uint64_t workOf(gnomon_formula &formula, int64_t a, int64_t b, int64_t c, int64_t d);

} // namespace gnomon::process::burst
