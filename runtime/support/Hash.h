// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The one mixer of hash values, so that tables do not each type its constants. No simulated order
/// may depend on a hash.
#pragma once

#include <cstdint>

namespace gnomon {

/// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the key times 2^64 / the
/// golden ratio. Neighbouring keys come far apart; the upper bits are the good ones.
constexpr uint64_t spread(uint64_t key) { return key * 0x9e3779b97f4a7c15u; }

/// Two keys as one value whose lower bits are good too (the second multiplier is SplitMix64's).
constexpr uint64_t mixed(uint64_t first, uint64_t second) {
  uint64_t hash = spread(first);
  hash = (hash ^ (hash >> 29) ^ second) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 32);
}

} // namespace gnomon
