// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Decisions that are computed again where others are given: what they rest on runs.
#pragma once

#include "gnomon/Module.h"

#include <functional>

struct gnomon_point;

namespace gnomon::process::burst {

/// Of the bursts of a module, those that the points with \p executed rest on may be skipped no more, nor those that
/// weaken one of them (GNOMON_BURST_WEAKENS). Bursts that the user wants skipped stay as they are. Memory that these
/// points rest on is folded only as it is without decisions. After the points and before the bursts are introduced, and
/// before folding begins.
void runWhatPointsRestOn(gnomon_module &module,
                         const std::function<bool(const gnomon_point &)> &executed);

} // namespace gnomon::process::burst
