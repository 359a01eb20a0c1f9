// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon run` and mpiexec: check everything that can be checked from outside, say the rest in
/// GNOMON_RUN, and become the program (same process: ps, gdb and perf see the program, signals
/// reach it).
#include "Documents.h"
#include "Execute.h"
#include "Installation.h"
#include "Launch.h"
#include "Message.h"
#include "Program.h"
#include "RunCommandLine.h"
#include "Subcommands.h"
#include "support/Number.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

namespace gnomon::driver {

/// The file of --mpi NAME: the user's, or one of those that are installed.
static std::string libraryFile(const std::string &name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (name.find('/') != std::string::npos || fs::exists(name, error))
    return fs::absolute(name).string();
  const fs::path folder = Installation::ofThisProgram().prefix() / "share/gnomon/platforms/mpi";
  if (fs::path file = folder / (name + ".xml"); fs::exists(file, error))
    return file.string();
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder, error))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  fail(
      "--mpi={}: there is no such file, and no such MPI library among those that are installed: {}",
      name, fmt::join(names, ", "));
}

// A path is the user's, relative to where the user is; --wdir changes directory before the runtime
// reads it.
static std::string fromHere(RunOption option, const std::string &value) {
  using Place = RunOptionRow::Place;
  const Place place = rowOf(option).place;
  std::error_code error;
  if (const size_t equals = value.find('=');
      place == Place::HereBehindEquals && equals != std::string::npos)
    return value.substr(0, equals + 1) +
           std::filesystem::absolute(value.substr(equals + 1)).string();
  if ((place == Place::Here && value != "-") ||
      (place == Place::HereWithSlash && value.find('/') != std::string::npos) ||
      (place == Place::HereIfThere && std::filesystem::exists(value, error)))
    return std::filesystem::absolute(value).string();
  return value;
}

/// The ranks of all programs together.
static std::string allRanks(const RunCommandLine &line) {
  std::string ranks = "1";
  for (const auto &[option, value] : line.values)
    if (option == RunOption::ranks)
      ranks = value;
  if (line.companions.empty())
    return ranks;
  int64_t sum = parseInteger(ranks);
  for (const RunCommandLine::Companion &companion : line.companions)
    sum += parseInteger(companion.ranks);
  return std::to_string(sum);
}

/// The value of --companion.
static std::string companionText(const RunCommandLine::Companion &companion) {
  const std::string path = findProgram(companion.program.front());
  checkProgram(path);
  std::string text = companion.ranks + '\x1f' + std::filesystem::absolute(path).string();
  for (const std::string &word : companion.program) {
    if (word.find_first_of("\n\x1f") != std::string::npos)
      fail("an argument of '{}' contains a line break, which is not available after ':'",
           companion.program.front());
    text += '\x1f' + word;
  }
  return fmt::format("{}={}\n", rowOf(RunOption::companion).name, text);
}

/// The text of GNOMON_RUN: lines name=value, the number of ranks always among them.
static std::string runVariable(const RunCommandLine &line) {
  const std::string ranks = allRanks(line);
  std::string text;
  auto add = [&](RunOption option, const std::string &value) {
    text += fmt::format("{}={}\n", rowOf(option).name, value);
  };
  if (!line.has(RunOption::ranks))
    add(RunOption::ranks, ranks);
  for (const auto &[option, value] : line.values)
    if (option == RunOption::ranks)
      add(option, ranks);
    else
      add(option, option == RunOption::mpiLibrary ? libraryFile(value)
                  : line.directory.empty()        ? value
                                                  : fromHere(option, value));
  return text;
}

static void printDryRun(const std::string &variable, const std::string &path,
                        const std::vector<std::string> &program) {
  std::printf("GNOMON_RUN:\n%sprogram: %s\n", variable.c_str(), path.c_str());
  for (size_t i = 0; i < program.size(); ++i)
    std::printf("argv[%zu]: %s\n", i, program[i].c_str());
}

static void enterDirectory(const std::string &directory) {
  std::error_code error;
  if (directory.empty())
    return;
  std::filesystem::current_path(directory, error);
  if (error)
    fail("cannot start in '{}': {}", directory, error.message());
}

// All ranks are one process here: together they may open as many files as separate processes would.
static void raiseFileLimit() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int start(const RunCommandLine &line, const std::function<std::string()> &program,
          const std::vector<std::string> &words) {
  std::string variable = runVariable(line);
  enterDirectory(line.directory);
  for (const RunCommandLine::Companion &companion : line.companions)
    variable += companionText(companion);
  const std::string path = program();
  if (line.dryRun) {
    printDryRun(variable, path, words);
    return 0;
  }
  for (const auto &[name, value] : line.environment)
    setenv(name.c_str(), value.c_str(), 1);
  setenv("GNOMON_RUN", variable.c_str(), 1);
  raiseFileLimit();
  become(path, words, "");
}

/// Options that ask something of a trace that is played.
static void checkOptions(const RunCommandLine &line) {
  for (RunOption option : {RunOption::volumes, RunOption::scaleBytes, RunOption::scaleCompute})
    if (line.has(option))
      fail("'--{}' is for gnomon replay: a run computes what the program does", rowOf(option).name);
}

static int launch(const Arguments &arguments, Launcher launcher) {
  const RunCommandLine line = parseRunCommandLine(arguments, launcher);
  if (line.version)
    return printVersion();
  if (line.help || line.helpAll)
    return printRunHelp(line.helpAll);
  if (line.networks)
    return printNetworks();
  if (line.collectives)
    return printCollectives(line.program.empty() ? "" : line.program.front());
  checkOptions(line);

  if (launcher == Launcher::Run || line.verbose)
    for (const std::string &spelling : line.ignored)
      note("'{}' has no effect in a simulation: the platform and the host file place the ranks",
           spelling);
  const auto program = [&] {
    const std::string path = findProgram(line.program.front());
    checkProgram(path);
    return path;
  };
  return start(line, program, line.program);
}

int run(const Arguments &arguments) { return launch(arguments, Launcher::Run); }

int wrapLauncher(const Arguments &arguments) { return launch(arguments, Launcher::Mpiexec); }

} // namespace gnomon::driver
