// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What computation costs, and with it everything about ranks but the program's arguments.
#include "launch/RankOptions.h"
#include "launch/Setup.h"
#include "output/DecisionFile.h"
#include "output/ProfileFile.h"
#include "process/burst/Settings.h"
#include "process/image/Modules.h"
#include "process/libc/Allocation.h"
#include "process/ranks/World.h"
#include "replay/Replay.h"
#include "support/Error.h"
#include "support/FileHash.h"
#include "support/Number.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string_view>

namespace gnomon::launch {
namespace {

constexpr std::string_view ProfilePrefix = "profile=";

} // namespace

process::ComputeMode computeMode(const Options &options, const models::Parameters &parameters) {
  const std::string &mode = options.compute;
  if (mode == "none")
    return process::ComputeMode::None;
  // What a trace gives is not measured again.
  if (!options.replayed.empty() && (mode == "measured" || mode == "counted"))
    return process::ComputeMode::Counted;
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

namespace {

/// 0: measured when first needed.
double hostSpeed(const Options &options, const models::Parameters &parameters,
                 const platform::Platform &platform) {
  if (options.hostSpeed != "auto")
    return positiveSpeed(options);
  // The default platform's cores are as fast as this machine's: what is computed counts one to one,
  // and there is nothing to measure.
  if (options.platform.empty())
    return platform.hosts()[0].speedFlops;
  return parameters.hostSpeedFlops.value_or(0);
}

/// Of the machine on which the trace was recorded.
double flopsPerRecordedSecond(const Options &options, const replay::Replay &replay) {
  if (options.hostSpeed != "auto")
    return positiveSpeed(options);
  const double secondsPerFlop = replay.trace().facts().secondsPerFlop;
  if (!(secondsPerFlop > 0))
    throw InputError("--volumes", 0,
                     "the trace does not say how fast the machine was that its seconds were "
                     "measured on; say it by --host-speed");
  return 1 / secondsPerFlop;
}

/// What an instruction is played as: the first host then executes as many a second as the option
/// says. By default one flop, so that nothing of this machine is in the prediction.
double flopsPerInstruction(const Options &options, const platform::Platform &platform) {
  if (const replay::Replay *replay = replay::Replay::running();
      replay && replay->volumes() == replay::Volumes::Seconds)
    return flopsPerRecordedSecond(options, *replay);
  if (options.instructionRate == "auto")
    return 1;
  double perSecond =
      readQuantity("--instruction-rate", options.instructionRate, Unit::FlopsPerSecond);
  if (perSecond <= 0)
    throw InputError("--instruction-rate", 0, "must be more than 0, or auto");
  return platform.hosts()[0].speedFlops / perSecond;
}

/// A share of 1.
double hostDrift(const Options &options) {
  std::string_view percent = options.hostDrift;
  if (percent.ends_with('%'))
    percent.remove_suffix(1);
  double value = -1;
  try {
    value = parseNumber(percent);
  } catch (const NumberError &) {
    // told below
  }
  if (!(value >= 0 && value <= 100))
    throw InputError("--host-drift", 0,
                     "'" + options.hostDrift + "' is no percentage from 0 to 100, such as 3%");
  return value / 100;
}

uint32_t readRank(const char *option, const std::string &text) {
  try {
    if (const uint64_t rank = parseInteger(text); rank < UINT32_MAX)
      return static_cast<uint32_t>(rank);
  } catch (const NumberError &) {
    // told below
  }
  throw InputError(option, 0,
                   "'" + text + "' is neither a rank, a whole number from 0 on, nor 'execute'");
}

process::burst::DecisionWishes decisionWishes(const Options &options) {
  process::burst::DecisionWishes wishes;
  wishes.record = !options.recordDecisions.empty();
  const std::string &check = options.decisionsCheck;
  if (check != "strict" && check != "warn" && check != "trust")
    throw InputError("--decisions-check", 0, "'" + check + "' is none of strict, warn, trust");
  wishes.goOn = check == "warn";
  wishes.trusts = check == "trust";
  if (!options.decisions.empty())
    wishes.given =
        std::make_shared<process::burst::DecisionLog>(output::readDecisions(options.decisions));
  if (const std::string &rank = options.decisionsFromRank; rank == "execute")
    wishes.execute = true;
  else if (!rank.empty())
    wishes.fromRank = readRank("--decisions-from-rank", rank);
  if (wishes.record && wishes.given)
    throw InputError("--record-decisions", 0,
                     "a run that is given decisions (--decisions) records none");
  if (const Options::Learned &learned = options.learned; !learned.path.empty())
    wishes.learning = {learned.path, learned.date, learned.why};
  const bool skips =
      !options.shadow.empty() || (!options.sample.empty() && options.sample != "off");
  if (wishes.record && skips && !wishes.learning)
    throw InputError("--record-decisions", 0,
                     "needs a run that executes everything: without --shadow and --sample");
  return wishes;
}

/// Nothing: no memory is folded.
std::optional<process::fold::Settings> folding(const Options &options) {
  constexpr size_t Least = 4096, LeastMapped = size_t{64} << 10;
  if (options.fold == "off")
    return std::nullopt;
  if (options.fold == "auto")
    return process::fold::Settings{.leastBytes = Least, .leastMappedBytes = LeastMapped};
  if (options.fold == "poison")
    return process::fold::Settings{.leastBytes = 1, .poisons = true};
  const double bytes = readQuantity("--fold", options.fold, Unit::Bytes);
  if (bytes < static_cast<double>(Least))
    throw InputError(
        "--fold", 0,
        "blocks below 4096 bytes, a page, cannot be shared; say a larger size, auto or off");
  return process::fold::Settings{.leastBytes = static_cast<size_t>(bytes)};
}

process::burst::Settings burstSettings(const Options &options) {
  process::burst::Settings bursts;
  std::string sample = options.sample;
  if (sample.empty())
    sample = options.shadow.empty() ? "off" : "auto";
  if (!options.recordDecisions.empty())
    sample = "off";
  try {
    bursts.sample = process::burst::SamplePolicy::parse(sample);
  } catch (const NumberError &error) {
    throw InputError("--sample", 0, error.what());
  }
  bursts.traced = !options.trace.empty();
  bursts.reported = !options.quiet || !options.json.empty() || !options.bursts.empty();
  bursts.lookedAt = steadySpeed(options);
  bursts.hostDrift = hostDrift(options);
  bursts.folding = folding(options);
  bursts.record = !options.recordProfile.empty();
  if (const std::string &mode = options.compute; mode.starts_with(ProfilePrefix))
    bursts.profile = std::make_shared<process::burst::Profile>(
        output::readProfile(mode.substr(ProfilePrefix.size())));
  return bursts;
}

/// What the trace's bursts cost, by a profile.
void rateReplay(replay::Replay &replay, const process::burst::Profile &profile, bool quiet) {
  if (replay.volumes() != replay::Volumes::Instructions)
    throw InputError("--compute", 0,
                     "a profile gives seconds to instructions; without --volumes=seconds");
  std::vector<process::burst::ProfileRate> rates;
  size_t missing = 0;
  for (const std::string &text : replay.trace().texts()) {
    const std::optional<process::burst::ProfileRate> rate = process::burst::rateOf(profile, text);
    // Other texts of a trace are names of operations.
    missing += !rate && text.find(" #") != std::string::npos;
    rates.push_back(rate.value_or(process::burst::ProfileRate{profile.meanSecondsPerInstruction}));
  }
  replay.rate(std::move(rates));
  if (missing > 0 && !quiet)
    process::printError(fmt::format(
        "gnomon: note: {} of the trace's bursts are not in the profile {}, and cost what all of it "
        "cost on average\n",
        missing, profile.path));
}

/// The two ways to count need a program that counts; a recording needs clocks.
void checkCompute(const process::Settings &settings, const process::burst::Settings &bursts) {
  using process::ComputeMode;
  const bool counts =
      settings.compute == ComputeMode::Counted || settings.compute == ComputeMode::Profile;
  if ((counts || bursts.record) && !process::programCounts() && !replay::Replay::running())
    throw InputError(counts ? "--compute" : "--record-profile", 0,
                     "the program does not count its instructions; link it with this "
                     "installation's flag, and without GNOMON_COUNT=0");
  if (bursts.record && settings.compute != ComputeMode::Measured)
    throw InputError("--record-profile", 0, "needs --compute=measured");
}

} // namespace

/// \p value of \p option, in a run that the user started.
static bool isSteady(const Options &options, const char *option, const std::string &value) {
  if (value != "steady" && value != "measured")
    throw InputError(option, 0, "'" + value + "' is none of steady, measured");
  return options.launched && value == "steady";
}

bool steadyPages(const Options &options) { return isSteady(options, "--pages", options.pages); }

bool steadySpeed(const Options &options) { return isSteady(options, "--speed", options.speed); }

bool steadyEqualWork(const Options &options) {
  const std::string &value = options.equalWork;
  if (value != "steady" && value != "run" && value != "measured")
    throw InputError("--equal-work", 0, "'" + value + "' is none of steady, run, measured");
  return options.launched && value != "measured";
}

std::optional<EarlierRuns> earlierRuns(const Options &options, const models::Parameters &parameters,
                                       const Arguments &arguments, size_t ranks) {
  if (!steadyEqualWork(options) || options.equalWork == "run" || !options.replayed.empty() ||
      computeMode(options, parameters) != process::ComputeMode::Measured)
    return std::nullopt;
  return EarlierRuns(process::burst::originOf(arguments.count, arguments.values,
                                              companions(options), static_cast<uint32_t>(ranks)),
                     burstSettings(options).sample.skips(),
                     fmt::format("pages {}, speed {}", options.pages, options.speed));
}

uint64_t programNumber(const Options &options, const Arguments &arguments) {
  return hashOf(
      process::burst::originOf(arguments.count, arguments.values, companions(options), 1).build);
}

double positiveSpeed(const Options &options) {
  double flopsPerSecond = readQuantity("--host-speed", options.hostSpeed, Unit::FlopsPerSecond);
  if (flopsPerSecond <= 0)
    throw InputError("--host-speed", 0, "must be more than 0, or auto");
  return flopsPerSecond;
}

process::Settings processSettings(const Options &options, const models::Parameters &parameters,
                                  const platform::Platform &platform, platform::Placement placement,
                                  const Arguments &arguments,
                                  std::vector<process::burst::EarlierRate> earlier) {
  process::Settings settings;
  settings.launched = options.launched;
  settings.hosts = std::move(placement.hostOfRank);
  settings.slots = slotsOf(options, platform);
  settings.companions = companions(options);
  settings.compute = computeMode(options, parameters);
  settings.flopsPerInstruction = flopsPerInstruction(options, platform);
  process::burst::Settings bursts = burstSettings(options);
  bursts.earlier = std::move(earlier);
  checkCompute(settings, bursts);
  process::expectUse(options.pages == "steady" && !bursts.sample.skips() && !options.mergePages);
  settings.argc = arguments.count;
  settings.argv = arguments.values;
  settings.envp = arguments.environment;
  bursts.decisions = process::burst::makeDecisions(decisionWishes(options), settings);
  if (bursts.decisions)
    settings.inputs = bursts.decisions->inputs();
  settings.hostSpeedFlops = hostSpeed(options, parameters, platform);
  if (bursts.profile)
    settings.hostSpeedFlops = bursts.profile->hostSpeedFlops;
  if (replay::Replay *replay = replay::Replay::running(); replay && bursts.profile)
    rateReplay(*replay, *bursts.profile, options.quiet);
  settings.skipping = process::burst::skipping(bursts);
  settings.cpuThresholdSeconds = parameters.cpuThresholdSeconds;
  settings.wtimeSeconds = parameters.wtimeSeconds;
  settings.timeoutSeconds = options.timeout;
  settings.stallSeconds = options.stallTimeout;
  settings.quiet = options.quiet;
  return settings;
}

} // namespace gnomon::launch
