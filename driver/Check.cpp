// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon check`: the command line of the room check/.
#include "check/Check.h"

#include "Documents.h"
#include "Library.h"
#include "Message.h"
#include "Subcommands.h"
#include "TextFile.h"
#include "support/Names.h"

#include <cstdio>

namespace gnomon::driver {
namespace {

struct CheckCommandLine {
  std::vector<std::string> files;
  std::string svg, hostFile;
  bool json = false, warningsAreErrors = false, help = false;
};

std::vector<std::string_view> checkOptions() {
  return {
#define GNOMON_CHECK_OPTION(name, metavariable, help) name,
#include "CheckOptions.def"
#undef GNOMON_CHECK_OPTION
  };
}

/// The value of \p option at arguments[at] ("--name=value", or the argument after it).
std::string valueOf(const std::string &option, const Arguments &arguments, size_t &at) {
  const size_t equals = arguments[at].find('=');
  if (equals == std::string::npos && at + 1 == arguments.size())
    fail("'{}' needs a value", option);
  const std::string value =
      equals == std::string::npos ? arguments[++at] : arguments[at].substr(equals + 1);
  if (value.empty())
    fail("'{}': the value is empty", option);
  return value;
}

CheckCommandLine parse(const Arguments &arguments) {
  CheckCommandLine line;
  bool optionsEnded = false;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string &argument = arguments[at];
    const std::string name = argument.substr(0, argument.find('='));
    if (optionsEnded || argument.size() < 2 || argument[0] != '-')
      line.files.push_back(argument);
    else if (argument == "--")
      optionsEnded = true;
    else if (name == "--svg")
      line.svg = valueOf(name, arguments, at);
    else if (name == "--hostfile")
      line.hostFile = valueOf(name, arguments, at);
    else if (argument == "--json")
      line.json = true;
    else if (argument == "--werror")
      line.warningsAreErrors = true;
    else if (argument == "--help" || argument == "-h")
      line.help = true;
    else
      fail("check: unknown option '{}'{}", argument, didYouMean(name, checkOptions()));
  }
  if (line.help)
    return line;
  if (line.files.empty())
    fail("check: no platform; see 'gnomon check --help'");
  if (!line.svg.empty() && line.files.size() > 1)
    fail("check: --svg draws one platform, and {} are given", line.files.size());
  return line;
}

} // namespace

int check(const Arguments &arguments) {
  const CheckCommandLine line = parse(arguments);
  if (line.help)
    return printCheckHelp();
  std::vector<check::Checked> checked;
  int code = 0;
  for (const std::string &file : line.files) {
    check::Outcome outcome =
        check::checkPlatform(file, {line.hostFile, !line.svg.empty()}, LibraryAlgorithms());
    code = std::max(code, check::exitCode(outcome.checked.findings, line.warningsAreErrors));
    if (!line.json)
      std::fputs(check::renderText(outcome.checked).c_str(), stdout);
    if (!outcome.svg.empty() && !writeText(line.svg, outcome.svg))
      return static_cast<int>(ExitCode::NoOutput);
    checked.push_back(std::move(outcome.checked));
  }
  if (line.json)
    std::fputs(check::renderJson(checked).c_str(), stdout);
  return code;
}

} // namespace gnomon::driver
