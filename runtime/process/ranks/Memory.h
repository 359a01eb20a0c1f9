// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory there is for the ranks.
#pragma once

#include <cstdint>

namespace gnomon::process {

struct FreeMemory {
  uint64_t bytes;
  const char *source; ///< "this machine has": whose limit is the nearest
};

/// What can be had now without swapping.
FreeMemory freeMemory();
/// Address space that may still be mapped (ulimit -v); UINT64_MAX: any.
uint64_t freeAddresses();

} // namespace gnomon::process
