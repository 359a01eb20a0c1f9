// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes what a pattern gives for each rank of a larger grid.
#pragma once

#include "patterns/Pattern.h"

#include <array>
#include <map>

namespace gnomon::extrapolation {

using patterns::Expected;
using patterns::Grid;
using patterns::Pattern;
using patterns::Recording;

class Growth {
public:
  Growth(const Recording &recording, const Pattern &pattern, const Grid &grid, trace::Sink &sink);

  /// Throws Irregular.
  void write(uint32_t rank);
  /// Throws InputError where a message has no receive, or a receive no message: the rule is wrong,
  /// though it fits what was recorded.
  void checkMessages() const;

private:
  /// Sender, receiver, communicator, tag.
  using Channel = std::array<int64_t, 4>;

  void put(uint32_t rank, const Expected &expected);
  void volumes(uint32_t rank, const Expected &expected);
  void translate(uint32_t rank, const trace::Function &function, std::vector<int64_t> &values);
  int64_t rowOf(uint32_t rank, int64_t code);
  int64_t textOf(int64_t text);
  uint32_t functionOf(uint32_t function);
  void count(uint32_t rank, const Expected &expected);

  const Recording &recording_;
  const Pattern &pattern_;
  const Grid &grid_;
  trace::Sink &sink_;
  std::map<std::pair<int64_t, uint32_t>, int64_t> rows_; ///< by code, and the first member
  std::map<uint32_t, uint32_t> functions_;
  std::map<int64_t, int64_t> texts_;
  std::map<Channel, int64_t> messages_; ///< sent and not received; below 0: the other way round
  std::vector<int64_t> values_;
};

} // namespace gnomon::extrapolation
