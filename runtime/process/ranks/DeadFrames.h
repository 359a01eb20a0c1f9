// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the runtime's frames leave behind on a rank's stack: dates, addresses, parts of records. A frame
/// of the program that is made there later has them where it never writes, so that its code seems to
/// be in another state each time (mpi/request/CodeState.h). Where that is going to be asked, they are
/// cleared when the call ends.
#pragma once

#include <cstddef>
#include <cstring>

namespace gnomon::process {

/// That the call of MPI that runs is to clear what it leaves. Set when a poll has failed, and taken back
/// when its call ends. In a replay, which has no program, the next call that ends takes it: what is
/// cleared is nobody's in any case.
inline constinit bool clearsDeadFrames = false;

/// Clears what lies below the caller's frame. A poll's own frames went as deep: no page of the stack
/// is touched that was not.
[[gnu::noinline]] inline void clearDeadFrames() {
  constexpr size_t Bytes = 2048;
  char frames[Bytes];
  std::memset(frames, 0, sizeof frames);
  asm volatile("" : : "r"(frames) : "memory");
}

} // namespace gnomon::process
