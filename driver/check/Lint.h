// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The lints of Lints.def on a platform that the loader accepted. Findings about equal elements
/// (the links of a cluster) are one finding with their number.
#pragma once

#include "check/Finding.h"
#include "check/Survey.h"
#include "platform/Platform.h"

namespace gnomon::check {

/// Ordered by line, then by the table.
Findings lint(const platform::Platform &platform, const Survey &survey);

} // namespace gnomon::check
