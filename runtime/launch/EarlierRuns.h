// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What earlier runs of a program on this machine took for equal work (process/ranks/EqualWork.h) and for bursts that
/// they skipped (process/burst/Rates.h), kept in the user's cache (docs/adr/0048): a file for each program with its
/// arguments, ranks and folder. Nothing is kept, and nothing said, where there is no cache or it cannot be written.
///
/// The file: `gnomon work 1`, the processor, the kernels that look at its speed (coreKernels), what the runs were of;
/// then a line for each work and for each kind of burst, with what it took in each of the latest runs that met it, the
/// latest one last:
///
///     work WORK ROUND SECONDS…               seconds per instruction
///     burst NAME BUCKET WARMTH SECONDS…      seconds per unit of work; NAME in hexadecimal digits
#pragma once

#include "process/burst/DecisionLog.h"
#include "process/burst/Rates.h"
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
  /// caches than one that executes all: it is told apart, and yet told what those took that execute all, as far as
  /// they say something.
  EarlierRuns(const process::burst::RunOrigin &origin, bool skips, std::string_view way);

  struct Expectations {
    std::vector<process::EqualWork::Earlier> works;
    std::vector<process::burst::EarlierRate> rates;
  };
  /// Nothing where another processor or another build of Gnomon found it, or the file is damaged.
  Expectations expectations() const;
  /// Adds what a run has found, but for \p works that hardly count, and runs of a moment.
  void note(const std::vector<process::EqualWork::Found> &works,
            const std::vector<process::burst::EarlierRate> &rates) const;

private:
  struct File {
    std::string path, of; ///< path: empty where there is no cache
  };
  static File fileOf(const process::burst::RunOrigin &origin, std::string_view way);

  File executed_, own_;
};

} // namespace gnomon::launch
