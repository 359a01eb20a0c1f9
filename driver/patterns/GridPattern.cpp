// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/GridPattern.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

namespace gnomon::patterns {
namespace {

/// From \p from to \p to around \p extent, the shorter way; nothing where both are as long.
std::optional<int64_t> distance(uint32_t from, uint32_t to, uint32_t extent) {
  const int64_t all = extent;
  int64_t way = int64_t{to} - int64_t{from};
  if (2 * way > all)
    way -= all;
  else if (2 * way < -all)
    way += all;
  return 2 * std::abs(way) == all ? std::nullopt : std::optional(way);
}

} // namespace

/// The records of two ranks of a class, side by side, and the volumes of a third one.
class GridExpectation final : public Expectation {
public:
  GridExpectation(const GridPattern &pattern, const Grid &grid, uint32_t rank)
      : pattern_(pattern), grid_(grid), point_(grid.point(rank)),
        walkers_{Walker(pattern.recording_, rankOf(GridPattern::Which::First)),
                 Walker(pattern.recording_, rankOf(GridPattern::Which::Last))},
        computes_(pattern.recording_, rankOf(GridPattern::Which::InTurn)) {
    computes_.keepsVolumes = true;
  }

  bool next(Expected &expected) override {
    const bool more = walkers_[0].next(), other = walkers_[1].next();
    const bool third = computes_.next();
    expected.volumes = computes_.takeVolumes();
    if (more != other || more != third)
      differ();
    if (!more)
      return false;
    const Walker &one = walkers_[0];
    if (one.view().number() != walkers_[1].view().number())
      differ();
    for (size_t i = 0; i < 2; ++i)
      walkers_[i].encode(pattern_.families_, values_[i]);
    expected.function = one.view().number();
    expected.from = one.place();
    expected.values.clear();
    reach_ = 0;
    for (size_t field = 0; field < one.plan().roles.size(); ++field)
      append(field, expected.values);
    expected.reach = reach_;
    splits_ += one.view().name() == "MPI_Comm_split" ? 1 : 0;
    return true;
  }

private:
  uint32_t rankOf(GridPattern::Which which) const {
    return pattern_.grid_.rank(pattern_.representative(grid_, point_, which));
  }

  [[noreturn]] void fail(const std::string &why) const {
    throw Irregular{walkers_[0].place(), why};
  }
  [[noreturn]] void differ() const {
    fail(fmt::format("rank {} does something else in its record {}", walkers_[1].place().rank,
                     walkers_[1].place().record));
  }

  std::span<const int64_t> list(size_t field, size_t which) const {
    return std::span(values_[which])
        .subspan(walkers_[which].placeOf(field), walkers_[which].view().values(field).size());
  }

  void append(size_t field, std::vector<int64_t> &values) {
    const Plan &plan = walkers_[0].plan();
    const std::span<const int64_t> one = list(field, 0), other = list(field, 1);
    const bool isList = walkers_[0].view().function().fields[field].list;
    const Role role = plan.roles[field];
    if (role == Role::Comm && pattern_.allowed_ == GridPattern::Reach::Next &&
        Families::isOfOne(one[0], pattern_.grid_))
      fail(
          "whether a communicator of one rank has more where there are more, one size cannot tell; "
          "give a second size by '--check'");
    if (role == Role::Peer || role == Role::Root)
      return values.push_back(peer(role, one[0], other[0]));
    if (role == Role::Split)
      return values.push_back(split(field, one[0], other[0]));
    if (!std::equal(one.begin(), one.end(), other.begin(), other.end()))
      differ();
    if (role == Role::Members)
      return members(one, values);
    if (role == Role::Extents)
      return extents(one, values);
    if (isList)
      values.push_back(static_cast<int64_t>(one.size()));
    values.insert(values.end(), one.begin(), one.end());
  }

  /// The set of dimensions of the record's communicator.
  uint32_t along() const {
    const size_t comm = walkers_[0].plan().comm;
    const std::span<const int64_t> one = list(comm, 0), other = list(comm, 1);
    if (one[0] != other[0])
      differ();
    return Families::along(one[0], pattern_.grid_);
  }

