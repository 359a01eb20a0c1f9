// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Takes the records of one rank that are the next ones of the loop that its window follows
/// (Window.h), as most are. Such a record is compared where it lies: nothing is copied, hashed or
/// encoded, and whoever has the follower needs no virtual call. What it does not take goes the way
/// of all records, by Sink::append().
#pragma once

#include "trace/RecordPool.h"
#include "trace/Window.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gnomon::trace {

class Follower {
public:
  /// Peers are kept relative to \p rank, modulo \p ranks (Schema.h); 0: as they are.
  Follower(Window &window, const RecordPool &pool, uint32_t rank, uint32_t ranks)
      : window_(window), pool_(pool), by_(ranks ? ranks - rank % ranks : 0), ranks_(ranks) {}

  /// Whether the record comes next: then it has been appended. Bit i of \p relative says that value
  /// i is a peer that is kept relative; a function with lists must have none. \p values are an array or
  /// a span of int64_t.
  template <class Values>
  [[gnu::always_inline]] bool take(uint32_t function, const Values &values, uint64_t relative) {
    const uint32_t next = window_.expected();
    // A window must be written where records take too much: that is append()'s business.
    if (next == Window::None || pool_.isTight() || pool_.function(next) != function)
      return false;
    const std::span<const int64_t> expected = pool_.values(next);
    if (values.size() != expected.size())
      return false;
    uint64_t different = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const bool isPeer = i < 64 && (relative >> i & 1);
      different |= static_cast<uint64_t>((isPeer ? shifted(values[i]) : values[i]) ^ expected[i]);
    }
    if (different != 0)
      return false;
    window_.follow();
    return true;
  }

private:
  int64_t shifted(int64_t peer) const {
    if (static_cast<uint64_t>(peer) >= ranks_)
      return peer;
    const int64_t moved = peer + by_;
    return moved >= ranks_ ? moved - ranks_ : moved;
  }

  Window &window_;
  const RecordPool &pool_;
  uint32_t by_, ranks_;
};

} // namespace gnomon::trace
