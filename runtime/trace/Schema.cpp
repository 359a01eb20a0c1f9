// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Schema.h"

#include "support/Error.h"

#include <fmt/format.h>

namespace gnomon::trace {
bool isRelative(const Field &field) { return field.kind == Kind::Peer && field.name != "root"; }

uint32_t Schema::number(const Function &function, const std::string &file) {
  std::vector<uint32_t> &sameName = numbers_[function.name];
  for (uint32_t number : sameName)
    if (functions_[number] == function)
      return number;
  if (functions_.size() == MostFunctions)
    throw InputError(file, 0, fmt::format("a trace has at most {} functions", MostFunctions));
  if (function.fields.size() > MostFields)
    throw InputError(file, 0,
                     fmt::format("function {} has {} fields, and a trace takes at most {}",
                                 function.name, function.fields.size(), MostFields));
  Plan plan{.fields = function.fields,
            .count = static_cast<uint32_t>(function.fields.size()),
            .reals = 0,
            .firstStream = streams_,
            .lists = false,
            .peers = {},
            .relative = 0};
  for (uint32_t field = 0; field < plan.fields.size(); ++field) {
    plan.lists |= plan.fields[field].list;
    plan.reals |= uint64_t{plan.fields[field].kind == Kind::Real} << field;
    if (!isRelative(plan.fields[field]))
      continue;
    plan.peers.push_back(field);
    plan.relative |= uint64_t{1} << field;
  }
  const auto number = static_cast<uint32_t>(functions_.size());
  streams_ += static_cast<uint32_t>(plan.fields.size());
  functions_.push_back(function);
  plans_.push_back(std::move(plan));
  sameName.push_back(number);
  return number;
}

bool Schema::fitsLists(const Plan &plan, std::span<const int64_t> values) {
  size_t at = 0;
  for (const Field &field : plan.fields) {
    if (at >= values.size())
      return false;
    const auto length = static_cast<uint64_t>(values[at++]);
    if (!field.list)
      continue;
    if (length > values.size() - at)
      return false;
    at += length;
  }
  return at == values.size();
}

void Schema::shiftInLists(const Plan &plan, std::span<int64_t> values, uint32_t by,
                          uint32_t ranks) {
  if (plan.relative == 0)
    return;
  size_t at = 0;
  for (size_t field = 0; field < plan.fields.size(); ++field) {
    const size_t length = plan.fields[field].list ? static_cast<size_t>(values[at++]) : 1;
    if (plan.relative >> field & 1)
      for (int64_t &peer : values.subspan(at, length))
        shiftPeer(peer, by, ranks);
    at += length;
  }
}

} // namespace gnomon::trace
