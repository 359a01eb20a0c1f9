// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A record with its function, whose values are asked for by name: who reads traces depends neither
/// on the order of a function's fields nor on there being no other ones.
#pragma once

#include "trace/Record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::trace {

/// Valid until the record's cursor moves.
class RecordView {
public:
  /// False where the values do not fit the function's fields.
  bool set(const Function &function, const Record &record);

  const Function &function() const { return *function_; }
  std::string_view name() const { return function_->name; }
  uint32_t number() const { return record_.function; }
  const Record &record() const { return record_; }
  /// The place of the field; npos where the function has none of that name.
  size_t find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != npos; }
  /// The value, or nothing where there is no such field, or it is a list.
  std::optional<int64_t> value(std::string_view name) const;
  /// The list's elements; empty where there is no such list.
  std::span<const int64_t> list(std::string_view name) const;

  /// Of the field at a place: its one value, or its list's elements.
  std::span<const int64_t> values(size_t field) const;

  static constexpr size_t npos = static_cast<size_t>(-1);

private:
  const Function *function_ = nullptr;
  Record record_;
  std::vector<size_t> first_; ///< of each field, in the record's values
};

/// The record in one line: `MPI_Send buf.count=150 buf.size=8 dest=3 tag=7 comm=world`.
std::string recordText(const Source &source, const RecordView &view);
std::string valueText(const Source &source, Kind kind, int64_t value);

/// What is wrong with a record of a trace with so many communicators, sets and strings; nothing if
/// it may be written. For records that come from code of the user's.
struct RecordChecker {
  int64_t communicators = 2, sets = 0, texts = 0;
  std::optional<std::string> problem(const RecordView &view) const;
};

} // namespace gnomon::trace
