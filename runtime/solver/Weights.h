// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The weights of uses (MaxMin.h) by short numbers. A use and its entry among the members of a
/// constraint would each hold the same 8 bytes, of which there are a handful of different ones: 1,
/// what cross-traffic counts, and their sums. Where there are more, uses have their own. Who uses
/// the same weights again and again asks for their numbers once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::solver {

class Weights {
public:
  static constexpr uint32_t Bits = 5;               ///< of a number
  static constexpr uint32_t Own = (1U << Bits) - 1; ///< in place of a number: there is none

  /// The number of \p weight; Own when all are taken.
  uint32_t numberOf(double weight) {
    for (uint32_t number = 0; number < count_; ++number)
      if (common_[number] == weight)
        return number;
    if (count_ == Own)
      return Own;
    common_[count_] = weight;
    return count_++;
  }
  /// The number by which \p use, which has no other weight, finds \p weight. \p number: what
  /// numberOf() gave, or Own where it was not asked.
  [[gnu::always_inline]] uint32_t enter(uint32_t use, double weight, uint32_t number = Own) {
    if (number != Own) [[likely]]
      return number;
    return enterUnnumbered(use, weight);
  }
  /// What was entered for \p use.
  [[gnu::always_inline]] double at(uint32_t number, uint32_t use) const {
    if (number == Own) [[unlikely]]
      return own_[use];
    return common_[number];
  }

private:
  [[gnu::noinline]] uint32_t enterUnnumbered(uint32_t use, double weight) {
    const uint32_t number = numberOf(weight);
    if (number == Own) {
      if (own_.size() <= use)
        own_.resize(size_t{use} + 1);
      own_[use] = weight;
    }
    return number;
  }

  std::array<double, Own> common_{}; ///< the first that were met
  uint32_t count_ = 0;
  std::vector<double> own_; ///< by use, of those whose weight is none of these
};

} // namespace gnomon::solver
