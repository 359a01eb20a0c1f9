// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of pairs of hosts, given in the order of their first look-up. A look-up touches one
/// cache line most of the time: the pairs themselves are kept by whoever uses the numbers.
#pragma once

#include "support/Hash.h"
#include "support/Prefetch.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace gnomon::models {

class PairIndex {
public:
  struct Found {
    uint32_t number;
    bool isNew;
  };
  /// \p isOf(number): whether that number was given to this pair.
  template <class IsOf> Found find(uint32_t first, uint32_t second, IsOf isOf) {
    const uint32_t hash = hashOf(first, second);
    const size_t mask = places_.size() - 1;
    size_t at = hash & mask;
    for (; places_[at].number != None; at = (at + 1) & mask)
      if (places_[at].hash == hash && isOf(places_[at].number))
        return {places_[at].number, false};
    places_[at] = {hash, count_++};
    const Found found{places_[at].number, true};
    if (2 * size_t{count_} > places_.size())
      grow();
    return found;
  }
  /// Asks the processor for what find() looks at first.
  void fetch(uint32_t first, uint32_t second) const {
    fetchToRead(&places_[hashOf(first, second) & (places_.size() - 1)]);
  }

private:
  static constexpr uint32_t None = UINT32_MAX;
  struct Place {
    uint32_t hash = 0;
    uint32_t number = None;
  };

  static uint32_t hashOf(uint32_t first, uint32_t second) {
    return static_cast<uint32_t>(mixed(uint64_t{first} << 32 | second, 0));
  }
  void grow() {
    const std::vector<Place> before = std::move(places_);
    places_.assign(2 * before.size(), Place());
    for (const Place &place : before)
      if (place.number != None) {
        size_t at = place.hash & (places_.size() - 1);
        while (places_[at].number != None)
          at = (at + 1) & (places_.size() - 1);
        places_[at] = place;
      }
  }

  std::vector<Place> places_ = std::vector<Place>(64); ///< a power of two
  uint32_t count_ = 0;
};

} // namespace gnomon::models
