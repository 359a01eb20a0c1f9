// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Joins traces that have each some of the ranks of one run.
#pragma once

#include "trace-formats/Import.h"

#include <string>
#include <vector>

namespace gnomon::traces {

/// Files of one rank each become the ranks 0, 1, … in the order given, or in that of the numbers in
/// their names where the names differ in one number only. Files of as many ranks as all together
/// become one with the records of all; a rank must have records in one of them only. One that has
/// none is told as a loss, and the whole is incomplete. Throws InputError. What went wrong with the
/// output; empty on success.
std::string merge(const std::vector<std::string> &inputs, const std::string &output,
                  trace::Conversion &conversion);

/// The order of names that differ in one number only; else that in which they are.
std::vector<std::string> inOrder(std::vector<std::string> names);

} // namespace gnomon::traces
