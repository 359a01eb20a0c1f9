// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The file of --record-profile and --compute=profile=FILE: JSON, one object a burst.
///   {"gnomon_profile": 1, "program": "app", "host_speed_flops": 1e10,
///    "gap_seconds_per_instruction": 2e-10, "mean_seconds_per_instruction": 2e-10,
///    "mean_seconds_per_work": 1e-10,
///    "bursts": [{"function": "f", "file": "a.c", "line": 3, "ordinal": 0, "name": "",
///                "rows": [{"bucket": -1, "warmth": -1, "instances": 12, "seconds_per_work": 1e-10,
///                          "seconds_per_instruction": 2e-10, "spread": 0.02}]}]}
/// bucket and warmth are those of process/burst/Settings.h; the first row of a burst is of all its
/// instances.
#pragma once

#include "process/burst/Settings.h"

#include <string>

namespace gnomon::output {

/// Throws InputError with the file and, of what is not JSON, the line; of a wrong value, the field.
process::burst::Profile readProfile(const std::string &path);
/// The text of the file.
std::string profileJson(const process::burst::Profile &profile);

} // namespace gnomon::output
