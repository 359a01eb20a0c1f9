// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon replay`: a simulation whose ranks play a trace. It takes the options of `gnomon run` but
/// those about a program, and becomes a program that libgnomon comes with.
#include "Documents.h"
#include "Execute.h"
#include "Launch.h"
#include "Message.h"
#include "RunCommandLine.h"
#include "Subcommands.h"
#include "support/TemporaryFolder.h"
#include "trace/TraceFile.h"
#include "traces/Formats.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>

namespace gnomon::driver {
namespace {

/// Options that ask something of a program.
constexpr std::array NotForTraces{
    RunOption::bursts,
    RunOption::commTrace,
    RunOption::decisions,
    RunOption::decisionsCheck,
    RunOption::decisionsFromRank,
    RunOption::fold,
    RunOption::hostDrift,
    RunOption::hugePages,
    RunOption::io,
    RunOption::mergePages,
    RunOption::pages,
    RunOption::recordDecisions,
    RunOption::recordProfile,
    RunOption::sample,
    RunOption::shadow,
    RunOption::speed,
    RunOption::trace,
};

void checkOptions(const RunCommandLine &line) {
  for (RunOption option : NotForTraces)
    if (line.has(option))
      fail("'--{}' is for programs: a trace has only what its run computed and communicated",
           rowOf(option).name);
  for (const auto &[option, value] : line.values)
    if (option == RunOption::compute && value != "counted" && value != "none" &&
        !value.starts_with("profile="))
      fail("'--compute {}': a trace's computations are counted, cost what a profile says "
           "(profile=FILE), or nothing (none)",
           value);
  if (!line.companions.empty() || line.program.size() > 1)
    fail("expected one trace, found '{}' behind it",
         line.program.size() > 1 ? line.program[1] : ":");
}

/// The number of ranks at the start, which the trace has and the user may repeat.
uint32_t ranksOf(const RunCommandLine &line, const std::string &name, const std::string &path) {
  const uint32_t ranks = trace::TraceFile(path).firstRanks();
  for (const auto &[option, value] : line.values)
    if (option == RunOption::ranks && value != std::to_string(ranks))
      fail("'-n {}': the trace '{}' has {} ranks", value, name, ranks);
  return ranks;
}

/// A trace of another format as a file of ours without a name, which lives as long as this process,
/// whatever it becomes.
std::string converted(const std::string &path) {
  trace::Conversion conversion;
  const TemporaryFolder folder;
  const std::string file = folder.file("trace.gtr");
  const std::string wrong =
      traces::convert({path, std::nullopt, ""}, {file, traces::Format::Gnomon}, conversion);
  const int descriptor = wrong.empty() ? open(file.c_str(), O_RDONLY) : -1; // lives through exec
  if (descriptor < 0)
    fail("cannot convert '{}': {}", path, wrong.empty() ? std::strerror(errno) : wrong);
  for (const auto &[what, times] : conversion.losses.times())
    note("{}: {} ({} times)", path, what, times);
  return "/proc/self/fd/" + std::to_string(descriptor);
}

} // namespace

int replay(const Arguments &arguments) {
  RunCommandLine line = parseRunCommandLine(arguments, Launcher::Replay);
  if (line.version)
    return printVersion();
  if (line.help || line.helpAll)
    return printReplayHelp(line.helpAll);
  if (line.networks)
    return printNetworks();
  if (line.collectives)
    return printCollectives(line.program.empty() ? "" : line.program.front());
  checkOptions(line);
  std::error_code error;
  const std::string &name = line.program.front();
  const std::string path = traces::formatOf(name) == traces::Format::Gnomon
                               ? std::filesystem::absolute(name, error).string()
                               : converted(name);
  const uint32_t ranks = ranksOf(line, name, path);
  std::erase_if(line.values, [](const auto &pair) { return pair.first == RunOption::ranks; });
  line.values.emplace_back(RunOption::ranks, std::to_string(ranks));
  const std::filesystem::path player =
      Installation::ofThisProgram().helperDirectory() / "gnomon-replay";
  return start(line, [&] { return player.string(); }, {name, path});
}

} // namespace gnomon::driver
