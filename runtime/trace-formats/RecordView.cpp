// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/RecordView.h"

#include "support/Number.h"
#include "trace-formats/Calls.h"
#include "trace-formats/Import.h"

#include <cmath>
#include <fmt/format.h>

namespace gnomon::trace {

bool RecordView::set(const Function &function, const Record &record) {
  function_ = &function;
  record_ = record;
  first_.clear();
  size_t at = 0;
  for (const Field &field : function.fields) {
    first_.push_back(at);
    if (at >= record.values.size())
      return false;
    const int64_t length = field.list ? record.values[at] : 0;
    if (length < 0 || static_cast<uint64_t>(length) >= record.values.size() - at)
      return false;
    at += 1 + static_cast<size_t>(length);
  }
  return at == record.values.size();
}

size_t RecordView::find(std::string_view name) const {
  for (size_t field = 0; field < function_->fields.size(); ++field)
    if (function_->fields[field].name == name)
      return field;
  return npos;
}

std::optional<int64_t> RecordView::value(std::string_view name) const {
  const size_t field = find(name);
  if (field == npos || function_->fields[field].list)
    return std::nullopt;
  return record_.values[first_[field]];
}

std::span<const int64_t> RecordView::list(std::string_view name) const {
  const size_t field = find(name);
  return field == npos || !function_->fields[field].list ? std::span<const int64_t>()
                                                         : values(field);
}

std::span<const int64_t> RecordView::values(size_t field) const {
  const size_t first = first_[field];
  if (!function_->fields[field].list)
    return record_.values.subspan(first, 1);
  return record_.values.subspan(first + 1, static_cast<size_t>(record_.values[first]));
}

namespace {

/// How a value is called that is no number, or nothing.
std::string_view nameOf(Kind kind, int64_t value) {
  switch (kind) {
  case Kind::Count:
    return value == InPlace ? "in-place" : value == Absent ? "absent" : "";
  case Kind::Peer:
    return value == AnyPeer ? "any" : value == NullPeer ? "null" : value == RootPeer ? "root" : "";
  case Kind::Tag:
    return value == AnyTag ? "any" : "";
  case Kind::Comm:
    return value == World ? "world" : value == Self ? "self" : value == NullRow ? "null" : "";
  case Kind::Set:
    return value == NullRow ? "null" : "";
  default:
    return "";
  }
}

bool within(int64_t value, int64_t least, int64_t end) { return value >= least && value < end; }

} // namespace

std::string valueText(const Source &source, Kind kind, int64_t value) {
  if (const std::string_view name = nameOf(kind, value); !name.empty())
    return std::string(name);
  if (kind == Kind::Text && within(value, 0, static_cast<int64_t>(source.texts().size())))
    return fmt::format("\"{}\"", source.texts()[static_cast<size_t>(value)]);
  if (kind == Kind::Real)
    return std::isnan(realOf(value)) ? "-" : formatNumber(realOf(value));
  return std::to_string(value);
}

std::string recordText(const Source &source, const RecordView &view) {
  std::string text(view.name());
  for (size_t field = 0; field < view.function().fields.size(); ++field) {
    const Field &of = view.function().fields[field];
    text += fmt::format(" {}=", of.name);
    if (of.list)
      text += '[';
    bool first = true;
    for (const int64_t value : view.values(field)) {
      text += first ? "" : " ";
      text += valueText(source, of.kind, value);
      first = false;
    }
    if (of.list)
      text += ']';
  }
  return text;
}

std::optional<std::string> RecordChecker::problem(const RecordView &view) const {
  const auto valid = [this](Kind kind, int64_t value) {
    switch (kind) {
    case Kind::Count:
      return value >= Absent;
    case Kind::Size:
    case Kind::Request:
      return value >= 0;
    case Kind::Peer:
      return within(value, RootPeer, int64_t{MostRanks});
    case Kind::Tag:
      return value >= AnyTag;
    case Kind::Comm:
      return within(value, NullRow, communicators);
    case Kind::Set:
      return within(value, NullRow, sets);
    case Kind::Text:
      return within(value, 0, texts);
    case Kind::Number:
    case Kind::Real:
      return true;
    }
    return false;
  };
  for (size_t field = 0; field < view.function().fields.size(); ++field)
    for (const int64_t value : view.values(field))
      if (const Field &of = view.function().fields[field]; !valid(of.kind, value))
        return fmt::format("{}: {}={} is out of range", view.name(), of.name, value);
  return std::nullopt;
}

} // namespace gnomon::trace
