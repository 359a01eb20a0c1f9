// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SubcommandLine.h"

#include "Message.h"
#include "support/Names.h"
#include "support/Number.h"

#include <algorithm>

namespace gnomon::driver {
namespace {

bool takes(const SubcommandOption &option, std::string_view command) {
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

SubcommandLine::SubcommandLine(std::string_view subcommand, std::string_view command,
                               std::span<const SubcommandOption> options,
                               const Arguments &arguments)
    : name_(fmt::format("{} {}", subcommand, command)), subcommand_(subcommand) {
  bool optionsEnded = false;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    if (optionsEnded || argument.size() < 2 || argument[0] != '-')
      files_.push_back(argument);
    else if (argument == "--")
      optionsEnded = true;
    else
      take(command, options, arguments, at);
  }
}

void SubcommandLine::take(std::string_view command, std::span<const SubcommandOption> options,
                          const Arguments &arguments, size_t &at) {
  const std::string &argument = arguments[at];
  const size_t equals = std::min(argument.find('='), argument.size());
  const std::string given = argument.substr(0, equals);
  const std::string name = given == "-h" ? "--help" : given == "-o" ? "--output" : given;
  std::vector<std::string_view> known;
  for (const SubcommandOption &option : options) {
    if (!takes(option, command))
      continue;
    known.push_back(option.name);
    if (option.name != name)
      continue;
    if (option.isSwitch && equals < argument.size())
      fail("{}: '{}' takes no value", name_, given);
    if (!option.isSwitch && equals == argument.size() && at + 1 == arguments.size())
      fail("{}: '{}' needs a value", name_, given);
    std::string &value = values_[name];
    value = option.isSwitch            ? ""
            : equals < argument.size() ? argument.substr(equals + 1)
                                       : arguments[++at];
    if (!option.isSwitch && value.empty())
      fail("{}: '{}': the value is empty", name_, given);
    return;
  }
  fail("{}: unknown option '{}'{}", name_, given, didYouMean(given, known));
}

std::string SubcommandLine::value(std::string_view option, std::string_view without) const {
  const auto found = values_.find(std::string(option));
  return found == values_.end() ? std::string(without) : found->second;
}

uint64_t SubcommandLine::count(std::string_view option, uint64_t without, uint64_t least,
                               uint64_t most) const {
  if (!has(option))
    return without;
  const std::string text = value(option);
  try {
    const uint64_t number = parseInteger(text);
    if (number >= least && number <= most)
      return number;
  } catch (const NumberError &) {
    // told below
  }
  fail("{}: '{} {}': expected a whole number from {} to {}", name_, option, text, least, most);
}

const std::vector<std::string> &SubcommandLine::files(size_t count) const {
  if (files_.size() != count)
    fail("{}: {} file{} expected, and {} given; see 'gnomon {} --help'", name_, count,
         count == 1 ? " is" : "s are", files_.size(), subcommand_);
  return files_;
}

} // namespace gnomon::driver
