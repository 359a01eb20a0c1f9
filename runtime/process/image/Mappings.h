// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How many mappings the process may still make.
#pragma once

#include <cstdint>

namespace gnomon::process {

/// What vm.max_map_count leaves beside those that there are; 0 where the kernel does not say.
uint64_t mappingsLeft();

} // namespace gnomon::process
