// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls that are not worth hooks. A function that is called in many places, all of which always run,
/// is a utility: it tells of errors, or allocates. To measure each call by itself would teach nothing
/// (nothing of it can be skipped), fill the table of bursts, and make the program larger: HDF5's
/// report of an error is 10,000 of its 12,000 bursts. What the user said anything of keeps its hooks.
#pragma once

#include "bursts/Judge.h"

namespace gnomon {

/// Marks them in the decisions.
void leaveOutCommonCalls(Judgement &judged, const Overrides &overrides);

} // namespace gnomon