  int64_t peer(Role role, int64_t one, int64_t other) {
    if (one < 0 || other < 0) {
      if (one != other)
        differ();
      if (one == trace::AnyPeer)
        fail("any source: from whom it received is not known");
      return one;
    }
    const uint32_t dimensions = along();
    const Grid &from = pattern_.grid_;
    if (one >= from.countAlong(dimensions) || other >= from.countAlong(dimensions))
      fail("a rank that its communicator does not have");
    const Point mine = pattern_.representative(grid_, point_, GridPattern::Which::First);
    const Point its = pattern_.representative(grid_, point_, GridPattern::Which::Last);
    const Point to = from.atPlace(dimensions, static_cast<uint32_t>(one), mine);
    const Point itsTo = from.atPlace(dimensions, static_cast<uint32_t>(other), its);
    Point result = point_;
    for (size_t d = 0; d < from.dimensions(); ++d) {
      if ((dimensions >> d & 1) == 0)
        continue;
      std::string why;
      const std::optional<uint32_t> at = pattern_.coordinate(
          {d, {to[d], itsTo[d]}, {mine[d], its[d]}, point_[d], grid_.extent(d), role}, reach_, why);
      if (!at)
        fail(why);
      result[d] = *at;
    }
    return grid_.placeAlong(dimensions, result);
  }

  int64_t split(size_t field, int64_t one, int64_t other) {
    const auto rule = pattern_.splits_.find({field, splits_});
    if (rule != pattern_.splits_.end() && rule->second)
      return rule->second->more + grid_.placeAlong(rule->second->along, point_);
    if (one != other || one >= 0)
      fail("colours or keys follow no rule");
    return one; // MPI_UNDEFINED on all ranks of the class
  }

  /// A list with an element for each member: all alike, or of a communicator that does not grow.
  void members(std::span<const int64_t> list, std::vector<int64_t> &values) const {
    const uint32_t now = grid_.countAlong(along()), before = pattern_.grid_.countAlong(along());
    size_t count = list.size();
    if (count == before && now != before) {
      if (std::adjacent_find(list.begin(), list.end(), std::not_equal_to<>()) != list.end())
        fail("each process has a size of its own there, without a rule");
      count = now;
    }
    values.push_back(static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i)
      values.push_back(list[std::min(i, list.size() - 1)]);
  }

  void extents(std::span<const int64_t> list, std::vector<int64_t> &values) const {
    const std::vector<uint32_t> &now = grid_.extents(), &before = pattern_.grid_.extents();
    if (!std::equal(list.begin(), list.end(), before.begin(), before.end()))
      fail(fmt::format("its grid is not {}", pattern_.grid_.text()));
    values.push_back(static_cast<int64_t>(now.size()));
    values.insert(values.end(), now.begin(), now.end());
  }

