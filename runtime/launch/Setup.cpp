// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Setup.h"

#include "coll/Nodes.h"
#include "coll/Selection.h"
#include "coll/Timed.h"
#include "gnomon/Module.h"
#include "mpi/Comm.h"
#include "output/ProfileFile.h"
#include "process/World.h"
#include "process/libc/Allocation.h"
#include "support/Error.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <sstream>

namespace gnomon::launch {
namespace {

/// One rank needs its stack and its globals: a number beyond this is a typing error, not a wish.
constexpr uint64_t MostRanks = 16'000'000;

uint32_t rankCount(const Options &options) {
  uint64_t ranks = options.count("ranks", 1);
  if (ranks > MostRanks)
    throw InputError("--ranks", 0,
                     options.text("ranks") + " ranks; at most " + std::to_string(MostRanks) +
                         " can be simulated");
  return static_cast<uint32_t>(ranks);
}

bool isTrue(const models::Setting &setting) {
  if (setting.value == "yes" || setting.value == "true" || setting.value == "1" ||
      setting.value == "on")
    return true;
  if (setting.value == "no" || setting.value == "false" || setting.value == "0" ||
      setting.value == "off")
    return false;
  throw InputError(setting.file, setting.line,
                   setting.key + ": expected yes or no, not '" + setting.value + "'");
}

double durationOf(const models::Setting &setting) {
  try {
    const double seconds = parseQuantity(setting.value, Unit::Seconds).value;
    if (seconds >= 0)
      return seconds;
  } catch (const NumberError &) {
  }
  throw InputError(setting.file, setting.line,
                   setting.key + ": expected a number of seconds, 0 or more, not '" +
                       setting.value + "'");
}

bool isCollective(std::string_view name) {
  std::vector<coll::Known> known = coll::knownAlgorithms();
  return std::any_of(known.begin(), known.end(),
                     [&](const coll::Known &k) { return k.collective == name; });
}

/// `key=value`, or `key:value` as in SMPI's --cfg.
models::Setting parseSetting(const std::string &text) {
  size_t cut = text.find_first_of("=:");
  if (cut == std::string::npos || cut == 0)
    throw InputError("--set", 0, "expected KEY=VALUE, not '" + text + "'");
  return {text.substr(0, cut), text.substr(cut + 1), "--set", 0};
}

std::string joinLines(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts) {
    size_t begin = 0;
    while (begin <= part.size()) {
      size_t comma = std::min(part.find(',', begin), part.size());
      text += part.substr(begin, comma - begin) + "\n";
      begin = comma + 1;
    }
  }
  return text;
}

double positiveSpeed(const Options &options) {
  double flopsPerSecond = options.flopsPerSecond("host-speed");
  if (flopsPerSecond <= 0)
    throw InputError("--host-speed", 0, "must be more than 0, or auto");
  return flopsPerSecond;
}

constexpr std::string_view ProfilePrefix = "profile=";

/// The option's value, unless it stands at its default and SMPI's key speaks.
process::ComputeMode computeMode(const Options &options, const models::Parameters &parameters) {
  const std::string &mode = options.text("compute");
  if (mode == "none")
    return process::ComputeMode::None;
  if (mode == "counted")
    return process::ComputeMode::Counted;
  if (mode.starts_with(ProfilePrefix))
    return process::ComputeMode::Profile;
  if (mode != "measured")
    throw InputError("--compute", 0,
                     "'" + mode + "' is not a mode; measured, counted, profile=FILE and none are");
  return parameters.simulateComputation.value_or(true) ? process::ComputeMode::Measured
                                                       : process::ComputeMode::None;
}

/// 0: measured when first needed.
double hostSpeed(const Options &options, const models::Parameters &parameters,
                 const platform::Platform &platform) {
  if (options.text("host-speed") != "auto")
    return positiveSpeed(options);
  // The default platform's cores are as fast as this machine's: what is computed counts one to one,
  // and there is nothing to measure.
  if (options.text("platform").empty())
    return platform.hosts()[0].speedFlops;
  return parameters.hostSpeedFlops.value_or(0);
}

/// What an instruction is played as: the first host then executes as many a second as the option
/// says. By default one flop, so that nothing of this machine is in the prediction.
double flopsPerInstruction(const Options &options, const platform::Platform &platform) {
  if (options.text("instruction-rate") == "auto")
    return 1;
  double perSecond = options.flopsPerSecond("instruction-rate");
  if (perSecond <= 0)
    throw InputError("--instruction-rate", 0, "must be more than 0, or auto");
  return platform.hosts()[0].speedFlops / perSecond;
}

process::burst::Settings burstSettings(const Options &options) {
  process::burst::Settings bursts;
  std::string sample = options.text("sample");
  if (sample.empty())
    sample = options.flag("shadow") ? "auto" : "off";
  try {
    bursts.sample = process::burst::SamplePolicy::parse(sample);
  } catch (const NumberError &error) {
    throw InputError("--sample", 0, error.what());
  }
  bursts.reported =
      !options.flag("quiet") || !options.text("json").empty() || !options.text("bursts").empty();
  bursts.record = !options.text("record-profile").empty();
  if (const std::string &mode = options.text("compute"); mode.starts_with(ProfilePrefix))
    bursts.profile = std::make_shared<process::burst::Profile>(
        output::readProfile(mode.substr(ProfilePrefix.size())));
  return bursts;
}

/// The two ways to count need a program that counts; a recording needs clocks.
void checkCompute(const process::Settings &settings) {
  using process::ComputeMode;
  const bool counts =
      settings.compute == ComputeMode::Counted || settings.compute == ComputeMode::Profile;
  if ((counts || settings.bursts.record) && !process::programCounts())
    throw InputError(counts ? "--compute" : "--record-profile", 0,
                     "the program does not count its instructions; link it with this "
                     "installation's flag, and without GNOMON_COUNT=0");
  if (settings.bursts.record && settings.compute != ComputeMode::Measured)
    throw InputError("--record-profile", 0, "needs --compute=measured");
}

/// Hosts of the default platform: one a rank, and, in a program that starts more, as many again.
uint32_t defaultHosts(const Options &options) {
  constexpr uint32_t LeastMore = 16;
  const uint32_t ranks = rankCount(options);
  if (const uint64_t universe = options.count("universe"))
    return std::max(ranks, static_cast<uint32_t>(std::min(universe, MostRanks)));
  const bool starts = process::anyModuleHas(GNOMON_MODULE_SPAWNS);
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

std::vector<process::JobPart> companions(const Options &options) {
  std::vector<process::JobPart> parts;
  uint64_t ranks = 0;
  for (const std::string &value : options.all("companion"))
    ranks += parts.emplace_back(companion(value, static_cast<int>(parts.size()) + 1)).ranks;
  if (ranks >= rankCount(options))
    throw InputError("--companion", 0, "more ranks than --ranks has");
  return parts;
}

/// The host file or the list of --host; nothing when there is neither.
std::optional<platform::HostFile> hostFile(const Options &options) {
  if (const std::string &file = options.text("hostfile"); !file.empty())
    return platform::readHostFile(file);
  if (const std::vector<std::string> &hosts = options.all("host"); !hosts.empty())
    return platform::parseHostFile(joinLines(hosts), "--host");
  return std::nullopt;
}

void endForBrokenModel(const std::string &why) {
  process::abortWorld(static_cast<int>(ExitCode::BadInput), "gnomon: error: " + why);
}

} // namespace

platform::Platform loadPlatform(const Options &options) {
  const std::string &text = options.text("platform");
  if (!text.empty())
    return platform::load(text);
  const uint32_t hosts = defaultHosts(options);
  if (options.text("host-speed") != "auto")
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

Overrides splitSettings(const Options &options, const platform::Platform &platform) {
  std::vector<models::Setting> commandLine;
  for (const std::string &text : options.all("set"))
    commandLine.push_back(parseSetting(text));

  Overrides overrides;
  for (const std::string &list : options.all("check"))
    overrides.mpi.checks.choose(list);
  overrides.mpi.checks.quiet =
      !options.launched() || (options.flag("quiet") && options.all("check").empty());
  overrides.network =
      models::chooseNetwork(options.text("network"), platform.config(), commandLine);
  for (models::Setting &setting : overrides.network.settings(platform.config(), commandLine)) {
    bool ofSmpi = setting.key.starts_with("smpi/");
    if (setting.key == "gnomon/spawn-time")
      overrides.mpi.spawnSeconds = durationOf(setting);
    else if (setting.key == "smpi/grow-injected-times")
      overrides.mpi.growInjectedTimes = isTrue(setting);
    else if (setting.key == "smpi/barrier-finalization" ||
             setting.key == "smpi/finalization-barrier")
      overrides.mpi.finalizeBarrier = isTrue(setting);
    else if (ofSmpi && isCollective(setting.key.substr(5)))
      overrides.collectives.push_back({setting.key.substr(5), setting.value, setting.file});
    else
      overrides.modelSettings.push_back(std::move(setting));
  }
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
  const std::string &when = options.text("huge-pages");
  if (when != "auto" && when != "yes" && when != "no")
    throw InputError("--huge-pages", 0, "'" + when + "' is none of auto, yes, no");
  using process::HugePageUse;
  process::useHugePages(when == "auto"  ? HugePageUse::Auto
                        : when == "yes" ? HugePageUse::Always
                                        : HugePageUse::Never);
}

kernel::StackOptions stackOptions(const Options &options) {
  constexpr size_t mostBytes = size_t{8} << 20, leastBytes = size_t{16} << 10;
  // Stacks that are all deep cannot be kept in memory anyway, and stacks that lie far apart cost
  // page tables and misses of the translation buffer at every switch: 16,384 ranks ran 1.3 times as
  // fast with 1 MiB.
  constexpr size_t autoTotalBytes = size_t{16} << 30, autoLeastBytes = size_t{256} << 10;

  kernel::StackOptions stacks;
  if (options.text("stack-size") == "auto")
    stacks.bytes = std::clamp(autoTotalBytes / rankCount(options), autoLeastBytes, mostBytes);
  else
    stacks.bytes = options.bytes("stack-size");
  if (stacks.bytes < leastBytes)
    throw InputError("--stack-size", 0, "a rank needs at least 16KiB of stack");
  // What user space can address, with room for everything else.
  constexpr size_t addressableBytes = size_t{1} << 46;
  if (stacks.bytes > addressableBytes / rankCount(options))
    throw InputError("--stack-size", 0,
                     options.text("stack-size") + " for each of " + options.text("ranks") +
                         " ranks is more than this machine can address");
  return stacks;
}

process::Settings processSettings(const Options &options, const models::Parameters &parameters,
                                  const platform::Platform &platform,
                                  platform::Placement placement) {
  process::Settings settings;
  settings.launched = options.launched();
  settings.hosts = std::move(placement.hostOfRank);
  settings.slots = slotsOf(options, platform);
  settings.companions = companions(options);
  settings.compute = computeMode(options, parameters);
  settings.flopsPerInstruction = flopsPerInstruction(options, platform);
  settings.bursts = burstSettings(options);
  checkCompute(settings);
  settings.hostSpeedFlops = hostSpeed(options, parameters, platform);
  if (settings.bursts.profile)
    settings.hostSpeedFlops = settings.bursts.profile->hostSpeedFlops;
  settings.cpuThresholdSeconds = parameters.cpuThresholdSeconds;
  settings.wtimeSeconds = parameters.wtimeSeconds;
  settings.timeoutSeconds = options.seconds("timeout");
  settings.stallSeconds = options.seconds("stall-timeout");
  return settings;
}

io::Settings ioSettings(const Options &options, const platform::Platform &platform) {
  constexpr std::string_view kept = "scratch:";
  io::Settings settings;
  const std::string &where = options.text("io");
  settings.scratch = where == "scratch" || where.starts_with(kept);
  if (!settings.scratch && where != "real")
    throw InputError("--io", 0, "'" + where + "' is no place; real, scratch and scratch:DIR are");
  if (where.starts_with(kept)) {
    std::error_code failed;
    settings.scratchDirectory = std::filesystem::absolute(where.substr(kept.size()), failed);
    std::filesystem::create_directories(settings.scratchDirectory, failed);
    if (failed || where.size() == kept.size())
      throw InputError("--io", 0, "no directory '" + where.substr(kept.size()) + "' can be made");
  }
  std::istringstream names(joinLines(options.all("io-servers")));
  for (std::string name; std::getline(names, name);) {
    std::optional<platform::HostIndex> host = platform.findHost(name);
    if (!host)
      throw InputError("--io-servers", 0, "the platform has no host '" + name + "'");
    settings.servers.push_back(*host);
  }
  return settings;
}

int universeSize(const Options &options, const process::Settings &settings) {
  if (const uint64_t asked = options.count("universe"))
    return static_cast<int>(std::min<uint64_t>(asked, INT32_MAX));
  return static_cast<int>(std::max(settings.slots.size(), settings.hosts.size()));
}

void chooseCollectives(const Options &options, const Overrides &overrides) {
  coll::select(options.text("coll-selector"));
  coll::setPlaceFinder(
      [](const mpi::Comm &comm, int rank) {
        return static_cast<uint64_t>(process::world().ranks[comm.process(rank)]->host);
      },
      [](const mpi::Comm &comm) { return uint64_t{comm.id()}; });
  for (const Overrides::Collective &choice : overrides.collectives)
    coll::force(choice.name, choice.algorithm, choice.origin);
  for (const std::string &choice : options.all("coll"))
    coll::force(choice);
}

std::unique_ptr<models::CurveFile> readCurves(const Options &options) {
  const std::string &path = options.text("coll-model");
  if (path.empty())
    return nullptr;
  auto curves = std::make_unique<models::CurveFile>(models::CurveFile::read(path));
  std::vector<std::string> names;
  for (const coll::Known &known : coll::knownAlgorithms())
    names.push_back(known.collective);
  for (const models::CurveFile::Curve &curve : curves->curves())
    if (!isCollective(curve.collective))
      throw InputError(path, curve.line,
                       "unknown collective '" + curve.collective + "'" +
                           didYouMean(curve.collective,
                                      std::vector<std::string_view>(names.begin(), names.end())));
  return curves;
}

void timeCollectives(models::CurveFile *curves, models::NetworkModel &network) {
  models::CollectiveTimes *times = network.collectives();
  if (curves) {
    curves->setOthers(times);
    times = curves;
  }
  coll::useTimes(times);
}

void printNotes(const Options &options, const platform::Platform &platform,
                const platform::Placement &placement, const models::Parameters &parameters) {
  if (options.flag("quiet"))
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
