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

enum class Kind { text, path, count, seconds, flag };
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

struct Option {
  std::string name;
  Kind kind;
  bool many;
};

struct Spelling {
  std::string text;
  Meaning meaning;
  int values;
  std::string option; // Meaning::Option: its name; Refused: why
  Action action = Action::None;
};

const std::vector<Option> &options() {
  static const std::vector<Option> list = {
#define GNOMON_OPTION(name, kind, initial, many, help, metavariable) {#name, Kind::kind, many},
#include "gnomon/Options.def"
#undef GNOMON_OPTION
  };
  return list;
}

const Option &optionNamed(const std::string &name) {
  return *std::find_if(options().begin(), options().end(),
                       [&](const Option &option) { return option.name == name; });
}

int valuesOf(const std::string &option) { return optionNamed(option).kind == Kind::flag ? 0 : 1; }

std::vector<Spelling> makeSpellings() {
  std::vector<Spelling> list;
  for (const Option &option : options())
    list.push_back({"--" + option.name, Meaning::Option, valuesOf(option.name), option.name});
#define GNOMON_ALIAS(spelling, option)                                                             \
  list.push_back({spelling, Meaning::Option, valuesOf(option), option});
#define GNOMON_ACTION(action, spelling, longName, values, help, metavariable)                      \
  list.push_back({spelling, Meaning::Action, values, "", Action::action});                         \
  list.push_back({longName, Meaning::Action, values, "", Action::action});
#define GNOMON_IGNORED(spelling, values) list.push_back({spelling, Meaning::Ignored, values, ""});
#define GNOMON_REFUSED(spelling, why) list.push_back({spelling, Meaning::Refused, 0, why});
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

void checkValue(const std::string &spelling, const Option &option, const std::string &value) {
  if (value.find('\n') != std::string::npos)
    fail("'{}': a value cannot contain a line break", spelling);
  switch (option.kind) {
  case Kind::count:
    if (!parses([](const std::string &text) { return parseInteger(text) > 0; }, value))
      fail("'{} {}': expected a whole number, 1 or more", spelling, value);
    return;
  case Kind::seconds:
    if (!parses(
            [](const std::string &text) { return parseQuantity(text, Unit::Seconds).value >= 0; },
            value))
      fail("'{} {}': expected a number of seconds, 0 or more", spelling, value);
    return;
  case Kind::text:
  case Kind::path:
    if (value.empty())
      fail("'{}': the value is empty", spelling);
    return;
  case Kind::flag:
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

void store(RunCommandLine &result, const std::string &spelling, const Option &option,
           const std::string &value) {
  checkValue(spelling, option, value);
  if (option.name == "set")
    checkPair(spelling, value, '=', "KEY=VALUE");
  if (option.name == "coll")
    checkPair(spelling, value, ':', "NAME:ALGORITHM");
  if (option.name == "network" && (value == "list" || value == "help"))
    result.networks = true;
  if (!option.many)
    std::erase_if(result.values, [&](const auto &pair) { return pair.first == option.name; });
  result.values.emplace_back(option.name, value);
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
    return store(result, spelling, optionNamed("set"), pair);
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

// The values of the option at arguments[at] ("--name=value" or the arguments after it); moves `at`
// past them.
std::vector<std::string> takeValues(const std::vector<std::string> &arguments, size_t &at,
                                    const Spelling &spelling, size_t equals) {
  std::vector<std::string> values;
  if (equals != std::string::npos) {
    if (spelling.values == 0)
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
    fail("'{}' ({}) is not available in this version", spelling.text, spelling.option);
  const std::vector<std::string> values = takeValues(arguments, at, spelling, equals);
  if (spelling.meaning == Meaning::Option)
    store(result, spelling.text, optionNamed(spelling.option), values.empty() ? "1" : values[0]);
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
    if (option != "ranks")
      fail("'--{}' after ':' would be for one program only, which is not available; name it before "
           "the first program, for all of them",
           option);
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

bool RunCommandLine::has(const std::string &option) const {
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
    fail("no program to run; see 'gnomon run --help'");
  while (at < arguments.size())
    takeCompanion(result, arguments, at);
  if (launcher == Launcher::Mpiexec && !result.verbose && !result.has("quiet"))
    result.values.emplace_back("quiet", "1");
  // MPICH's and Open MPI's mpiexec know this variable.
  const char *timeout = std::getenv("MPIEXEC_TIMEOUT");
  if (launcher == Launcher::Mpiexec && timeout && !result.has("timeout"))
    store(result, "MPIEXEC_TIMEOUT", optionNamed("timeout"), timeout);
  return result;
}

std::vector<std::string> runOptionSpellings() {
  std::vector<std::string> list;
  for (const Spelling &spelling : spellings())
    list.push_back(spelling.text);
  return list;
}

} // namespace gnomon::driver