  const GridPattern &pattern_;
  const Grid &grid_;
  const Point point_;
  std::array<Walker, 2> walkers_;
  Walker computes_;
  std::array<std::vector<int64_t>, 2> values_; ///< of both, encoded
  uint32_t reach_ = 0;                         ///< of the call
  size_t splits_ = 0;                          ///< calls of MPI_Comm_split before this one
};

GridPattern::GridPattern(const Recording &recording, Grid grid, uint32_t grows, Reach allowed)
    : recording_(recording), grid_(std::move(grid)), grows_(grows), allowed_(allowed),
      families_(recording.source, grid_) {
  findSplitRules();
}

std::string GridPattern::text() const {
  return grid_.dimensions() == 1 ? std::string("a ring or a chain")
                                 : fmt::format("a grid of {}", grid_.text());
}

std::unique_ptr<Expectation> GridPattern::open(const Grid &grid, uint32_t rank) const {
  return std::make_unique<GridExpectation>(*this, grid, rank);
}

/// The recorded rank of the same class that is nearest to the first ranks, nearest to the last
/// ones, or whose turn it is: those between two ends take turns, so that ranks which compute more
/// than others are as many as they were.
Point GridPattern::representative(const Grid &grid, const Point &point, Which which) const {
  Point of{};
  for (size_t d = 0; d < grid_.dimensions(); ++d) {
    const uint32_t last = grid_.extent(d) - 1;
    if (!grows(d) || point[d] == 0)
      of[d] = point[d];
    else if (point[d] + 1 == grid.extent(d))
      of[d] = last;
    else if (last < 2)
      throw Irregular{std::nullopt,
                      fmt::format("of the {} ranks in dimension {} all are at an end: none is "
                                  "as those between",
                                  grid_.extent(d), d)};
    else
      of[d] = which == Which::First  ? 1
              : which == Which::Last ? last - 1
                                     : 1 + (point[d] - 1) % (last - 1);
  }
  return of;
}

bool GridPattern::isFor(const Grid &grid) const {
  if (grid.dimensions() != grid_.dimensions())
    return false;
  for (size_t d = 0; d < grid.dimensions(); ++d)
    if (!grows(d) && grid.extent(d) != grid_.extent(d))
      return false;
  return true;
}

/// Neighbours in a dimension, and itself, where there are so many that both neighbours and others
/// can be told apart.
bool GridPattern::isNext(size_t dimension, uint32_t distance) const {
  return allowed_ == Reach::Any || (distance <= 1 && 2 * distance + 1 < grid_.extent(dimension));
}

std::optional<uint32_t> GridPattern::coordinate(const Step &step, uint32_t &reach,
                                                std::string &why) const {
  const auto &[dimension, peers, ranks, rank, extent, role] = step;
  const uint32_t recorded = grid_.extent(dimension), last = recorded - 1;
  const auto untold = [&]() -> std::optional<uint32_t> {
    why = fmt::format("whether its peer's place goes with the number of ranks, {} in that "
                      "dimension, one size cannot tell: it is neither a neighbour among four or "
                      "more, nor the first or the last one; give a second size by '--check'",
                      recorded);
    return std::nullopt;
  };
  why = "its peer, and that of another rank that should be like it, follow no rule";
  if (!grows(dimension))
    return peers[0] == peers[1] ? std::optional(peers[0]) : std::nullopt;
  const auto wayOf = [&](size_t i) {
    const std::optional<int64_t> way = distance(ranks[i], peers[i], recorded);
    return way || allowed_ == Reach::Next ? way : std::optional(int64_t{recorded / 2});
  };
  const std::optional<int64_t> way = wayOf(0);
  const bool asFar = way && way == wayOf(1);
  const bool isOneRank = peers[0] == peers[1] && (ranks[0] != ranks[1] || role == Role::Root);
  if (asFar && !(isOneRank && role == Role::Root)) {
    const auto away = static_cast<uint32_t>(std::abs(*way));
    if (!isNext(dimension, away))
      return untold();
    reach = std::max(reach, away);
    return static_cast<uint32_t>((int64_t{rank} + *way + int64_t{extent}) % int64_t{extent});
  }
  if (!isOneRank)
    return ranks[0] == ranks[1] ? untold() : std::nullopt;
  const uint32_t fromFirst = peers[0], fromLast = last - peers[0];
  if (fromFirst == fromLast || (allowed_ == Reach::Next && fromFirst > 0 && fromLast > 0))
    return untold();
  return fromFirst < fromLast ? fromFirst : extent - 1 - fromLast;
}

std::optional<GridPattern::SplitRule>
GridPattern::ruleOf(const std::vector<int64_t> &values) const {
  for (uint32_t along = 0; along <= grid_.all(); ++along) {
    const int64_t more = values[0];
    bool fits = more >= INT32_MIN && more <= INT32_MAX; // colours and keys are C's int
    for (uint32_t rank = 0; fits && rank < grid_.ranks(); ++rank)
      fits = values[rank] == more + grid_.placeAlong(along, grid_.point(rank));
    if (fits)
      return SplitRule{along, more};
  }
  return std::nullopt;
}

/// Reads the whole trace once, where it has such calls at all.
void GridPattern::findSplitRules() {
  const std::vector<trace::Function> &functions = recording_.source.functions();
  if (std::none_of(functions.begin(), functions.end(),
                   [](const trace::Function &of) { return of.name == "MPI_Comm_split"; }))
    return;
  constexpr int64_t Missing = std::numeric_limits<int64_t>::min();
  Splits all;
  for (uint32_t rank = 0; rank < grid_.ranks(); ++rank) {
    Walker walker(recording_, rank);
    for (size_t call = 0; walker.next();) {
      if (walker.view().name() != "MPI_Comm_split")
        continue;
      for (size_t field = 0; field < walker.plan().roles.size(); ++field) {
        if (walker.plan().roles[field] != Role::Split)
          continue;
        std::vector<std::vector<int64_t>> &calls = all[field];
        if (calls.size() <= call)
          calls.emplace_back(grid_.ranks(), Missing);
        calls[call][rank] = walker.view().values(field)[0];
      }
      ++call;
    }
  }
  for (const auto &[field, calls] : all)
    for (size_t call = 0; call < calls.size(); ++call)
      splits_[{field, call}] = ruleOf(calls[call]);
}

} // namespace gnomon::patterns
