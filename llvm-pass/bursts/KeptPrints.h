// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a burst prints to the console, when it is skipped: where whether it prints, and what it takes
/// to do so, rests on nothing that was skipped, the burst's copy prints too (a line of progress still
/// appears); else it is left out. Prints decide nothing, so this is asked once all is decided.
#pragma once

#include "bursts/Staleness.h"

namespace gnomon {

/// Adds to `kept` of \p decisions the prints that copies keep, and what those need; fills in
/// `unprinted`.
void keepPrints(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                const Stale &stale, std::vector<Decision> &decisions);

} // namespace gnomon
