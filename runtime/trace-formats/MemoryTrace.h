// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A whole trace in memory, to be written and read: for tests, and for what is small.
#pragma once

#include "trace/Record.h"

#include <map>

namespace gnomon::trace {

class MemoryTrace : public Sink, public Source {
public:
  explicit MemoryTrace(Facts facts) : facts_(std::move(facts)), ofRank_(facts_.ranks) {}

  uint32_t function(const Function &function) override;
  int64_t text(std::string_view text) override;
  int64_t communicator(const Group &group) override;
  int64_t set(const std::vector<uint32_t> &members) override;
  void append(uint32_t rank, const Record &record) override;

  const Facts &facts() const override { return facts_; }
  const std::vector<Function> &functions() const override { return functions_; }
  const std::vector<std::string> &texts() const override { return texts_; }
  const std::vector<Group> &communicators() const override { return communicators_; }
  const std::vector<std::vector<uint32_t>> &sets() const override { return sets_; }
  std::unique_ptr<Cursor> open(uint32_t rank) const override;

private:
  struct Place {
    uint32_t function;
    size_t first, count; ///< in Rank::values
  };
  struct Rank {
    std::vector<int64_t> values;
    std::vector<Place> records;
  };
  class Walk;

  Facts facts_;
  std::vector<Function> functions_;
  std::vector<std::string> texts_;
  std::vector<Group> communicators_ = std::vector<Group>(2);
  std::vector<std::vector<uint32_t>> sets_;
  std::map<std::string, int64_t, std::less<>> textNumbers_;
  std::map<std::vector<uint32_t>, int64_t> setRows_;
  std::vector<Rank> ofRank_;
};

} // namespace gnomon::trace
