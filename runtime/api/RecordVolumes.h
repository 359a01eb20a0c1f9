// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Volumes of a computation's parts, as a recording has them: none is negative.
#pragma once

#include "process/ranks/VolumeSink.h"

#include <vector>

namespace gnomon::api {

/// Parts that were told to be negative become 0, and what they lack is taken from the largest one, then
/// from the next, so that the sum stays what it is. Of measured seconds, what the host took of all is
/// taken out at the end: more, perhaps, than was told; then nothing is left. \p column: instructions
/// or seconds.
void settle(std::vector<process::VolumeTally::Part> &parts, double process::Volume::*column);

} // namespace gnomon::api
