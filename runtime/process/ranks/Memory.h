// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory there is for the ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gnomon::process {

/// What a rank touches that does nothing: a page of its stack, and what models and MPI keep of it. (Among
/// 262,144 that meet in a barrier it is 1,426, with the kernel's tables of pages.)
inline constexpr uint64_t LeastStackBytes = 4096, LeastStateBytes = 1280;

struct FreeMemory {
  uint64_t bytes;
  const char *source; ///< "this machine has": whose limit is the nearest
};

/// What can be had now without swapping.
FreeMemory freeMemory();
/// The limit on address space (ulimit -v); UINT64_MAX: there is none.
uint64_t addressLimit();
/// Address space that may still be mapped; UINT64_MAX: any.
uint64_t freeAddresses();

/// The program asked for \p bytes, and got none. From any thread; allocates nothing.
void noteRefused(size_t bytes);
/// What it did not get and why, to be told of a crash: "; before, …". Empty: nothing was refused.
std::string refusedText();

} // namespace gnomon::process
