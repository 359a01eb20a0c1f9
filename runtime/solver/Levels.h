// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The constraints of a component that is being filled (MaxMin.h), by the levels at which they would
/// be exhausted; equal levels by the constraints' numbers, so that the order rests on nothing else.
///
/// A few are kept sorted, the lowest last: to take it is one step, and one that comes back moves few
/// others. More than that are a heap. Most components are small: two ranks that send at the same
/// time to neighbours of each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::solver {

using ConstraintIndex = uint32_t;

struct Level {
  double level;
  ConstraintIndex constraint;
  bool operator<(const Level &other) const { // std::push_heap keeps the greatest in front
    return level > other.level || (level == other.level && constraint > other.constraint);
  }
};

class Levels {
public:
  void clear() { levels_.clear(); }
  /// In any order, before order(); no constraint twice.
  void add(Level level) { levels_.push_back(level); }
  /// As they were added, before order().
  const std::vector<Level> &all() const { return levels_; }

  /// Whether they would not be kept sorted.
  bool areMany() const { return levels_.size() > Few; }
  /// The lowest one, before order(); there must be one.
  Level findLowest() const { return *std::max_element(levels_.begin(), levels_.end()); }
  /// Forgets those that \p gone says, before order().
  template <class Gone> void removeIf(Gone gone) { std::erase_if(levels_, gone); }

  /// From here on takeLowest() and insert() may be called, and all() has no order.
  void order() {
    sorted_ = !areMany();
    if (!sorted_)
      return std::make_heap(levels_.begin(), levels_.end());
    for (size_t i = 1; i < levels_.size(); ++i)
      sink(i);
  }
  bool empty() const { return levels_.empty(); }
  /// The lowest level; there must be one.
  double lowest() const { return (sorted_ ? levels_.back() : levels_.front()).level; }
  Level takeLowest() {
    if (!sorted_)
      std::pop_heap(levels_.begin(), levels_.end());
    const Level lowest = levels_.back();
    levels_.pop_back();
    return lowest;
  }
  /// One that was taken comes back.
  void insert(Level level) {
    levels_.push_back(level);
    if (sorted_)
      sink(levels_.size() - 1);
    else
      std::push_heap(levels_.begin(), levels_.end());
  }

private:
  static constexpr size_t Few = 12;

  /// Moves the one at \p place before all that are lower.
  void sink(size_t place) {
    const Level level = levels_[place];
    for (; place > 0 && level < levels_[place - 1]; --place)
      levels_[place] = levels_[place - 1];
    levels_[place] = level;
  }

  std::vector<Level> levels_;
  bool sorted_ = false;
};

} // namespace gnomon::solver
