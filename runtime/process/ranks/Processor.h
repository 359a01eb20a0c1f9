// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processor that the simulation runs on.
#pragma once

#include <string>

namespace gnomon::process {

/// As the kernel calls it (the first "model name" of /proc/cpuinfo); "unknown" where it does not.
std::string processorName();

} // namespace gnomon::process
