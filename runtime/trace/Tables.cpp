// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Tables.h"

#include "support/Error.h"
#include "trace/Wire.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gnomon::trace {
namespace {

constexpr uint64_t ListBit = 0x10; ///< of a field's kind
/// Of all groups together: 256 MiB of memory.
constexpr uint64_t MostMembers = uint64_t{1} << 26;
constexpr uint64_t MostRank = std::numeric_limits<uint32_t>::max();

/// How many members from \p first on have the same distance from each other.
size_t runLength(const std::vector<uint32_t> &members, size_t first) {
  if (first + 1 == members.size())
    return 1;
  const int64_t stride = int64_t{members[first + 1]} - members[first];
  size_t end = first + 2;
  while (end < members.size() && int64_t{members[end]} - members[end - 1] == stride)
    ++end;
  return end - first;
}

void putFunction(std::string &out, const Function &function) {
  putText(out, function.name);
  putVarint(out, function.fields.size());
  for (const Field &field : function.fields) {
    putText(out, field.name);
    putVarint(out, static_cast<uint64_t>(field.kind) | (field.list ? ListBit : 0));
  }
}

class TableReader {
public:
  TableReader(std::string_view bytes, const std::string &file) : in_(bytes), file_(file) {}

  Tables read() {
    readFacts();
    for (uint64_t left = count("functions"); left > 0; --left)
      readFunction();
    for (uint64_t left = count("strings"); left > 0; --left)
      tables_.texts.emplace_back(in_.text());
    for (uint64_t left = count("communicators"); left > 0; --left) {
      Group &group = tables_.communicators.emplace_back();
      group.members = members();
      group.remote = members();
    }
    for (uint64_t left = count("sets"); left > 0; --left)
      tables_.sets.push_back(members());
    in_.mustBeEmpty();
    if (tables_.communicators.size() < 2)
      throw Damage("the first two communicators are missing");
    return std::move(tables_);
  }

private:
  /// Each element of a table has at least one byte.
  uint64_t count(const char *what) { return in_.varint(in_.left(), what); }
  void readFacts();
  void readFunction();
  std::vector<uint32_t> members();

  Bytes in_;
  const std::string &file_;
  Tables tables_;
  uint64_t members_ = 0;
};

void TableReader::readFacts() {
  Facts &facts = tables_.facts;
  facts.ranks = static_cast<uint32_t>(in_.varint(MostRank, "the number of ranks"));
  facts.complete = in_.varint(1, "the mark of a complete recording") == 1;
  facts.secondsPerFlop = std::bit_cast<double>(in_.fixed<uint64_t>());
  if (!(facts.secondsPerFlop >= 0) || std::isinf(facts.secondsPerFlop))
    throw Damage("the seconds of an operation are no such number");
  facts.program = in_.text();
  facts.origin = in_.text();
}

void TableReader::readFunction() {
  Function function;
  function.name = in_.text();
  const uint64_t fields = in_.varint(MostFields, "the number of a function's fields");
  for (uint64_t i = 0; i < fields; ++i) {
    Field &field = function.fields.emplace_back();
    field.name = in_.text();
    const uint64_t kind = in_.varint();
    field.list = kind & ListBit;
    if ((kind & ~ListBit) >= Kinds)
      throw Damage(fmt::format("field '{}' of function '{}' is of an unknown kind", field.name,
                               function.name));
    field.kind = static_cast<Kind>(kind & ~ListBit);
  }
  const size_t known = tables_.schema.functions().size();
  if (tables_.schema.number(function, file_) != known)
    throw Damage(fmt::format("function '{}' is there twice", function.name));
}

std::vector<uint32_t> TableReader::members() {
  std::vector<uint32_t> members;
  int64_t last = 0;
  for (uint64_t runs = count("runs of members"); runs > 0; --runs) {
    int64_t member = wrappedSum(last, unzigzag(in_.varint()));
    const int64_t stride = unzigzag(in_.varint());
    const uint64_t length = in_.varint(MostMembers - members_, "the number of members");
    members_ += length;
    for (uint64_t i = 0; i < length; ++i, member = wrappedSum(member, stride)) {
      if (member < 0 || static_cast<uint64_t>(member) > MostRank)
        throw Damage("a member of a group is no rank");
      members.push_back(static_cast<uint32_t>(member));
      last = member;
    }
  }
  return members;
}

} // namespace

void putMembers(std::string &out, const std::vector<uint32_t> &members) {
  std::string runs;
  uint64_t count = 0;
  int64_t last = 0;
  for (size_t at = 0; at < members.size(); ++count) {
    const size_t length = runLength(members, at);
    const int64_t stride = length > 1 ? int64_t{members[at + 1]} - members[at] : 0;
    putVarint(runs, zigzag(members[at] - last));
    putVarint(runs, zigzag(stride));
    putVarint(runs, length);
    at += length;
    last = members[at - 1];
  }
  putVarint(out, count);
  out += runs;
}

std::string tablesText(const Schema &schema, const TableBytes &parts, const Facts &facts) {
  std::string out;
  putVarint(out, facts.ranks);
  putVarint(out, facts.complete ? 1 : 0);
  putFixed(out, std::bit_cast<uint64_t>(facts.secondsPerFlop));
  putText(out, facts.program);
  putText(out, facts.origin);
  putVarint(out, schema.functions().size());
  for (const Function &function : schema.functions())
    putFunction(out, function);
  putVarint(out, parts.textCount);
  out += parts.texts;
  putVarint(out, parts.communicatorCount);
  out += parts.communicators;
  putVarint(out, parts.setCount);
  out += parts.sets;
  return out;
}

Tables parseTables(std::string_view bytes, const std::string &file) {
  return TableReader(bytes, file).read();
}

} // namespace gnomon::trace
