// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What read and write of Files.cpp share with the calls on sockets.
#pragma once

#include "process/libc/Thread.h"
#include "process/ranks/Descriptors.h"

#include <sys/types.h>

namespace gnomon::process {

/// Parks the calling rank until the descriptor is ready, where the system's call would block.
void parkUntilReady(int descriptor, short events, const char *function, const void *caller);
/// write(2), which parks whenever a pipe or a socket is full.
ssize_t writeInPieces(int descriptor, const char *data, size_t bytes, const void *caller);

} // namespace gnomon::process
