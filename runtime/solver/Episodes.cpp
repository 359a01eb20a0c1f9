// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The tree of moments.
#include "solver/Episodes.h"

#include "support/Hash.h"

namespace gnomon::solver {

void Episodes::forget() {
  moments_.assign(1, {});
  before_.assign(1, None);
  table_.assign(64, None);
  outcomes_.assign(1, {});
  levels_.clear();
  limits_.clear();
}

/// Where to begin to look for a step from \p moment.
size_t Episodes::placeOf(Index moment, const Step &step) const {
  const uint64_t hash = mixed(step.what, uint64_t{moment} << 2 | static_cast<uint32_t>(step.kind));
  return hash & (table_.size() - 1);
}

[[gnu::noinline]] Episodes::Index Episodes::look(Index moment, const Step &step) {
  for (size_t place = placeOf(moment, step); table_[place] != None;
       place = (place + 1) & (table_.size() - 1)) {
    const Index index = table_[place];
    if (before_[index] == moment && moments_[index].step == step)
      return moments_[moment].latest = index;
  }
  return None;
}

Episodes::Index Episodes::add(Index moment, const Moment &next) {
  if (isFull())
    return None;
  if (moments_.size() * 2 >= table_.size())
    enlarge();
  const auto index = static_cast<Index>(moments_.size());
  moments_.push_back(next);
  before_.push_back(moment);
  size_t place = placeOf(moment, next.step);
  while (table_[place] != None)
    place = (place + 1) & (table_.size() - 1);
  table_[place] = index;
  return moments_[moment].latest = index;
}

void Episodes::enlarge() {
  table_.assign(table_.size() * 4, None);
  for (Index index = 1; index < moments_.size(); ++index) {
    size_t place = placeOf(before_[index], moments_[index].step);
    while (table_[place] != None)
      place = (place + 1) & (table_.size() - 1);
    table_[place] = index;
  }
}

uint32_t Episodes::addOutcome(std::span<const Level> levels, std::span<const Limit> limits) {
  levels_.insert(levels_.end(), levels.begin(), levels.end());
  limits_.insert(limits_.end(), limits.begin(), limits.end());
  outcomes_.push_back(
      {static_cast<uint32_t>(levels_.size()), static_cast<uint32_t>(limits_.size())});
  return static_cast<uint32_t>(outcomes_.size() - 2);
}

} // namespace gnomon::solver
