// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory for the report that ends a run. A rank may have damaged the heap, which all share; a
/// signal may have come while libc held the heap's lock; there may be none left. From
/// enterEmergency on malloc and its like (libc/Allocation.cpp) take from here, and nothing is given
/// back: the process is about to end.
#pragma once

#include <atomic>
#include <cstddef>

namespace gnomon::process {

inline constinit std::atomic<bool> inEmergency{false};

void enterEmergency();
/// A block of zeros, aligned to 64 bytes; null: the kernel gives no more.
void *emergencyBlock(size_t bytes);
/// How large a block of emergencyBlock is; 0: it is none.
size_t emergencyCapacity(const void *block);

} // namespace gnomon::process
