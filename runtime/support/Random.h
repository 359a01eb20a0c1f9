// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random numbers that are the same in every run, by their number in a stream: no state, so that who
/// draws needs to keep a counter only. (Hash.h's values of neighbouring keys depend on each other.)
#pragma once

#include "support/Hash.h"

#include <cmath>
#include <cstdint>

namespace gnomon {

/// SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014),
/// its value with this \p number when it begins at a mixture of \p seed.
constexpr uint64_t randomBits(uint64_t seed, uint64_t number) {
  uint64_t bits = mixed(seed, 0) + spread(number + 1);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// Exponentially distributed with mean 1.
inline double randomExponential(uint64_t seed, uint64_t number) {
  return -std::log(static_cast<double>((randomBits(seed, number) >> 11) + 1) * 0x1p-53);
}

} // namespace gnomon
