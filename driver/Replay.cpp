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
#include "trace/TraceFile.h"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace gnomon::driver {
namespace {

/// Options that ask something of a program.
constexpr std::array NotForTraces{
    RunOption::bursts,        RunOption::decisions, RunOption::decisionsCheck,
    RunOption::fold,          RunOption::pages,     RunOption::recordDecisions,
    RunOption::recordProfile, RunOption::sample,    RunOption::shadow,
    RunOption::speed,         RunOption::universe,  RunOption::decisionsFromRank,
    RunOption::hugePages,     RunOption::hostDrift,
};

void checkOptions(const RunCommandLine &line) {
  for (RunOption option : NotForTraces)
    if (line.has(option))
      fail("'--{}' is for programs: a trace has only what its run computed and communicated",
           rowOf(option).name);
  for (const auto &[option, value] : line.values)
    if (option == RunOption::compute && value != "counted" && value != "none")
      fail("'--compute {}': a trace's computations are counted, or cost nothing (none)", value);
  if (!line.companions.empty() || line.program.size() > 1)
    fail("expected one trace, found '{}' behind it",
         line.program.size() > 1 ? line.program[1] : ":");
}

/// The number of ranks, which the trace has and the user may repeat.
uint32_t ranksOf(const RunCommandLine &line, const std::string &path) {
  const uint32_t ranks = trace::TraceFile(path).facts().ranks;
  for (const auto &[option, value] : line.values)
    if (option == RunOption::ranks && value != std::to_string(ranks))
      fail("'-n {}': the trace '{}' has {} ranks", value, path, ranks);
  return ranks;
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
  const std::string path = std::filesystem::absolute(line.program.front(), error).string();
  const uint32_t ranks = ranksOf(line, path);
  std::erase_if(line.values, [](const auto &pair) { return pair.first == RunOption::ranks; });
  line.values.emplace_back(RunOption::ranks, std::to_string(ranks));
  const std::filesystem::path player =
      Installation::ofThisProgram().helperDirectory() / "gnomon-replay";
  return start(line, [&] { return player.string(); }, {line.program.front(), path});
}

} // namespace gnomon::driver
