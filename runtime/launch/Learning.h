// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// --shadow=learn: the first run of a program with its arguments, number of ranks and files records decisions; each
/// later one is given them.
#pragma once

#include "launch/Options.h"

namespace gnomon::launch {

/// Chooses, before anything else, which of the two this run does, and writes it into \p options as if the user had asked
/// for it. Throws InputError.
void chooseLearning(Options &options, int argc, char **argv);

} // namespace gnomon::launch
