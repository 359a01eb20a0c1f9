// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CalibrateCommandLine.h"

#include "Message.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>

namespace gnomon::driver {
namespace {

struct CalibrateOption {
  std::string_view name, commands;
  bool isSwitch;
};

const CalibrateOption options[] = {
#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)                                \
  {name, commands, std::string_view(metavariable).empty()},
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION
};

bool takes(const CalibrateOption &option, std::string_view command) {
  std::string_view rest = option.commands;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == command)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

} // namespace

CalibrateCommandLine::CalibrateCommandLine(std::string command, const Arguments &arguments)
    : command_(std::move(command)) {
  bool optionsEnded = false;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (optionsEnded || argument.size() < 2 || argument[0] != '-')
      files_.push_back(argument);
    else if (argument == "--")
      optionsEnded = true;
    else
      take(arguments, at);
  }
}

void CalibrateCommandLine::take(const Arguments &arguments, size_t &at) {
  const std::string &argument = arguments[at];
  const size_t equals = std::min(argument.find('='), argument.size());
  const std::string given = argument.substr(0, equals);
  const std::string name = given == "-h" ? "--help" : given == "-o" ? "--output" : given;
  std::vector<std::string_view> known;
  for (const CalibrateOption &option : options) {
    if (!takes(option, command_))
      continue;
    known.push_back(option.name);
    if (option.name != name)
      continue;
    if (option.isSwitch && equals < argument.size())
      fail("calibrate {}: '{}' takes no value", command_, given);
    if (!option.isSwitch && equals == argument.size() && at + 1 == arguments.size())
      fail("calibrate {}: '{}' needs a value", command_, given);
    std::string &value = values_[name];
    value = option.isSwitch            ? ""
            : equals < argument.size() ? argument.substr(equals + 1)
                                       : arguments[++at];
    if (!option.isSwitch && value.empty())
      fail("calibrate {}: '{}': the value is empty", command_, given);
    return;
  }
  fail("calibrate {}: unknown option '{}'{}", command_, given, didYouMean(given, known));
}

std::string CalibrateCommandLine::value(std::string_view option, std::string_view without) const {
  const auto found = values_.find(std::string(option));
  return found == values_.end() ? std::string(without) : found->second;
}

uint64_t CalibrateCommandLine::count(std::string_view option, uint64_t without, uint64_t least,
                                     uint64_t most) const {
  if (!has(option))
    return without;
  const std::string text = value(option, "");
  try {
    const uint64_t number = parseInteger(text);
    if (number >= least && number <= most)
      return number;
  } catch (const NumberError &) {
    // told below
  }
  fail("calibrate {}: '{} {}': expected a whole number from {} to {}", command_, option, text,
       least, most);
}

} // namespace gnomon::driver
