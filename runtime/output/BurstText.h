// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bursts for people: the lines below the summary, and the table of `--bursts`.
#pragma once

#include "process/burst/Report.h"

#include <string>

namespace gnomon::output {

/// The error budget of a run that skipped, with its warning; what --shadow would have skipped of
/// one that did not. Whole lines, or nothing. \p rankSeconds: simulated time × ranks.
std::string burstLines(const process::burst::Report &report, double rankSeconds);

/// A row a burst, the longest first; with the word INCOMPLETE in the first and last line when not
/// \p complete.
std::string burstTable(const process::burst::Report &report, bool complete);

/// The five bursts that take most of the predicted time, as indices into Report::rows.
std::vector<size_t> dominating(const process::burst::Report &report);

} // namespace gnomon::output
