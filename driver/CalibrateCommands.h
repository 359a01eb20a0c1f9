// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The commands of `gnomon calibrate`, as CalibrateOptions.def lists them.
#pragma once

#include "SubcommandLine.h"

namespace gnomon::driver {

#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)                                  \
  int function(const SubcommandLine &line);
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION

} // namespace gnomon::driver
