// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A walk over the arguments: each that starts with '-' is looked up in one list of spellings made
/// from the two tables; the first that does not is PROGRAM, and the rest is the program's own.
#include "RunCommandLine.h"

#include "Message.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>
#include <cstdlib>

namespace gnomon::driver {
namespace {

using Kind = RunOptionRow::Kind;
using Form = RunOptionRow::Form;

enum class Action {
  None,
  Export,
  Environment,
  Directory,
  SimGridConfig,
  ListCollectives,
  DryRun,
  Verbose,
  Help,
  HelpAll,
  Version
};
enum class Meaning { Option, Action, Ignored, Refused };

struct Spelling {
  std::string text;
  Meaning meaning;
  int values;
  const RunOptionRow *option = nullptr; // Meaning::Option
  Action action = Action::None;         // Meaning::Action
  const char *why = "";                 // Meaning::Refused
};

std::vector<Spelling> makeSpellings() {
  std::vector<Spelling> list;
  auto addOption = [&](const std::string &text, const RunOptionRow &row) {
    list.push_back(
        {.text = text, .meaning = Meaning::Option, .values = row.values(), .option = &row});
  };
  auto addAction = [&](const char *text, int values, Action action) {
    list.push_back({.text = text, .meaning = Meaning::Action, .values = values, .action = action});
  };
  for (const RunOptionRow &row : RunOptions)
    addOption(std::string("--") + row.name, row);
#define GNOMON_ALIAS(spelling, id) addOption(spelling, rowOf(RunOption::id));
#define GNOMON_ACTION(action, spelling, longName, values, help, metavariable)                      \
  addAction(spelling, values, Action::action);                                                     \
  addAction(longName, values, Action::action);
#define GNOMON_IGNORED(spelling, takes)                                                            \
  list.push_back({.text = spelling, .meaning = Meaning::Ignored, .values = takes});
#define GNOMON_REFUSED(spelling, reason)                                                           \
  list.push_back({.text = spelling, .meaning = Meaning::Refused, .values = 0, .why = reason});
#include "LauncherOptions.def"
#undef GNOMON_ALIAS
#undef GNOMON_ACTION
#undef GNOMON_IGNORED
#undef GNOMON_REFUSED
  std::erase_if(list, [](const Spelling &spelling) { return spelling.text.empty(); });
  return list;
}

const std::vector<Spelling> &spellings() {
  static const std::vector<Spelling> list = makeSpellings();
  return list;
}

const Spelling &spellingOf(const std::string &text) {
  for (const Spelling &spelling : spellings())
    if (spelling.text == text)
      return spelling;
  std::vector<std::string_view> known;
  for (const Spelling &spelling : spellings())
    known.push_back(spelling.text);
  fail("unknown option '{}'{}", text, didYouMean(text, known));
}

// Says what was expected, rather than what is wrong with the text.
template <typename Parse> bool parses(Parse parse, const std::string &value) {
  try {
    return parse(value);
  } catch (const NumberError &) {
    return false;
  }
}

void checkKind(const std::string &spelling, const RunOptionRow &option, const std::string &value) {
  if (value.find('\n') != std::string::npos)
    fail("'{}': a value cannot contain a line break", spelling);
  switch (option.kind) {
  case Kind::Count:
    if (!parses([](const std::string &text) { return parseInteger(text) > 0; }, value))
      fail("'{} {}': expected a whole number, 1 or more", spelling, value);
    return;
  case Kind::Seconds:
    if (!parses(
            [](const std::string &text) { return parseQuantity(text, Unit::Seconds).value >= 0; },
            value))
      fail("'{} {}': expected a number of seconds, 0 or more", spelling, value);
    return;
  case Kind::Text:
  case Kind::Texts:
  case Kind::Path:
    if (value.empty())
      fail("'{}': the value is empty", spelling);
    return;
  case Kind::Mode:
    if (value != "1" && value != option.metavariable)
      fail("'{0}={1}': expected {0} or {0}={2}", spelling, value, option.metavariable);
    return;
  case Kind::Flag:
    return;
  }
}

// --set smpi/os=…, --coll allreduce:rdb: the half before the separator must be there.
void checkPair(const std::string &spelling, const std::string &value, char separator,
               const char *shape) {
  const size_t at = value.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == value.size())
    fail("'{} {}': expected {}", spelling, value, shape);
}

void checkForm(const std::string &spelling, const RunOptionRow &option, const std::string &value) {
  if (option.form == Form::Setting)
    checkPair(spelling, value, '=', "KEY=VALUE");
  if (option.form == Form::Choice)
    checkPair(spelling, value, ':', "NAME:ALGORITHM");
}

void store(RunCommandLine &result, const std::string &spelling, const RunOptionRow &option,
           const std::string &value) {
  checkKind(spelling, option, value);
  checkForm(spelling, option, value);
  if (option.form == Form::NameOrList && (value == "list" || value == "help"))
    result.networks = true;
  if (option.kind != Kind::Texts)
    std::erase_if(result.values, [&](const auto &pair) { return pair.first == option.option; });
  result.values.emplace_back(option.option, value);
}

void exportVariable(RunCommandLine &result, const std::string &value) {
  const size_t equals = value.find('=');
  if (value.empty() || equals == 0)
    fail("'-x {}': expected VAR or VAR=VALUE", value);
  if (equals != std::string::npos)
    result.environment.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  else if (!std::getenv(value.c_str()))
    fail("'-x {}': the environment has no such variable", value);
}

void act(RunCommandLine &result, Action action, const std::string &spelling,
         const std::vector<std::string> &values) {
  switch (action) {
  case Action::Export:
    return exportVariable(result, values[0]);
  case Action::Environment:
    if (values[0].empty() || values[0].find('=') != std::string::npos)
      fail("'{} {}': expected the name of a variable", spelling, values[0]);
    result.environment.emplace_back(values[0], values[1]);
    return;
  case Action::Directory:
    result.directory = values[0];
    return;
  case Action::SimGridConfig: {
    checkPair(spelling, values[0], ':', "KEY:VALUE");
    std::string pair = values[0];
    pair[pair.find(':')] = '=';
    return store(result, spelling, rowOf(RunOption::set), pair);
  }
  case Action::ListCollectives:
    result.collectives = true;
    return;
  case Action::DryRun:
    result.dryRun = true;
    return;
  case Action::Verbose:
    result.verbose = true;
    return;
  case Action::Help:
    result.help = true;
    return;
  case Action::HelpAll:
    result.helpAll = true;
    return;
  case Action::Version:
    result.version = true;
    return;
  case Action::None:
    return;
  }
}

bool takesWord(const Spelling &spelling) {
  return spelling.option && spelling.option->kind == Kind::Mode;
}

// The values of the option at arguments[at] ("--name=value" or the arguments after it); moves `at`
// past them.
std::vector<std::string> takeValues(const std::vector<std::string> &arguments, size_t &at,
                                    const Spelling &spelling, size_t equals) {
  std::vector<std::string> values;
  if (equals != std::string::npos) {
    if (spelling.values == 0 && !takesWord(spelling))
      fail("'{}' takes no value", spelling.text);
    values.push_back(arguments[at].substr(equals + 1));
  }
  ++at;
  while (values.size() < static_cast<size_t>(spelling.values)) {
    if (at == arguments.size())
      fail("'{}' needs {}", spelling.text, spelling.values == 1 ? "a value" : "two values");
    values.push_back(arguments[at++]);
  }
  return values;
}

void takeOption(RunCommandLine &result, const std::vector<std::string> &arguments, size_t &at) {
  const std::string &argument = arguments[at];
  const bool isLong = argument.compare(0, 2, "--") == 0;
  const size_t equals = isLong ? argument.find('=') : std::string::npos;
  const Spelling &spelling = spellingOf(argument.substr(0, equals));
  if (spelling.meaning == Meaning::Refused)
    fail("'{}' ({}) is not available in this version", spelling.text, spelling.why);
  const std::vector<std::string> values = takeValues(arguments, at, spelling, equals);
  if (spelling.meaning == Meaning::Option)
    store(result, spelling.text, *spelling.option, values.empty() ? "1" : values[0]);
  else if (spelling.meaning == Meaning::Action)
    act(result, spelling.action, spelling.text, values);
  else
    result.ignored.push_back(spelling.text);
}

void takeOptions(RunCommandLine &result, const std::vector<std::string> &arguments, size_t &at) {
  while (at < arguments.size() && arguments[at].size() > 1 && arguments[at][0] == '-') {
    if (arguments[at] == "--") {
      ++at;
      return;
    }
    takeOption(result, arguments, at);
  }
}

// PROGRAM and its arguments, up to a ":"; moves `at` past it.
std::vector<std::string> takeProgram(const std::vector<std::string> &arguments, size_t &at) {
  std::vector<std::string> program;
  while (at < arguments.size() && arguments[at] != ":")
    program.push_back(arguments[at++]);
  return program;
}

// ": -n RANKS PROGRAM arguments".
void takeCompanion(RunCommandLine &result, const std::vector<std::string> &arguments, size_t &at) {
  ++at;
  RunCommandLine own;
  takeOptions(own, arguments, at);
  std::string ranks = "1";
  for (const auto &[option, value] : own.values) {
    if (option != RunOption::ranks)
      fail("'--{}' after ':' would be for one program only, which is not available; name it before "
           "the first program, for all of them",
           rowOf(option).name);
    ranks = value;
  }
  if (!own.environment.empty() || !own.directory.empty() || own.dryRun || own.verbose)
    fail(
        "after ':' only the number of ranks (-n) can be given; name other options before the first "
        "program, for all of them");
  result.ignored.insert(result.ignored.end(), own.ignored.begin(), own.ignored.end());
  result.companions.push_back({ranks, takeProgram(arguments, at)});
  if (result.companions.back().program.empty())
    fail("no program after ':'");
}

} // namespace

