// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/InputLog.h"

#include "support/FileHash.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace gnomon::process::burst {
namespace {

/// Fewer are a line each.
constexpr size_t FewestTogether = 16;
constexpr uint32_t MostTogether = 1 << 24;
constexpr const char *Digits = "0123456789";

/// A name around one of its numbers.
struct Numbered {
  std::string before, digits, behind;

  uint32_t number() const {
    uint32_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  bool isPadded() const { return digits.size() > 1 && digits[0] == '0'; }
};

/// By each of its numbers that is not too long, the last first.
std::vector<Numbered> byNumbers(const std::string &path) {
  constexpr size_t MostDigits = 9;
  std::vector<Numbered> all;
  if (path.find_first_of("[]") != std::string::npos)
    return all;
  for (size_t end = path.size(); end > 0;) {
    const size_t last = path.find_last_of(Digits, end - 1);
    if (last == std::string::npos)
      break;
    const size_t before = path.find_last_not_of(Digits, last);
    const size_t first = before == std::string::npos ? 0 : before + 1;
    if (last + 1 - first <= MostDigits)
      all.push_back(
          {path.substr(0, first), path.substr(first, last + 1 - first), path.substr(last + 1)});
    end = first;
  }
  return all;
}

/// Whether \p next is written as the name behind \p previous, whose list may have begun with zeros.
bool follows(const Numbered &previous, const Numbered &next) {
  const bool sameLength = previous.digits.size() == next.digits.size();
  return next.number() == previous.number() + 1 &&
         (sameLength || (!previous.isPadded() && !next.isPadded()));
}

/// A list of names that run on cannot change from zeros in front to longer numbers: "099", "100", "1000".
bool mayJoin(const Numbered &first, const Numbered &next) {
  return !first.isPadded() || first.digits.size() == next.digits.size();
}

struct Member {
  Numbered name;
  const InputFile *file;
};
using Family = std::vector<Member>;

/// Names that are alike around a number, each in the largest such family.
std::vector<Family> families(const std::vector<InputFile> &files) {
  std::map<std::pair<std::string, std::string>, size_t> sizes;
  for (const InputFile &file : files)
    for (const Numbered &name : byNumbers(file.path))
      ++sizes[{name.before, name.behind}];
  std::map<std::pair<std::string, std::string>, Family> members;
  for (const InputFile &file : files) {
    std::optional<Numbered> best;
    size_t most = FewestTogether - 1;
    for (Numbered &name : byNumbers(file.path))
      if (const size_t size = sizes[{name.before, name.behind}]; size > most) {
        most = size;
        best = std::move(name);
      }
    if (best)
      members[{best->before, best->behind}].push_back({*best, &file});
  }
  std::vector<Family> all;
  for (auto &[around, family] : members) {
    std::sort(family.begin(), family.end(), [](const Member &a, const Member &b) {
      return std::tuple(a.name.number(), a.name.digits) <
             std::tuple(b.name.number(), b.name.digits);
    });
    all.push_back(std::move(family));
  }
  return all;
}

/// Ranks that were started later (MPI_Comm_spawn) are not told apart.
std::vector<uint32_t> ranksOf(const std::set<uint32_t> &ranks, uint32_t all) {
  std::vector<uint32_t> first(ranks.begin(), ranks.lower_bound(all));
  return first.size() == all ? std::vector<uint32_t>() : first;
}

InputLog logOf(Family::const_iterator first, Family::const_iterator end, uint32_t allRanks) {
  InputLog log;
  log.files = static_cast<uint32_t>(end - first);
  log.path = fmt::format("{}[{}-{}]{}", first->name.before, first->name.digits,
                         std::prev(end)->name.digits, first->name.behind);
  std::vector<FileContents> contents;
  std::set<uint32_t> ranks;
  for (auto member = first; member != end; ++member) {
    contents.push_back(member->file->contents);
    ranks.insert(member->file->ranks.begin(), member->file->ranks.end());
  }
  log.contents = together(contents);
  log.ranks = ranksOf(ranks, allRanks);
  return log;
}

/// Where "[0000-0063]" stands, and its two numbers.
struct Range {
  size_t at = 0, end = 0;
  uint32_t first = 0, last = 0;
  size_t digits = 0; ///< of each number, with zeros in front; 0: as many as it takes
};

std::optional<Range> rangeIn(const std::string &path) {
  Range range;
  range.at = path.find('[');
  range.end = path.find(']', range.at);
  const size_t dash = path.find('-', range.at);
  if (range.at == std::string::npos || range.end == std::string::npos || dash > range.end)
    return std::nullopt;
  const Numbered first{{}, path.substr(range.at + 1, dash - range.at - 1), {}},
      last{{}, path.substr(dash + 1, range.end - dash - 1), {}};
  for (const std::string *digits : {&first.digits, &last.digits})
    if (digits->empty() || digits->size() > 9 ||
        digits->find_first_not_of(Digits) != std::string::npos)
      return std::nullopt;
  range.first = first.number();
  range.last = last.number();
  range.digits = first.digits.size() == last.digits.size() ? first.digits.size() : 0;
  ++range.end;
  return range;
}

} // namespace

FileContents together(const std::vector<FileContents> &files) {
  if (files.size() == 1)
    return files.front();
  FileContents all;
  std::string text;
  bool known = true;
  for (const FileContents &file : files) {
    all.bytes += file.bytes;
    known = known && file.hash;
    text += fmt::format("{} {:016x}\n", file.bytes, file.hash.value_or(0));
  }
  if (known)
    all.hash = hashOf(text);
  return all;
}

std::vector<InputLog> inputLogs(const std::vector<InputFile> &files, uint32_t ranks) {
  std::vector<InputLog> logs;
  std::set<const InputFile *> inMany;
  for (const Family &family : families(files))
    for (auto first = family.begin(); first != family.end();) {
      auto end = std::next(first);
      while (end != family.end() && follows(std::prev(end)->name, end->name) &&
             mayJoin(first->name, end->name))
        ++end;
      if (end - first >= static_cast<ptrdiff_t>(FewestTogether)) {
        logs.push_back(logOf(first, end, ranks));
        for (auto member = first; member != end; ++member)
          inMany.insert(member->file);
      }
      first = end;
    }
  for (const InputFile &file : files)
    if (!inMany.contains(&file))
      logs.push_back({file.path, 1, file.contents, ranksOf(file.ranks, ranks)});
  std::sort(logs.begin(), logs.end(),
            [](const InputLog &a, const InputLog &b) { return a.path < b.path; });
  return logs;
}

uint32_t filesNamed(const std::string &path) {
  const std::optional<Range> range = rangeIn(path);
  return range && range->first < range->last && range->last - range->first < MostTogether
             ? range->last - range->first + 1
             : 0;
}

std::vector<std::string> pathsOf(const InputLog &log) {
  if (log.files == 1)
    return {log.path};
  std::vector<std::string> paths;
  const std::optional<Range> range = rangeIn(log.path);
  for (uint32_t i = 0; range && i < log.files; ++i)
    paths.push_back(fmt::format("{}{:0{}}{}", log.path.substr(0, range->at), range->first + i,
                                std::max<size_t>(1, range->digits), log.path.substr(range->end)));
  return paths;
}

} // namespace gnomon::process::burst
