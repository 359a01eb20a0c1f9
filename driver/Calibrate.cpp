// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon calibrate`: which of its commands is meant.
#include "CalibrateCommands.h"
#include "Documents.h"
#include "Message.h"
#include "support/Names.h"

namespace gnomon::driver {
namespace {

struct CalibrateCommand {
  std::string_view name;
  int (*function)(const SubcommandLine &);
};

const CalibrateCommand commands[] = {
#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help) {#name, function},
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION
};

const SubcommandOption options[] = {
#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)                                \
  {name, commands, std::string_view(metavariable).empty()},
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION
};

} // namespace

int calibrate(const Arguments &arguments) {
  std::vector<std::string_view> names;
  for (const CalibrateCommand &command : commands)
    names.push_back(command.name);
  if (arguments.empty())
    fail("calibrate: a command is missing: {}", fmt::join(names, ", "));
  const std::string &word = arguments[0];
  if (word == "--help" || word == "-h")
    return printCalibrateHelp();
  for (const CalibrateCommand &command : commands) {
    if (command.name != word)
      continue;
    const SubcommandLine line("calibrate", word, options,
                              Arguments(arguments.begin() + 1, arguments.end()));
    return line.has("--help") ? printCalibrateHelp() : command.function(line);
  }
  fail("calibrate: there is no command '{}'{}", word, didYouMean(word, names));
}

} // namespace gnomon::driver
