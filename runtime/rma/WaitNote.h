// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a rank waits for in a call on a window (mpi/request/Waiting.h).
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

  std::string text(const process::Rank &rank) const;
  void listAwaited(std::vector<uint32_t> &awaited) const;
};

} // namespace gnomon::rma
