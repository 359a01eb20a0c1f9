// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Other implementations of MPI that came into the process with a library that was built for one.
#pragma once

#include <string>
#include <vector>

namespace gnomon::process {

/// A loaded library that is MPI, and is not this runtime.
struct ForeignMpi {
  std::string library; ///< its path
  /// Paths of those that name it as needed; empty: it was opened by name.
  std::vector<std::string> askedBy;
};

/// In the order of loading. A tool that only wraps MPI's functions is none.
std::vector<ForeignMpi> foreignMpis();

} // namespace gnomon::process
