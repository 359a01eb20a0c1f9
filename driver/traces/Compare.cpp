// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traces/Compare.h"

#include "support/Check.h"
#include "trace-formats/RecordView.h"
#include "trace/PollRecords.h"

#include <fmt/format.h>
#include <map>

namespace gnomon::traces {
namespace {

using trace::Kind;
using trace::RecordView;

/// A walk through a rank's records that count.
class Walk {
public:
  Walk(const trace::Source &source, uint32_t rank, bool volumes)
      : source_(source), cursor_(source.open(rank)), volumes_(volumes) {}

  bool next() {
    for (trace::Record record; cursor_->next(record); ++number_) {
      CHECK(view_.set(source_.functions()[record.function], record), "a record fits its function");
      if (volumes_ || (!trace::isVolume(view_.name()) && !trace::isOfPolls(view_.name()))) {
        ++number_;
        return true;
      }
    }
    return false;
  }
  const RecordView &view() const { return view_; }
  uint64_t number() const { return number_ - 1; }
  std::string text() const { return recordText(source_, view_); }

private:
  const trace::Source &source_;
  std::unique_ptr<trace::Cursor> cursor_;
  const bool volumes_;
  RecordView view_;
  uint64_t number_ = 0;
};

class Comparison {
public:
  Comparison(const trace::Source &first, const trace::Source &second)
      : first_(first), second_(second) {}

  bool equal(const RecordView &a, const RecordView &b) {
    if (!(a.function() == b.function()))
      return false;
    for (size_t field = 0; field < a.function().fields.size(); ++field) {
      const std::span<const int64_t> left = a.values(field), right = b.values(field);
      if (left.size() != right.size())
        return false;
      for (size_t i = 0; i < left.size(); ++i)
        if (!equal(a.function().fields[field].kind, left[i], right[i]))
          return false;
    }
    return true;
  }

private:
  bool equal(Kind kind, int64_t left, int64_t right) {
    if (kind == Kind::Comm)
      return equalRows(left, right);
    const auto within = [](int64_t row, size_t size) {
      return row >= 0 && static_cast<size_t>(row) < size;
    };
    if (kind == Kind::Text && within(left, first_.texts().size()) &&
        within(right, second_.texts().size()))
      return first_.texts()[static_cast<size_t>(left)] ==
             second_.texts()[static_cast<size_t>(right)];
    if (kind == Kind::Set && within(left, first_.sets().size()) &&
        within(right, second_.sets().size()))
      return first_.sets()[static_cast<size_t>(left)] == second_.sets()[static_cast<size_t>(right)];
    return left == right;
  }

  /// Rows are the same where their groups are, and always the same pairs.
  bool equalRows(int64_t left, int64_t right) {
    if (left <= trace::Self || right <= trace::Self)
      return left == right;
    const auto known = rows_.find(left);
    if (known != rows_.end())
      return known->second == right;
    const auto at = [](const trace::Source &source, int64_t row) -> const trace::Group * {
      return static_cast<size_t>(row) < source.communicators().size()
                 ? &source.communicators()[static_cast<size_t>(row)]
                 : nullptr;
    };
    const trace::Group *a = at(first_, left), *b = at(second_, right);
    if (!a || !b || !(*a == *b) || !taken_.try_emplace(right, left).second)
      return false;
    rows_[left] = right;
    return true;
  }

  const trace::Source &first_, &second_;
  std::map<int64_t, int64_t> rows_, taken_;
};

} // namespace

std::optional<Difference> firstDifference(const trace::Source &first, const trace::Source &second,
                                          bool volumes) {
  const uint32_t ranks = first.facts().ranks;
  if (ranks != second.facts().ranks)
    return Difference{"the whole", fmt::format("{} ranks", ranks),
                      fmt::format("{} ranks", second.facts().ranks)};
  Comparison comparison(first, second);
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    Walk a(first, rank, volumes), b(second, rank, volumes);
    while (true) {
      const bool left = a.next(), right = b.next();
      if (!left && !right)
        break;
      if (left && right && comparison.equal(a.view(), b.view()))
        continue;
      const uint64_t number = left ? a.number() : b.number();
      return Difference{fmt::format("rank {}, record {}", rank, number),
                        left ? a.text() : "the rank has ended",
                        right ? b.text() : "the rank has ended"};
    }
  }
  return std::nullopt;
}

} // namespace gnomon::traces
