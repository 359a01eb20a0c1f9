// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Finding.h"

#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::check {

const LintInfo &info(Lint lint) {
  static constexpr LintInfo Table[] = {
#define GNOMON_LINT(name, id, severity, help) {id, Severity::severity, help},
#include "check/Lints.def"
#undef GNOMON_LINT
  };
  return Table[static_cast<size_t>(lint)];
}

std::string_view nameOf(Severity severity) {
  constexpr std::string_view Names[] = {"note", "warning", "error"};
  return Names[static_cast<size_t>(severity)];
}

std::string Finding::render() const {
  std::string result = line > 0 ? fmt::format("{}:{}: ", file, line) : file + ": ";
  result += std::string(nameOf(info(lint).severity)) + ": ";
  if (!attribute.empty())
    result += attribute + ": ";
  result += text;
  if (!remedy.empty())
    result += "; " + remedy;
  return result + " [" + std::string(info(lint).id) + "]";
}

int exitCode(const Findings &findings, bool warningsAreErrors) {
  Severity worst = Severity::Note;
  for (const Finding &finding : findings)
    worst = std::max(worst, info(finding.lint).severity);
  if (worst == Severity::Error)
    return static_cast<int>(ExitCode::BadInput);
  return worst == Severity::Warning && warningsAreErrors ? 1 : 0;
}

} // namespace gnomon::check
