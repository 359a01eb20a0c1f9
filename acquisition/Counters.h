// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Counters of instructions of the program and its libraries, which tell themselves when they are
/// loaded (llvm-pass/real-mpi/TellCounter.h), before this library's own constructors as it may be.
#pragma once

namespace gnomon::acquisition {

bool haveCounters();
/// Their sum; those of libraries that have been unloaded are in it.
double readCounters();

} // namespace gnomon::acquisition
