// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/HostFile.h"

#include "platform/FileText.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <fmt/format.h>

namespace gnomon::platform {

namespace {

/// More slots on one line than this are taken for a mistake.
constexpr uint64_t MaxSlots = uint64_t{1} << 20;
constexpr std::string_view Blanks = " \t\r\f\v";

struct Line {
  const std::string &file;
  int number;
  std::string_view rest;

  [[noreturn]] void fail(const std::string &text) const { throw InputError(file, number, text); }

  /// Cuts the next word off; empty at the end.
  std::string_view word() {
    size_t begin = rest.find_first_not_of(Blanks);
    if (begin == std::string_view::npos)
      return {};
    rest.remove_prefix(begin);
    std::string_view result = rest.substr(0, rest.find_first_of(Blanks));
    rest.remove_prefix(result.size());
    return result;
  }

  uint32_t slots(std::string_view text) const {
    uint64_t count = 0;
    try {
      count = parseInteger(text);
    } catch (const NumberError &error) {
      fail(std::string("number of slots: ") + error.what());
    }
    if (count == 0 || count > MaxSlots)
      fail(fmt::format("number of slots: {} is not between 1 and {}", text, MaxSlots));
    return static_cast<uint32_t>(count);
  }
};

HostEntry parseEntry(Line &line, std::string_view name) {
  HostEntry entry{std::string(name), 1, line.number};
  bool said = false; // how many slots
  if (size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    entry.name = name.substr(0, colon);
    entry.slots = line.slots(name.substr(colon + 1));
    said = true;
    if (entry.name.empty())
      line.fail("a host name is missing before ':'");
  }
  constexpr std::string_view SlotsKey = "slots=";
  for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
    if (!word.starts_with(SlotsKey))
      line.fail("'" + std::string(word) + "' is not understood; expected slots=N");
    const uint32_t slots = line.slots(word.substr(SlotsKey.size()));
    if (said)
      line.fail(fmt::format("the number of slots stands twice: {} and {}", entry.slots, slots));
    entry.slots = slots;
    said = true;
  }
  return entry;
}

std::string roundRobinNote(uint32_t ranks, uint64_t slots) {
  if (ranks <= slots)
    return {};
  return fmt::format("{} ranks on {} slot{}: placed round robin", ranks, slots,
                     slots == 1 ? "" : "s");
}

} // namespace

HostFile parseHostFile(const std::string &text, const std::string &file) {
  HostFile result{file, {}};
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    std::string_view content = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), content.size() + 1));
    Line line{file, number, content.substr(0, content.find('#'))};
    if (std::string_view name = line.word(); !name.empty())
      result.entries.push_back(parseEntry(line, name));
  }
  if (result.entries.empty())
    throw InputError(file, 0, "the host file names no host");
  return result;
}

HostFile readHostFile(const std::string &file) { return parseHostFile(readText(file), file); }

/// Host files mostly name hosts in the platform's order: then the one after \p before is looked at, and
/// no name is looked for.
static std::optional<HostIndex> findHost(const Platform &platform, std::string_view name,
                                         const std::vector<HostIndex> &before) {
  const size_t next = before.empty() ? 0 : before.back() + size_t{1};
  if (next < platform.hosts().size() && platform.hosts()[next].name == name)
    return static_cast<HostIndex>(next);
  return platform.findHost(name);
}

Placement placeRanks(const HostFile &hosts, const Platform &platform, uint32_t ranks) {
  std::vector<HostIndex> found;
  uint64_t slots = 0;
  for (const HostEntry &entry : hosts.entries) {
    std::optional<HostIndex> host = findHost(platform, entry.name, found);
    if (!host) {
      std::vector<std::string> names;
      for (const Host &candidate :
           platform.hosts().first(std::min<size_t>(platform.hosts().size(), 1000)))
        names.push_back(candidate.name);
      const std::vector<std::string_view> known(names.begin(), names.end());
      throw InputError(hosts.file, entry.line,
                       "the platform has no host '" + entry.name + "'" +
                           didYouMean(entry.name, known));
    }
    found.push_back(*host);
    slots += entry.slots;
  }
  Placement placement;
  placement.note = roundRobinNote(ranks, slots);
  placement.hostOfRank.reserve(ranks);
  while (placement.hostOfRank.size() < ranks)
    for (size_t i = 0; i < found.size() && placement.hostOfRank.size() < ranks; ++i) {
      size_t count = std::min<size_t>(hosts.entries[i].slots, ranks - placement.hostOfRank.size());
      placement.hostOfRank.insert(placement.hostOfRank.end(), count, found[i]);
    }
  platform.checkReachable(found);
  return placement;
}

Placement placeRanks(const Platform &platform, uint32_t ranks) {
  Placement placement;
  auto hosts = static_cast<uint32_t>(platform.hosts().size());
  placement.note = roundRobinNote(ranks, hosts);
  placement.hostOfRank.reserve(ranks);
  for (uint32_t rank = 0; rank < ranks; ++rank)
    placement.hostOfRank.push_back(rank % hosts);
  platform.checkReachable(std::span(placement.hostOfRank).first(std::min(ranks, hosts)));
  return placement;
}

} // namespace gnomon::platform
