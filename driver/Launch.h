// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From a command line to a simulation: the options go into GNOMON_RUN, and the driver becomes the
/// program.
#pragma once

#include "RunCommandLine.h"

#include <functional>
#include <string>
#include <vector>

namespace gnomon::driver {

/// Becomes the file that \p program names (asked for in the directory of --wdir), called with \p words
/// (argv), under the options of \p line; or, with --dry-run, prints what it would become, and
/// returns 0.
int start(const RunCommandLine &line, const std::function<std::string()> &program,
          const std::vector<std::string> &words);

} // namespace gnomon::driver
