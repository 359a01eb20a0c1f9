// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where two traces differ first.
#pragma once

#include "trace/Record.h"

#include <optional>
#include <string>

namespace gnomon::traces {

struct Difference {
  std::string place;         ///< "rank 3, record 120"
  std::string first, second; ///< both records as text; what one of them has not is said
};

/// Rank by rank. Records are equal where their functions and values are; strings, sets and groups
/// are compared as what they are. \p volumes false: computation is passed over.
std::optional<Difference> firstDifference(const trace::Source &first, const trace::Source &second,
                                          bool volumes);

} // namespace gnomon::traces
