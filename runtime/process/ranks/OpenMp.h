// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// All ranks are one thread to clang's OpenMP runtime, which keeps a stack of parallel regions for
/// each thread that it knows. A rank that calls MPI in the middle of a region (its first thread
/// may, under MPI_THREAD_FUNNELED) lets other ranks run there: their regions would be nested in its
/// own, and would end in another order than they began.
///
/// The runtime knows a thread by a number in thread-local storage. So a rank that stops running
/// inside a region keeps the contents of that storage, and the thread becomes one that the runtime
/// has not met, or one that an earlier rank left outside of all regions. Ranks that switch outside
/// of regions share one such thread, with one team of helpers, however many they are. Which number
/// a rank has outside of regions changes with that: the link has its code ask anew each time
/// (llvm-pass/fibers/ThreadNumbers.h).
#pragma once

#include <memory>

namespace gnomon::process {

/// Looks for the runtime; whether the program uses it, so that a switch has to ask.
bool usesOpenMp();
/// For the rank that stops running: what it needs to come back into its region; null: it is in
/// none.
std::unique_ptr<char[]> leaveRegion();
/// The rank that leaveRegion gave \p kept runs again.
void enterRegion(std::unique_ptr<char[]> kept);

} // namespace gnomon::process
