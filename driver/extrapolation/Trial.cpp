// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "extrapolation/Trial.h"

#include "patterns/Walker.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::extrapolation {

using patterns::Expectation;
using patterns::Expected;
using patterns::Families;
using patterns::Irregular;
using patterns::Walker;
namespace {

/// Numbers of functions and strings of one trace as those of another.
class Dictionary {
public:
  Dictionary(const trace::Source &from, const trace::Source &to)
      : from_(from), to_(to), same_(&from == &to) {}

  bool isFunction(uint32_t number, uint32_t other) const {
    return same_ ? number == other : from_.functions()[number] == to_.functions()[other];
  }
  bool isText(int64_t number, int64_t other) const {
    const auto within = [](int64_t at, const std::vector<std::string> &all) {
      return at >= 0 && static_cast<size_t>(at) < all.size();
    };
    if (same_ || !within(number, from_.texts()) || !within(other, to_.texts()))
      return number == other;
    return from_.texts()[static_cast<size_t>(number)] == to_.texts()[static_cast<size_t>(other)];
  }

private:
  const trace::Source &from_, &to_;
  const bool same_;
};

class Trial {
public:
  Trial(const Pattern &pattern, const Recording &own, const Recording &recording, const Grid &grid,
        const Trying &trying)
      : pattern_(pattern), own_(own), recording_(recording), grid_(grid), trying_(trying),
        families_(recording.source, grid), words_(own.source, recording.source) {
    if (trying)
      rule_ = pattern.text();
  }

  Verdict run() {
    Verdict verdict;
    for (uint32_t rank = 0; !verdict.failure && rank < grid_.ranks(); ++rank)
      verdict.failure = runRank(rank);
    verdict.reach = reach_;
    return verdict;
  }

private:
  std::optional<Failure> runRank(uint32_t rank) {
    Walker walker(recording_, rank);
    try {
      const std::unique_ptr<Expectation> expectation = pattern_.open(grid_, rank);
      for (Expected expected;; ++passed_) {
        tell(rank);
        const bool more = walker.next(), expects = expectation->next(expected);
        if (more && !expects)
          return failure(walker.place(),
                         walker.text() + ": the ranks that are like it have ended here");
        if (!more && expects)
          return failure(walker.place(), fmt::format("it has ended, and ranks that are like it "
                                                     "call {}",
                                                     text(expected.from)));
        if (!more)
          return std::nullopt;
        reach_ = std::max(reach_, expected.reach);
        if (std::optional<Failure> failure = encode(walker))
          return failure;
        if (!equals(walker, expected))
          return failure(walker.place(), fmt::format("{}: not as {}, which should be like it",
                                                     walker.text(), text(expected.from)));
      }
    } catch (const Irregular &irregular) {
      if (!irregular.place)
        return Failure{{rank, 0}, passed_, fmt::format("rank {}: {}", rank, irregular.why)};
      return failure(*irregular.place,
                     fmt::format("{}: {}", text(*irregular.place, ""), irregular.why));
    }
  }

  /// Not at each call: it looks at a clock.
  void tell(uint32_t rank) const {
    constexpr uint64_t Between = 1024;
    if (trying_ && passed_ % Between == 0)
      trying_(rule_, rank, grid_.ranks());
  }

  /// A call of the recording that is tried, which may be another one than the pattern's.
  std::optional<Failure> encode(const Walker &walker) {
    try {
      walker.encode(families_, values_);
    } catch (const Irregular &irregular) {
      return failure(walker.place(), fmt::format("{}: {}", walker.text(), irregular.why));
    }
    return std::nullopt;
  }

  bool equals(const Walker &walker, const Expected &expected) const {
    if (!words_.isFunction(expected.function, walker.view().number()) ||
        values_.size() != expected.values.size())
      return false;
    if (values_ == expected.values && &own_ == &recording_)
      return true;
    const trace::Function &function = walker.view().function();
    size_t at = 0;
    for (const trace::Field &field : function.fields) {
      const auto same = [&](size_t place) {
        return field.kind == trace::Kind::Text
                   ? words_.isText(expected.values[place], values_[place])
                   : expected.values[place] == values_[place];
      };
      const auto length = field.list ? static_cast<size_t>(values_[at]) : 1;
      if (field.list && expected.values[at] != values_[at])
        return false;
      at += field.list ? 1 : 0;
      for (const size_t end = at + length; at < end; ++at)
        if (!same(at))
          return false;
    }
    return true;
  }

  /// "rank 5's MPI_Send …": a record of the pattern's own trace.
  std::string text(Place place, std::string_view before = "rank {0}'s record {1}, ") const {
    const std::unique_ptr<trace::Cursor> cursor = own_.source.open(place.rank);
    trace::Record record;
    for (uint64_t i = 0; i <= place.record; ++i)
      if (!cursor->next(record))
        return fmt::format(fmt::runtime(before), place.rank, place.record) + "its end";
    trace::RecordView view;
    view.set(own_.source.functions()[record.function], record);
    return fmt::format(fmt::runtime(before), place.rank, place.record) +
           trace::recordText(own_.source, view);
  }

  Failure failure(Place place, const std::string &what) const {
    return {place, passed_, fmt::format("rank {}, record {}: {}", place.rank, place.record, what)};
  }

  const Pattern &pattern_;
  const Recording &own_, &recording_;
  const Grid &grid_;
  const Trying &trying_;
  std::string rule_;
  const Families families_;
  const Dictionary words_;
  std::vector<int64_t> values_; ///< of the record that is compared
  uint64_t passed_ = 0;
  uint32_t reach_ = 0;
};

} // namespace

Verdict trial(const Pattern &pattern, const Recording &own, const Recording &recording,
              const Grid &grid, const Trying &trying) {
  return Trial(pattern, own, recording, grid, trying).run();
}

} // namespace gnomon::extrapolation
