// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What several steps of the set-up read of the options about ranks. Each throws InputError on bad
/// input.
#pragma once

#include "launch/Options.h"
#include "process/ranks/World.h"

#include <cstdint>
#include <vector>

namespace gnomon::launch {

/// `--ranks`.
uint32_t rankCount(const Options &options);
/// The programs beside the first one, in the order of their ranks.
std::vector<process::JobPart> companions(const Options &options);
/// `--host-speed` in flop/s, when it is not `auto`.
double positiveSpeed(const Options &options);

} // namespace gnomon::launch
