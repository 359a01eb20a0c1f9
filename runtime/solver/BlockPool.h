// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays of up to 2^n elements inside one vector, recycled by size: no allocation once warm, and
/// indices instead of pointers.
#pragma once

#include "support/Append.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::solver {

template <class T> class BlockPool {
public:
  /// The index of the first of 2^sizeClass elements; what they hold is undefined.
  uint32_t allocate(uint8_t sizeClass) {
    if (free_[sizeClass].empty()) [[unlikely]]
      return allocateFresh(sizeClass);
    const uint32_t first = free_[sizeClass].back();
    free_[sizeClass].pop_back();
    return first;
  }
  void release(uint32_t first, uint8_t sizeClass) { append(free_[sizeClass], first); }
  /// A block of the next size that begins with what \p first held; \p first is released.
  uint32_t grow(uint32_t first, uint8_t sizeClass) {
    uint32_t larger = allocate(sizeClass + 1);
    for (uint32_t i = 0; i < 1u << sizeClass; ++i)
      elements_[larger + i] = elements_[first + i];
    release(first, sizeClass);
    return larger;
  }

  T &operator[](uint32_t index) { return elements_[index]; }
  const T &operator[](uint32_t index) const { return elements_[index]; }

private:
  [[gnu::noinline]] uint32_t allocateFresh(uint8_t sizeClass) {
    const auto first = static_cast<uint32_t>(elements_.size());
    elements_.resize(elements_.size() + (size_t{1} << sizeClass));
    return first;
  }

  std::vector<T> elements_;
  std::array<std::vector<uint32_t>, 32> free_; ///< by size class
};

} // namespace gnomon::solver
