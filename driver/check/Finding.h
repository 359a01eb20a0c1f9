// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `gnomon check` has to say about a place of a platform file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::check {

enum class Severity : uint8_t { Note, Warning, Error };

enum class Lint : uint8_t {
#define GNOMON_LINT(name, id, severity, help) name,
#include "check/Lints.def"
#undef GNOMON_LINT
};

struct LintInfo {
  std::string_view id;
  Severity severity;
  std::string_view help;
};
const LintInfo &info(Lint lint);
std::string_view nameOf(Severity severity); ///< "warning"

struct Finding {
  Lint lint;
  std::string file;
  int line = 0;          ///< 0: no line is to blame
  std::string attribute; ///< empty: none is to blame
  std::string text;      ///< what is wrong, naming it
  std::string remedy;    ///< what to do; empty when the text says it

  /// "file:line: warning: attribute: text; remedy [id]".
  std::string render() const;
};
using Findings = std::vector<Finding>;

/// 0, 1 (warnings and \p warningsAreErrors) or 2 (errors).
int exitCode(const Findings &findings, bool warningsAreErrors);

} // namespace gnomon::check
