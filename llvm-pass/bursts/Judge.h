// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bursts of a program and what becomes of each. Which regions there are depends on what readings
/// of clocks are taken for, so that a program may be judged twice.
#pragma once

#include "bursts/Points.h"
#include "overrides/Overrides.h"
#include "slice/Program.h"

#include <memory>

namespace gnomon {

/// What is known before the bursts are looked for.
struct Evidence {
  const PointsTo &pointsTo;
  const Externals &externals;
  const Overrides &overrides;
  llvm::ArrayRef<MarkedRegion> statements;   ///< with exits of their own (closeStatements)
  llvm::ArrayRef<llvm::BasicBlock *> stayed; ///< ways out of loops (cutStayedExits)
};

/// The parts refer to those above them.
struct Judgement {
  std::unique_ptr<Program> program;
  std::unique_ptr<Regions> regions;
  std::unique_ptr<MemoryUse> memory;
  std::unique_ptr<Roots> roots;
  std::vector<Phase> phases;
  std::vector<Decision> decisions; ///< of each region, by number
  std::vector<FoldSite> sites;     ///< by number; nothing is decided of them
  DecidedPlan decided;             ///< with points; without any, nothing is gained by such
  bool assumesUnread = false;      ///< decided does: that nobody reads what the program has written

  /// Whether the region may be skipped, with points or without.
  bool maySkip(size_t region) const {
    return decisions[region].skippable ||
           (!decided.points.empty() && decided.decisions[region].skippable);
  }
};

/// Splits blocks, so that regions and calls consist of whole ones.
Judgement judge(llvm::Module &module, llvm::FunctionAnalysisManager &analyses,
                const Evidence &evidence);

} // namespace gnomon
