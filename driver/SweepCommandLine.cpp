// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SweepCommandLine.h"

#include "Message.h"
#include "RunCommandLine.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gnomon::driver {
namespace {

/// Options that name an output of a run: all runs would write the same file.
constexpr std::array Outputs{
    RunOption::bursts, RunOption::collMessages,    RunOption::commTrace,
    RunOption::trace,  RunOption::recordDecisions, RunOption::recordProfile,
};

uint32_t jobsOf(const std::string &text) {
  uint64_t jobs = 0;
  try {
    jobs = parseInteger(text);
  } catch (const NumberError &) {
    // told below
  }
  if (jobs == 0 || jobs > 1000)
    fail("sweep: '--jobs {}': expected a whole number from 1 to 1000", text);
  return static_cast<uint32_t>(jobs);
}

void take(SweepCommandLine &line, const std::string &name, const std::string &value) {
  if (value.empty())
    fail("sweep: '{}': the value is empty", name);
  if (name == "--platforms")
    line.axes.push_back(sweep::platformAxis(value));
  else if (name == "--vary")
    line.axes.push_back(sweep::parseAxis(value));
  else if (name == "--jobs")
    line.jobs = jobsOf(value);
  else
    (name == "--csv" ? line.csv : name == "--json" ? line.json : line.svg) = value;
}

bool isOwn(const std::string &name) {
  constexpr std::array Own{
#define GNOMON_SWEEP_OPTION(name, metavariable, help) std::string_view(name),
#define GNOMON_SWEEP_KEY(key, values, help)
#include "SweepOptions.def"
#undef GNOMON_SWEEP_OPTION
#undef GNOMON_SWEEP_KEY
  };
  return std::ranges::find(Own, name) != Own.end();
}

/// Whether an option of run can be varied.
void checkAxis(const sweep::Axis &axis) {
  if (axis.kind != sweep::Axis::Kind::Option)
    return;
  std::vector<std::string_view> known{"link/bw", "link/lat", "host/speed"};
  const RunOptionRow *found = nullptr;
  for (const RunOptionRow &row : RunOptions) {
    const bool own = row.option == RunOption::json || row.option == RunOption::set ||
                     row.option == RunOption::companion;
    if (own || row.kind == RunOptionRow::Kind::Flag ||
        std::ranges::find(Outputs, row.option) != Outputs.end())
      continue;
    known.emplace_back(row.name);
    if (axis.option == row.name)
      found = &row;
  }
  if (!found)
    fail("sweep: '--vary {0}': nothing of that name can be varied{1}; a parameter of the models is "
         "'set:{0}=…'",
         axis.name, didYouMean(axis.option, known));
}

void checkOptions(SweepCommandLine &line) {
  std::vector<std::string> words = line.options;
  words.emplace_back("--");
  words.insert(words.end(), line.program.begin(), line.program.end());
  const RunCommandLine run = parseRunCommandLine(words, Launcher::Run);
  line.quiet = run.has(RunOption::quiet);
  if (line.resume && line.json.empty())
    fail("sweep: '--resume' goes on with what the file of '--json' has, which is not given");
  for (RunOption option : Outputs)
    if (run.has(option))
      fail("sweep: '--{}' names one file, which all runs would write", rowOf(option).name);
  if (run.dryRun || run.networks || run.collectives || run.version)
    fail("sweep: '--dry-run', '--version' and options that list something are for 'gnomon run'");
  for (const sweep::Axis &axis : line.axes) {
    checkAxis(axis);
    if (axis.kind == sweep::Axis::Kind::Platform && run.has(RunOption::platform))
      fail("sweep: '--platform' and a list of platforms exclude each other");
  }
}

} // namespace

SweepCommandLine parseSweepCommandLine(const std::vector<std::string> &arguments) {
  SweepCommandLine line;
  size_t at = 0;
  while (at < arguments.size() && arguments[at].size() > 1 && arguments[at][0] == '-') {
    const std::string &argument = arguments[at];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (argument == "--") {
      ++at;
      break;
    }
    if (argument == "--help" || argument == "-h" || argument == "--help-all") {
      line.help = true;
      return line;
    }
    if (!isOwn(name)) {
      const size_t end = endOfRunOption(arguments, at);
      while (at < end)
        line.options.push_back(arguments[at++]);
      continue;
    }
    if (argument == "--resume") {
      line.resume = true;
      ++at;
      continue;
    }
    if (equals == std::string::npos && ++at == arguments.size())
      fail("sweep: '{}' needs a value", name);
    take(line, name, equals == std::string::npos ? arguments[at] : argument.substr(equals + 1));
    ++at;
  }
  line.program.assign(arguments.begin() + static_cast<ptrdiff_t>(at), arguments.end());
  if (line.program.empty())
    fail("sweep: no trace or program; see 'gnomon sweep --help'");
  if (line.axes.empty())
    fail("sweep: nothing is varied; name '--platforms a.xml,b.xml' or '--vary KEY=V1,V2'");
  checkOptions(line);
  return line;
}

} // namespace gnomon::driver
