// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sweep as a picture: a bar of simulated time for each combination, from left to right because
/// names are long; a group for each value of the first axis, a colour for each of the second.
#pragma once

#include "sweep/Table.h"

namespace gnomon::sweep {

/// The SVG document, the same bytes for the same results.
std::string renderSvg(const Table &table);

} // namespace gnomon::sweep
