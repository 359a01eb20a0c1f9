// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank waits for in a call on a window, said for the reports of deadlocks. A note stands on
/// the stack of the waiting call and becomes text only when a report is made.
#pragma once

#include "process/ranks/Rank.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::mpi {
class Win;
}

namespace gnomon::rma {

struct WaitNote {
  const mpi::Win &window;
  const char *what; ///< "the lock of", "MPI_Win_post by"
  int rank = -1;    ///< of the window; -1: of all or any
  /// Adds the ranks of the window for which the call waits; null: `rank` alone.
  std::vector<int> (*awaited)(const WaitNote &note) = nullptr;
};

/// Says while it lives that the calling rank waits.
class Waiting {
public:
  Waiting(process::Rank &rank, const WaitNote &note);
  ~Waiting();
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;

private:
  process::Rank &rank_;
  std::string (*outerDescribe_)(const process::Rank &, const void *);
  void (*outerList_)(const process::Rank &, const void *, std::vector<uint32_t> &);
  const void *outer_;
};

} // namespace gnomon::rma
