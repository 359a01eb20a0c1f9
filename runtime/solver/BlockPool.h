// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Short arrays inside one vector, recycled by size: no allocation once warm, and indices instead of
/// pointers. Up to Exact elements take their own number of places, for most are so short; longer ones
/// the next power of two, or three quarters of it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace gnomon::solver {

template <class T> class BlockPool {
public:
  /// The index of the first of \p count elements (> 0); what they hold is undefined.
  uint32_t allocate(uint32_t count) {
    uint32_t &free = free_[sizeClass(count)];
    if (free == None) [[unlikely]]
      return allocateFresh(count);
    const uint32_t first = free;
    std::memcpy(&free, &elements_[first], sizeof free);
    return first;
  }
  void release(uint32_t first, uint32_t count) {
    uint32_t &free = free_[sizeClass(count)];
    std::memcpy(&elements_[first], &free, sizeof free);
    free = first;
  }
  /// How many elements to ask for when \p count are too few and more will come: at most half as many
  /// again from four on.
  static uint32_t roomAfter(uint32_t count) {
    const uint32_t power = std::bit_ceil(count + 1);
    return count < power / 4 * 3 ? power / 4 * 3 : power;
  }
  /// \p larger elements that begin with what the \p count at \p first held, which are released.
  uint32_t grow(uint32_t first, uint32_t count, uint32_t larger) {
    const uint32_t grown = allocate(larger);
    for (uint32_t i = 0; i < count; ++i)
      elements_[grown + i] = elements_[first + i];
    release(first, count);
    return grown;
  }

  T &operator[](uint32_t index) { return elements_[index]; }
  const T &operator[](uint32_t index) const { return elements_[index]; }

private:
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) >= sizeof(uint32_t));
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr uint32_t ExactBits = 4, Exact = 1U << ExactBits;

  /// The places that \p count > Exact elements take.
  static uint32_t places(uint32_t count) {
    const uint32_t power = std::bit_ceil(count);
    return count <= power / 4 * 3 ? power / 4 * 3 : power;
  }
  static uint32_t sizeClass(uint32_t count) {
    if (count <= Exact) [[likely]]
      return count;
    const uint32_t bits = static_cast<uint32_t>(std::bit_width(count - 1)) - ExactBits;
    return Exact + 2 * bits - (count <= (Exact << bits) / 4 * 3 ? 1 : 0);
  }
  [[gnu::noinline]] uint32_t allocateFresh(uint32_t count) {
    const auto first = static_cast<uint32_t>(elements_.size());
    elements_.resize(elements_.size() + (count <= Exact ? count : places(count)));
    return first;
  }

  std::vector<T> elements_;
  static constexpr uint32_t SizeClasses = Exact + 2 * (32 - ExactBits) + 1;
  /// By size the block last released, whose first bytes say which was before it; None: none.
  std::array<uint32_t, SizeClasses> free_ = [] {
    std::array<uint32_t, SizeClasses> none;
    none.fill(None);
    return none;
  }();
};

} // namespace gnomon::solver
