// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many ranks there are, which programs they run, and the host of each.
#include "gnomon/Module.h"
#include "launch/RankOptions.h"
#include "launch/Setup.h"
#include "process/image/Modules.h"
#include "process/ranks/World.h"
#include "replay/Replay.h"
#include "support/Error.h"
#include "support/Number.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace gnomon::launch {
namespace {

/// One rank needs its stack and its globals: a number beyond this is a typing error, not a wish.
constexpr uint64_t MostRanks = 16'000'000;

/// Hosts of the default platform: one a rank, and, in a program that starts more, as many again.
uint32_t defaultHosts(const Options &options) {
  constexpr uint32_t LeastMore = 16;
  const uint32_t ranks = rankCount(options);
  if (const uint64_t universe = options.universe)
    return std::max(ranks, static_cast<uint32_t>(std::min(universe, MostRanks)));
  const replay::Replay *replay = replay::Replay::running();
  const bool starts = replay ? replay->startsRanks() : process::anyModuleHas(GNOMON_MODULE_SPAWNS);
  return starts ? ranks + std::max(ranks, LeastMore) : ranks;
}

/// The value of --companion, as the driver writes it.
process::JobPart companion(const std::string &value, int number) {
  constexpr char Separator = '\x1f';
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find(Separator, begin), value.size());
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  uint64_t ranks = 0;
  try {
    ranks = static_cast<uint64_t>(std::max<int64_t>(parseInteger(words[0]), 0));
  } catch (const NumberError &) {
  }
  if (words.size() < 3 || ranks == 0 || ranks > MostRanks)
    throw InputError("--companion", 0, "expected ranks, file and arguments");
  process::JobPart part;
  part.ranks = static_cast<uint32_t>(ranks);
  part.program = words[1];
  part.arguments.assign(words.begin() + 2, words.end());
  part.app = number;
  return part;
}

/// The host file or the list of --host; nothing when there is neither.
std::optional<platform::HostFile> hostFile(const Options &options) {
  if (const std::string &file = options.hostfile; !file.empty())
    return platform::readHostFile(file);
  if (!options.host.empty())
    return platform::parseHostFile(cutAtCommas(options.host), "--host");
  return std::nullopt;
}

} // namespace

uint32_t rankCount(const Options &options) {
  if (options.ranks == 0)
    throw InputError("--ranks", 0, "must be at least 1, not 0");
  if (options.ranks > MostRanks)
    throw InputError(
        "--ranks", 0,
        fmt::format("{} ranks; at most {} can be simulated", options.ranks, MostRanks));
  return static_cast<uint32_t>(options.ranks);
}

std::vector<process::JobPart> companions(const Options &options) {
  std::vector<process::JobPart> parts;
  uint64_t ranks = 0;
  for (const std::string &value : options.companion)
    ranks += parts.emplace_back(companion(value, static_cast<int>(parts.size()) + 1)).ranks;
  if (ranks >= rankCount(options))
    throw InputError("--companion", 0, "more ranks than --ranks has");
  return parts;
}

platform::Platform loadPlatform(const Options &options) {
  const std::string &text = options.platform;
  if (!text.empty())
    return platform::load(text);
  const uint32_t hosts = defaultHosts(options);
  if (options.hostSpeed != "auto")
    return platform::defaultPlatform(hosts, positiveSpeed(options));
  return platform::defaultPlatform(hosts);
}

platform::Placement placeRanks(const Options &options, const platform::Platform &platform) {
  uint32_t ranks = rankCount(options);
  if (auto hosts = hostFile(options))
    return platform::placeRanks(*hosts, platform, ranks);
  return platform::placeRanks(platform, ranks);
}

std::vector<platform::HostIndex> slotsOf(const Options &options,
                                         const platform::Platform &platform) {
  if (auto hosts = hostFile(options)) {
    uint64_t slots = 0;
    for (const platform::HostEntry &entry : hosts->entries)
      slots += entry.slots;
    const auto most = static_cast<uint32_t>(std::min(slots, MostRanks));
    return platform::placeRanks(*hosts, platform, most).hostOfRank;
  }
  std::vector<platform::HostIndex> slots(platform.hosts().size());
  std::iota(slots.begin(), slots.end(), platform::HostIndex{0});
  return slots;
}

int universeSize(const Options &options, const process::Settings &settings) {
  if (const uint64_t asked = options.universe)
    return static_cast<int>(std::min<uint64_t>(asked, INT32_MAX));
  return static_cast<int>(std::max(settings.slots.size(), settings.hosts.size()));
}

} // namespace gnomon::launch
