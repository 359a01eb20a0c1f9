// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What was measured and what was fitted, as a picture: a panel for each experiment, time over size,
/// both in logarithms. Points are medians with their intervals, lines what the machine makes of the
/// same sizes.
#pragma once

#include "calibration/Report.h"

namespace gnomon::calibration {

/// The SVG document, the same bytes for the same result.
std::string renderSvg(const Result &result);

} // namespace gnomon::calibration
