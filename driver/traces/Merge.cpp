// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "traces/Merge.h"

#include "support/Error.h"
#include "trace-formats/Copy.h"
#include "trace/TraceFile.h"
#include "trace/TraceWriter.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace gnomon::traces {
namespace {

/// Communicators of several files of one run. Two of them are the same where their members are, and
/// they are as many-eth with these members in their files: all members make a communicator
/// together.
class Rows {
public:
  explicit Rows(trace::Sink &sink) : sink_(sink) {}

  std::vector<int64_t> ofFile(const trace::Source &file) {
    std::vector<int64_t> rows{trace::World, trace::Self};
    std::map<Members, size_t> seen;
    for (size_t row = rows.size(); row < file.communicators().size(); ++row) {
      const trace::Group &group = file.communicators()[row];
      const Members members{group.members, group.remote};
      const auto [place, isNew] = rows_.try_emplace({members, seen[members]++});
      if (isNew)
        place->second = sink_.communicator(group);
      rows.push_back(place->second);
    }
    return rows;
  }

private:
  using Members = std::pair<std::vector<uint32_t>, std::vector<uint32_t>>;
  trace::Sink &sink_;
  std::map<std::pair<Members, size_t>, int64_t> rows_;
};

/// Before, the number, and behind the last number of a name; nothing where there is none.
using Split = std::tuple<std::string, std::string, std::string>;
std::optional<Split> splitAtNumber(const std::string &name) {
  const size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos)
    return std::nullopt;
  const size_t before = name.find_last_not_of("0123456789", last);
  const size_t first = before == std::string::npos ? 0 : before + 1;
  return Split{name.substr(0, first), name.substr(first, last + 1 - first), name.substr(last + 1)};
}

/// What is known of a file, which is closed again: there may be more of them than a process may
/// have open.
struct Part {
  std::string path;
  trace::Facts facts;
};

std::vector<Part> partsOf(const std::vector<std::string> &paths) {
  std::vector<Part> parts;
  for (const std::string &path : inOrder(paths))
    parts.push_back({path, trace::TraceFile(path).facts()});
  for (const Part &part : parts)
    if (part.facts.ranks != parts[0].facts.ranks)
      throw InputError(part.path, 0,
                       fmt::format("has {} ranks, and {} has {}: files to be joined have one rank "
                                   "each, or each as many as the whole",
                                   part.facts.ranks, parts[0].path, parts[0].facts.ranks));
  return parts;
}

/// Of all files; what they disagree on is left out.
trace::Facts commonFacts(const std::vector<Part> &parts, uint32_t ranks) {
  trace::Facts facts = parts[0].facts;
  facts.ranks = ranks;
  for (const Part &part : parts) {
    facts.complete = facts.complete && part.facts.complete;
    if (part.facts.secondsPerFlop != facts.secondsPerFlop)
      facts.secondsPerFlop = 0;
  }
  return facts;
}

/// A rank without a record: each real one has called MPI_Init at least.
std::string missingRanks(const std::vector<const Part *> &has) {
  std::vector<size_t> missing;
  for (size_t rank = 0; rank < has.size(); ++rank)
    if (!has[rank])
      missing.push_back(rank);
  if (missing.empty())
    return {};
  constexpr size_t Told = 16;
  const size_t more = missing.size() - std::min(missing.size(), Told);
  missing.resize(missing.size() - more);
  return fmt::format("there are no records of rank {}{}: the trace is incomplete; was the process "
                     "killed?",
                     fmt::join(missing, ", "), more ? fmt::format(" and {} more", more) : "");
}

void append(const trace::TraceFile &file, uint32_t from, uint32_t to, trace::Copier &copier) {
  const std::unique_ptr<trace::Cursor> cursor = file.open(from);
  for (trace::Record record; cursor->next(record);)
    copier.append(to, record);
}

} // namespace

std::vector<std::string> inOrder(std::vector<std::string> names) {
  std::vector<std::pair<Split, std::string>> split;
  for (const std::string &name : names) {
    const std::optional<Split> parts = splitAtNumber(name);
    if (!parts || (!split.empty() && (std::get<0>(*parts) != std::get<0>(split[0].first) ||
                                      std::get<2>(*parts) != std::get<2>(split[0].first))))
      return names;
    split.emplace_back(*parts, name);
  }
  const auto number = [](const auto &entry) {
    std::string digits = std::get<1>(entry.first);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    return std::pair(digits.size(), digits);
  };
  std::sort(split.begin(), split.end(), [&](const auto &a, const auto &b) {
    return std::pair(number(a), a.second) < std::pair(number(b), b.second);
  });
  for (size_t i = 0; i < names.size(); ++i)
    names[i] = split[i].second;
  return names;
}

std::string merge(const std::vector<std::string> &inputs, const std::string &output,
                  trace::Conversion &conversion) {
  const std::vector<Part> parts = partsOf(inputs);
  const uint32_t each = parts[0].facts.ranks;
  const auto ranks = each == 1 ? static_cast<uint32_t>(parts.size()) : each;
  trace::TraceWriter writer(output, ranks);
  Rows rows(writer);
  std::vector<const Part *> has(ranks);
  for (uint32_t i = 0; i < parts.size(); ++i) {
    const trace::TraceFile file(parts[i].path);
    const std::vector<int64_t> of = rows.ofFile(file);
    trace::Copier copier(file, writer, [&of](int64_t comm) {
      return comm >= 0 && static_cast<size_t>(comm) < of.size() ? of[static_cast<size_t>(comm)]
                                                                : comm;
    });
    for (uint32_t rank = 0; rank < each; ++rank) {
      const uint32_t to = each == 1 ? i : rank;
      if (file.records(rank) == 0)
        continue;
      if (has[to])
        throw InputError(parts[i].path, 0,
                         fmt::format("rank {} has records here and in {}", to, has[to]->path));
      has[to] = &parts[i];
      append(file, rank, to, copier);
    }
    if (conversion.progress)
      conversion.progress(i + 1, parts.size());
  }
  trace::Facts facts = commonFacts(parts, ranks);
  if (const std::string missing = missingRanks(has); !missing.empty()) {
    conversion.losses.add(missing);
    facts.complete = false;
  }
  return writer.finish(facts);
}

} // namespace gnomon::traces
