// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the ranks of a trace share, as bytes: functions, strings, communicators, sets, facts
/// (docs/trace-format.md, "Tables"). Members of groups are written as runs: first member, stride,
/// length; the world of 16,384 ranks takes seven bytes.
#pragma once

#include "trace/Schema.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::trace {

struct Tables {
  Schema schema;
  std::vector<std::string> texts;
  std::vector<Group> communicators;
  std::vector<std::vector<uint32_t>> sets;
  Facts facts;
};

void putMembers(std::string &out, const std::vector<uint32_t> &members);

/// Parts of the bytes that a writer has made on the way.
struct TableBytes {
  uint64_t textCount = 0, communicatorCount = 0, setCount = 0;
  std::string texts, communicators, sets;
};
std::string tablesText(const Schema &schema, const TableBytes &parts, const Facts &facts);

/// Reads them; \p file is named in errors. Throws Damage.
Tables parseTables(std::string_view bytes, const std::string &file);

} // namespace gnomon::trace
