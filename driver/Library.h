// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the driver asks the runtime's library about collectives, so that the one that runs answers.
/// The library is only looked into: nothing of it runs but these functions.
#pragma once

#include "check/Lint.h"

#include <string>

namespace gnomon::driver {

/// The list of \p collective's algorithms, of all if it is empty. Throws UsageError.
std::string describeCollectives(const std::string &collective);

/// The library's own tables; it is loaded when first asked.
class LibraryAlgorithms : public check::Algorithms {
public:
  bool check(const std::string &collective, const std::string &algorithm) const override;
};

} // namespace gnomon::driver
