// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What earlier runs of a program on this machine took for equal work (process/ranks/EqualWork.h, docs/adr/0048), kept
/// in the user's cache: a file for each program with its arguments, ranks and folder. Nothing is kept, and nothing
/// said, where there is no cache or it cannot be written.
///
/// The file: `gnomon work 1`, the processor, the kernels that look at its speed (coreKernels), what the runs were of;
/// then a line for each work and round: both numbers, and seconds per instruction in each of the latest runs that met
/// it, the latest one last.
#pragma once

#include "process/burst/DecisionLog.h"
#include "process/ranks/EqualWork.h"

#include <string>
#include <string_view>
#include <vector>

namespace gnomon::launch {

class EarlierRuns {
public:
  /// So many of the latest count.
  static constexpr size_t MostRuns = 9;

  /// Of the runs of \p origin that measured in the same \p way (`--pages`, `--speed`). A run that \p skips finds other
  /// caches than one that executes all: it is told apart, and yet told what those took that execute all, if there are
  /// any.
  EarlierRuns(const process::burst::RunOrigin &origin, bool skips, std::string_view way);

  /// Nothing where another processor or another build of Gnomon found it, or the file is damaged.
  std::vector<process::EqualWork::Earlier> expectations() const;
  /// Adds what a run has \p found, but for works that hardly count, and runs of a moment.
  void note(const std::vector<process::EqualWork::Found> &found) const;

private:
  struct File {
    std::string path, of; ///< path: empty where there is no cache
  };
  static File fileOf(const process::burst::RunOrigin &origin, std::string_view way);

  File executed_, own_;
};

} // namespace gnomon::launch
