// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By how much a counter is raised: a constant, and multiples of numbers that are known where it is
/// raised (KnownCounts.h).
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>

namespace gnomon::count {

struct Amount {
  int64_t constant = 0;
  /// Of numbers by their place in KnownCounts, ascending; none is 0.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 0> multiples;

  Amount(int64_t amount = 0) : constant(amount) {}

  bool isZero() const { return constant == 0 && multiples.empty(); }

  void addMultiple(unsigned count, int64_t times) {
    auto *place = multiples.begin();
    while (place != multiples.end() && place->first < count)
      ++place;
    if (place == multiples.end() || place->first != count)
      place = multiples.insert(place, {count, 0});
    place->second += times;
    if (place->second == 0)
      multiples.erase(place);
  }

  Amount &add(const Amount &other, int64_t times) {
    constant += other.constant * times;
    for (auto [count, each] : other.multiples)
      addMultiple(count, each * times);
    return *this;
  }
  Amount &operator+=(const Amount &other) { return add(other, 1); }
  Amount &operator-=(const Amount &other) { return add(other, -1); }
};

} // namespace gnomon::count
