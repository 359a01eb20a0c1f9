// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/MemoryTrace.h"

#include "support/Check.h"

#include <algorithm>

namespace gnomon::trace {

class MemoryTrace::Walk : public Cursor {
public:
  explicit Walk(const Rank &rank) : rank_(rank) {}
  bool next(Record &record) override {
    if (at_ == rank_.records.size())
      return false;
    const Place &place = rank_.records[at_++];
    record = {place.function, std::span(rank_.values).subspan(place.first, place.count)};
    return true;
  }

private:
  const Rank &rank_;
  size_t at_ = 0;
};

uint32_t MemoryTrace::function(const Function &function) {
  const auto found = std::find(functions_.begin(), functions_.end(), function);
  if (found == functions_.end()) {
    functions_.push_back(function);
    return static_cast<uint32_t>(functions_.size() - 1);
  }
  return static_cast<uint32_t>(found - functions_.begin());
}

int64_t MemoryTrace::text(std::string_view text) {
  const auto found = textNumbers_.find(text);
  if (found != textNumbers_.end())
    return found->second;
  const auto number = static_cast<int64_t>(texts_.size());
  texts_.emplace_back(text);
  textNumbers_.emplace(text, number);
  return number;
}

int64_t MemoryTrace::communicator(const Group &group) {
  communicators_.push_back(group);
  return static_cast<int64_t>(communicators_.size() - 1);
}

int64_t MemoryTrace::set(const std::vector<uint32_t> &members) {
  const auto [place, isNew] = setRows_.try_emplace(members, static_cast<int64_t>(sets_.size()));
  if (isNew)
    sets_.push_back(members);
  return place->second;
}

void MemoryTrace::append(uint32_t rank, const Record &record) {
  CHECK(rank < ofRank_.size() && record.function < functions_.size(),
        "rank and function are there");
  Rank &of = ofRank_[rank];
  of.records.push_back({record.function, of.values.size(), record.values.size()});
  of.values.insert(of.values.end(), record.values.begin(), record.values.end());
}

std::unique_ptr<Cursor> MemoryTrace::open(uint32_t rank) const {
  CHECK(rank < ofRank_.size(), "the rank is there");
  return std::make_unique<Walk>(ofRank_[rank]);
}

} // namespace gnomon::trace
