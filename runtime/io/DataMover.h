// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Moves contiguous bytes into and out of the runs of a view, with few calls of the operating
/// system: runs that touch are one; a long run is one read or write; short runs that lie close
/// together are read as one window, and a window with gaps is written back whole (data sieving:
/// Thakur, Gropp & Lusk, "Data Sieving and Collective I/O in ROMIO", 1999, section 3). The ranks'
/// accesses never overlap in real time, so that a window needs no lock.
#pragma once

#include "io/FileMap.h"
#include "io/FileSystem.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace gnomon::io {

/// A run of a file, and where its bytes are in memory.
struct Run {
  int64_t offset;
  int64_t bytes;
  char *data;
};

/// Told of each run that was moved: (offset in the file, bytes).
using RunVisitor = std::function<void(int64_t offset, int64_t bytes)>;

struct MoveResult {
  int64_t bytes = 0;   ///< moved; of a read, those before the end of the file
  int systemError = 0; ///< errno; 0: none
};

/// \p bytes of \p data from byte \p position of the view on.
/// Of a file without data nothing of \p data is looked at.
MoveResult writeThrough(StoredFile &file, const FileMap &map, int64_t position, const char *data,
                        int64_t bytes, const RunVisitor &visit);
/// Stops at the first run that the file's end cuts. Of a file without data \p data stays as it is.
MoveResult readThrough(const StoredFile &file, const FileMap &map, int64_t position, char *data,
                       int64_t bytes, const RunVisitor &visit);

} // namespace gnomon::io
