// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `gnomon check` prints of a file: a summary and the findings, for people or as JSON.
#pragma once

#include "check/Finding.h"
#include "check/Survey.h"
#include "platform/Platform.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gnomon::check {

struct Summary {
  size_t hosts = 0, links = 0, fatPipes = 0, routers = 0, zones = 0;
  uint64_t cores = 0;
  /// Kinds of routing and how many zones have each, in the order of the file.
  std::vector<std::pair<std::string, size_t>> routings;
  bool allPairs = true;
  uint64_t pairs = 0;
  size_t diameter = 0;
  Range latencySeconds, bandwidth;
  std::vector<std::pair<std::string, std::string>> config;
};
Summary summarise(const platform::Platform &platform, const Survey &survey);

/// A file and what was found; no summary when the loader refused it.
struct Checked {
  std::string file;
  std::optional<Summary> summary;
  Findings findings;
};

/// Lines, each with its end.
std::string renderText(const Checked &checked);
/// An array of the files, indented, with its end of line.
std::string renderJson(const std::vector<Checked> &files);

} // namespace gnomon::check
