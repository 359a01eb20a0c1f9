// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ready fibers, first in, first out: a ring, so that those that come a little later can be
/// looked at without touching the ones before them. An entry says where a fiber's frames are, for
/// the same reason.
#pragma once

#include "kernel/Fiber.h"

#include <cstddef>
#include <vector>

namespace gnomon::kernel {

class ReadyQueue {
public:
  struct Entry {
    Fiber *fiber;
    const void *frames; ///< the lowest address that the fiber will read
  };

  bool empty() const { return first_ == end_; }
  size_t size() const { return end_ - first_; }
  /// The one that is popped after \p n others; n < size().
  const Entry &operator[](size_t n) const { return ring_[(first_ + n) & mask_]; }
  /// How many were ever popped.
  size_t popped() const { return first_; }

  void push(Entry entry) {
    if (size() > mask_) [[unlikely]]
      grow();
    ring_[end_++ & mask_] = entry;
  }
  /// Null when empty. A ring that was very long once (all ranks start at one date) is given back then.
  Fiber *pop() {
    if (!empty())
      return ring_[first_++ & mask_].fiber;
    if (mask_ >= LongRing) [[unlikely]]
      giveBack();
    return nullptr;
  }
  size_t capacity() const { return ring_.size(); }

private:
  static constexpr size_t FirstRing = 64, LongRing = size_t{1} << 17;

  [[gnu::noinline]] void giveBack() {
    ring_ = std::vector<Entry>(FirstRing);
    mask_ = FirstRing - 1;
  }
  [[gnu::noinline]] void grow() {
    std::vector<Entry> larger(ring_.size() * 2);
    for (size_t at = first_; at != end_; ++at)
      larger[at & (larger.size() - 1)] = ring_[at & mask_];
    ring_.swap(larger);
    mask_ = ring_.size() - 1;
  }

  std::vector<Entry> ring_ = std::vector<Entry>(FirstRing); ///< a power of two
  size_t mask_ = FirstRing - 1;                             ///< its length less one
  size_t first_ = 0, end_ = 0;
};

} // namespace gnomon::kernel
