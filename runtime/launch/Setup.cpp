// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Settings, the network and what the program runs on.
#include "launch/Setup.h"

#include "coll/Selection.h"
#include "launch/RankOptions.h"
#include "models/RunSettings.h"
#include "platform/FileText.h"
#include "platform/Xml.h"
#include "process/image/Image.h"
#include "process/libc/Allocation.h"
#include "process/ranks/Memory.h"
#include "process/ranks/World.h"
#include "support/Error.h"
#include "support/Number.h"
#include "support/YesNo.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::launch {
namespace {

/// `key=value`, or `key:value` as in SMPI's --cfg.
models::Setting parseSetting(const std::string &text) {
  size_t cut = text.find_first_of("=:");
  if (cut == std::string::npos || cut == 0)
    throw InputError("--set", 0, "expected KEY=VALUE, not '" + text + "'");
  return {text.substr(0, cut), text.substr(cut + 1), "--set", 0};
}

/// What `--mpi` names: the <config> of a file, without what is for other network models.
std::vector<models::Setting> libraryConfig(const std::string &file,
                                           const models::NetworkEntry &network) {
  if (file.empty())
    return {};
  std::vector<models::Setting> config = platform::loadConfig(platform::readText(file), file);
  std::erase_if(config, [&](const auto &setting) { return network.isOfAnother(setting.key); });
  return config;
}

void endForBrokenModel(const std::string &why) {
  process::abortWorld(static_cast<int>(ExitCode::BadInput), "gnomon: error: " + why);
}

void apply(const models::RunSettings &from, mpi::Settings &to) {
  to.spawnSeconds = from.spawnSeconds.value_or(to.spawnSeconds);
  to.growInjectedTimes = from.growInjectedTimes;
  to.finalizeBarrier = from.finalizeBarrier.value_or(to.finalizeBarrier);
}

} // namespace

Overrides splitSettings(const Options &options, const platform::Platform &platform) {
  std::vector<models::Setting> commandLine;
  for (const std::string &text : options.set)
    commandLine.push_back(parseSetting(text));

  Overrides overrides;
  for (const std::string &list : options.check)
    overrides.mpi.checks.choose(list);
  overrides.mpi.checks.quiet = !options.launched || (options.quiet && options.check.empty());
  overrides.network = models::chooseNetwork(options.network, platform.config(), commandLine);
  std::vector<models::Setting> files = libraryConfig(options.mpiLibrary, overrides.network);
  files.insert(files.end(), platform.config().begin(), platform.config().end());
  models::RunSettings settings;
  for (models::Setting &setting : overrides.network.settings(files, commandLine)) {
    const bool ofSmpi = setting.key.starts_with("smpi/");
    if (models::take(setting, settings))
      continue;
    if (ofSmpi && isCollective(setting.key.substr(5)))
      overrides.collectives.push_back({setting.key.substr(5), setting.value, setting.file});
    else
      overrides.modelSettings.push_back(std::move(setting));
  }
  apply(settings, overrides.mpi);
  const bool isChosen = options.collSelector != "default";
  overrides.collSelector =
      isChosen ? options.collSelector : settings.collSelector.value_or(options.collSelector);
  return overrides;
}

std::unique_ptr<models::NetworkModel> makeNetwork(const Overrides &overrides,
                                                  kernel::Engine &engine,
                                                  const platform::Platform &platform,
                                                  const models::Parameters &parameters) {
  std::unique_ptr<models::NetworkModel> network =
      overrides.network.make(engine, platform, parameters);
  network->whenBroken(endForBrokenModel);
  return network;
}

std::unique_ptr<models::ProtocolCosts> makeProtocol(const Overrides &overrides,
                                                    const models::Parameters &parameters) {
  return overrides.network.makeProtocol(parameters);
}

void chooseHugePages(const Options &options) {
  const std::string &when = options.hugePages;
  const std::optional<bool> yes = yesOrNo(when, {"yes"}, {"no"});
  if (!yes && when != "auto")
    throw InputError("--huge-pages", 0, "'" + when + "' is none of auto, yes, no");
  using process::HugePageUse;
  process::useHugePages(!yes ? HugePageUse::Auto : *yes ? HugePageUse::Always : HugePageUse::Never);
}

void prepareMerging(const Options &options) {
  if (!options.mergePages)
    return;
  if (options.hugePages != "no" && options.hugePages != "auto")
    throw InputError("--merge-pages", 0,
                     "pages of 2 MiB (--huge-pages=" + options.hugePages +
                         ") are not merged; take one of the two options");
  process::useHugePages(process::HugePageUse::Never);
  process::alignBlocksToPages();
  process::alignCopiesToPages();
}

kernel::StackOptions stackOptions(const Options &options) {
  constexpr size_t mostBytes = size_t{8} << 20, leastBytes = size_t{16} << 10;
  // Stacks that are all deep cannot be kept in memory anyway, and stacks that lie far apart cost
  // page tables and misses of the translation buffer at every switch: 16,384 ranks ran 1.3 times as
  // fast with 1 MiB.
  constexpr size_t autoTotalBytes = size_t{16} << 30, autoLeastBytes = size_t{64} << 10;
  // No program runs on a replay's: a page of page tables serves eight of them.
  constexpr size_t mostReplayBytes = size_t{256} << 10;

  kernel::StackOptions stacks;
  stacks.keepsBeside = !options.replayed.empty();
  const size_t autoMostBytes = stacks.keepsBeside ? mostReplayBytes : mostBytes;
  if (options.stackSize == "auto")
    stacks.bytes = std::clamp(autoTotalBytes / rankCount(options), autoLeastBytes, autoMostBytes);
  else
    stacks.bytes =
        static_cast<size_t>(readQuantity("--stack-size", options.stackSize, Unit::Bytes));
  if (stacks.bytes < leastBytes)
    throw InputError("--stack-size", 0, "a rank needs at least 16KiB of stack");
  // What user space can address, with room for everything else.
  constexpr size_t addressableBytes = size_t{1} << 46;
  if (stacks.bytes > addressableBytes / rankCount(options))
    throw InputError("--stack-size", 0,
                     fmt::format("{} for each of {} ranks is more than this machine can address",
                                 options.stackSize, options.ranks));
  return stacks;
}

kernel::StackOptions layOutRanks(const Options &options, const models::Parameters &parameters) {
  // Caches and predictors look at no higher bits of an address than the 27th, as far as is known.
  constexpr size_t apartBytes = size_t{1} << 28;
  // Of more ranks, the hot ends of stacks would compete for the same sets of the caches.
  constexpr size_t mostRanks = 256;
  kernel::StackOptions stacks = stackOptions(options);
  if (computeMode(options, parameters) != process::ComputeMode::Measured || options.mergePages ||
      rankCount(options) > mostRanks || process::freeAddresses() != UINT64_MAX)
    return stacks;
  stacks.apartBytes = apartBytes;
  process::placeCopiesApart(apartBytes);
  return stacks;
}

void printNotes(const Options &options, const platform::Platform &platform,
                const platform::Placement &placement, const models::Parameters &parameters) {
  if (options.quiet)
    return;
  auto print = [](const std::string &text) { process::printError("gnomon: note: " + text + "\n"); };
  for (const platform::Note &note : platform.notes())
    print(note.render());
  for (const std::string &note : parameters.notes)
    print(note);
  if (!placement.note.empty())
    print(placement.note);
}

} // namespace gnomon::launch
