// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of pairs of hosts, given in the order of their first look-up. A look-up touches one
/// cache line most of the time.
#pragma once

#include "support/Hash.h"

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
  Found find(uint32_t first, uint32_t second) {
    const uint64_t key = uint64_t{first} << 32 | second;
    Place &place = placeOf(key);
    if (place.number != None)
      return {place.number, false};
    place = {key, count_++};
    const Found found{place.number, true};
    if (2 * size_t{count_} > places_.size())
      grow();
    return found;
  }

private:
  static constexpr uint32_t None = UINT32_MAX;
  struct Place {
    uint64_t key = 0;
    uint32_t number = None;
  };

  /// Where \p key stands, or would.
  Place &placeOf(uint64_t key) {
    const size_t mask = places_.size() - 1;
    size_t at = mixed(key, 0) & mask;
    while (places_[at].number != None && places_[at].key != key)
      at = (at + 1) & mask;
    return places_[at];
  }
  void grow() {
    const std::vector<Place> before = std::move(places_);
    places_.assign(2 * before.size(), Place());
    for (const Place &place : before)
      if (place.number != None)
        placeOf(place.key) = place;
  }

  std::vector<Place> places_ = std::vector<Place>(64); ///< a power of two
  uint32_t count_ = 0;
};

} // namespace gnomon::models
