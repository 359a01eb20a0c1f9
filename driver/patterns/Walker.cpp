// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/Walker.h"

#include "support/Check.h"
#include "support/Error.h"
#include "trace/PollRecords.h"

#include <fmt/format.h>

namespace gnomon::patterns {

bool Walker::next() {
  while (cursor_->next(record_)) {
    ++place_.record;
    CHECK(view_.set(recording_.source.functions()[record_.function], record_),
          "a record fits its function");
    if (trace::isOfPolls(view_.name())) // more ranks poll more or less often
      continue;
    if (!plan().isVolume) {
      if (!plan().refusal.empty())
        refuse(plan().refusal);
      return true;
    }
    if (keepsVolumes)
      volumes_.emplace_back(record_.function,
                            std::vector(record_.values.begin(), record_.values.end()));
  }
  ++place_.record;
  return false;
}

void Walker::refuse(const std::string &why) const {
  throw InputError(
      recording_.path, 0,
      fmt::format("rank {}, record {}: {}: {}", place().rank, place().record, view_.name(), why));
}

void Walker::encode(const Families &families, std::vector<int64_t> &values) const {
  values.assign(record_.values.begin(), record_.values.end());
  for (size_t field = 0; field < plan().roles.size(); ++field) {
    int64_t &value = values[placeOf(field)];
    if (plan().roles[field] == Role::Comm) {
      value = families.codeOf(value);
      if (value == Families::Irregular)
        throw Irregular{place(), "a communicator's processes are no line, plane or other part of "
                                 "the grid"};
    } else if (plan().roles[field] == Role::Set && value >= 0) {
      const std::vector<std::vector<uint32_t>> &sets = recording_.source.sets();
      if (static_cast<size_t>(value) >= sets.size())
        refuse("it names a set that the trace does not have");
      const std::vector<uint32_t> &set = sets[static_cast<size_t>(value)];
      for (uint32_t i = 0; i < set.size(); ++i)
        if (set[i] != i || set.size() != recording_.source.facts().ranks)
          throw Irregular{place(), "a set of processes is not that of all"};
      value = AllRanks;
    }
  }
}

} // namespace gnomon::patterns
