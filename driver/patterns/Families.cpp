// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/Families.h"

#include <optional>

namespace gnomon::patterns {
namespace {

constexpr int64_t FirstCode = 2;

/// The dimensions in which the members differ; nothing where these are not all the points that
/// differ there only, in their order.
std::optional<uint32_t> alongOf(const trace::Group &group, const Grid &grid) {
  if (!group.remote.empty() || group.members.empty())
    return std::nullopt;
  for (const uint32_t member : group.members)
    if (member >= grid.ranks())
      return std::nullopt;
  const Point first = grid.point(group.members.front());
  const Point last = grid.point(group.members.back());
  uint32_t along = 0;
  for (size_t d = 0; d < grid.dimensions(); ++d)
    along |= static_cast<uint32_t>(first[d] != last[d]) << d;
  if (group.members.size() != grid.countAlong(along))
    return std::nullopt;
  for (uint32_t place = 0; place < group.members.size(); ++place)
    if (group.members[place] != grid.rank(grid.atPlace(along, place, first)))
      return std::nullopt;
  return along;
}

} // namespace

Families::Families(const trace::Source &source, const Grid &grid)
    : codes_{trace::World, trace::Self} {
  const size_t sets = size_t{1} << grid.dimensions();
  std::vector<uint32_t> seen(sets * grid.ranks()); // communicators of a rank along a set
  for (size_t row = codes_.size(); row < source.communicators().size(); ++row) {
    const trace::Group &group = source.communicators()[row];
    const std::optional<uint32_t> along = alongOf(group, grid);
    int64_t code = Irregular;
    for (size_t i = 0; along && i < group.members.size(); ++i) {
      const uint32_t ordinal = seen[group.members[i] * sets + *along]++;
      const int64_t mine = FirstCode + static_cast<int64_t>(ordinal * sets + *along);
      code = i == 0 || code == mine ? mine : Irregular;
    }
    codes_.push_back(code);
  }
}

int64_t Families::codeOf(int64_t row) const {
  if (row < 0)
    return row;
  return static_cast<size_t>(row) < codes_.size() ? codes_[static_cast<size_t>(row)] : Irregular;
}

uint32_t Families::along(int64_t code, const Grid &grid) {
  if (code == trace::World)
    return grid.all();
  return code < FirstCode ? 0 : static_cast<uint32_t>(code - FirstCode) & grid.all();
}

} // namespace gnomon::patterns
