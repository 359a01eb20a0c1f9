// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies records from a trace to a sink, whose numbers of functions, strings, communicators and
/// sets are others.
#pragma once

#include "trace/Record.h"

#include <functional>
#include <optional>

namespace gnomon::trace {

class Copier {
public:
  /// What a communicator of the source is in the sink.
  using RowOf = std::function<int64_t(int64_t comm)>;

  /// All of the source's communicators become rows of the sink, in their order.
  Copier(const Source &source, Sink &sink);
  /// \p rowOf says which row a communicator has.
  Copier(const Source &source, Sink &sink, RowOf rowOf)
      : source_(source), sink_(sink), rowOf_(std::move(rowOf)) {}

  /// Appends a record of the source to \p rank. Its values fit its function.
  void append(uint32_t rank, const Record &record);

private:
  int64_t translate(Kind kind, int64_t value);
  uint32_t functionOf(uint32_t number);

  const Source &source_;
  Sink &sink_;
  RowOf rowOf_;
  std::vector<std::optional<uint32_t>> functions_; ///< by number in the source
  std::vector<std::optional<int64_t>> texts_, sets_;
  std::vector<int64_t> values_;
};

} // namespace gnomon::trace
