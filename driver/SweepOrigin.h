// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a sweep's rows come from, found on disk.
#pragma once

#include "SweepCommandLine.h"
#include "sweep/Origin.h"

namespace gnomon::driver {

/// \p line's program is the file of the trace or program that runs are given, and \p name what the user
/// calls it: a trace of another format has been converted. Every option and value that names a file counts with what the file
/// has, and so do the profiles that a platform names. A file that is not there is left out: what needs
/// it fails.
sweep::Origin originOf(const SweepCommandLine &line, const std::string &name);

} // namespace gnomon::driver
