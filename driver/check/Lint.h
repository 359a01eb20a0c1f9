// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lints of Lints.def on a platform that the loader accepted. Findings about equal elements
/// (the links of a cluster) are one finding with their number.
#pragma once

#include "check/Finding.h"
#include "check/Survey.h"
#include "platform/Platform.h"

#include <string>

namespace gnomon::check {

/// What the runtime says of an algorithm that a platform chooses for a collective.
class Algorithms {
public:
  virtual ~Algorithms() = default;
  /// False when \p collective has no algorithms to choose from. Throws InputError when it does not
  /// have this one.
  virtual bool check(const std::string &collective, const std::string &algorithm) const = 0;
};

/// Ordered by line, then by the table.
Findings lint(const platform::Platform &platform, const Survey &survey,
              const Algorithms &algorithms);

} // namespace gnomon::check