bool RunCommandLine::has(RunOption option) const {
  return std::any_of(values.begin(), values.end(),
                     [&](const auto &pair) { return pair.first == option; });
}

RunCommandLine parseRunCommandLine(const std::vector<std::string> &arguments, Launcher launcher) {
  RunCommandLine result;
  size_t at = 0;
  takeOptions(result, arguments, at);
  result.program = takeProgram(arguments, at);
  if (result.help || result.helpAll || result.version || result.networks || result.collectives)
    return result;
  if (result.program.empty())
    launcher == Launcher::Replay ? fail("no trace to replay; see 'gnomon replay --help'")
                                 : fail("no program to run; see 'gnomon run --help'");
  while (at < arguments.size())
    takeCompanion(result, arguments, at);
  if (launcher == Launcher::Mpiexec && !result.verbose && !result.has(RunOption::quiet))
    result.values.emplace_back(RunOption::quiet, "1");
  // MPICH's and Open MPI's mpiexec know this variable.
  const char *timeout = std::getenv("MPIEXEC_TIMEOUT");
  if (launcher == Launcher::Mpiexec && timeout && !result.has(RunOption::timeout))
    store(result, "MPIEXEC_TIMEOUT", rowOf(RunOption::timeout), timeout);
  return result;
}

size_t endOfRunOption(const std::vector<std::string> &arguments, size_t at) {
  RunCommandLine ignored;
  takeOption(ignored, arguments, at);
  return at;
}

std::vector<std::string> runOptionSpellings() {
  std::vector<std::string> list;
  for (const Spelling &spelling : spellings())
    list.push_back(spelling.text);
  return list;
}

} // namespace gnomon::driver
