// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the user is told of each burst: -Rpass=gnomon names those that may be skipped,
/// -Rpass-missed=gnomon those that always run, why, and what to do about it.
#pragma once

#include "bursts/Decide.h"
#include "bursts/PointHooks.h"

namespace gnomon {

struct Group;

void reportBurst(const Region &region, const Decision &decision);

/// Ends of loops for which bursts always run, each once, and what the user may say of them.
void reportLoopEnds(llvm::ArrayRef<Decision> decisions, const Roots &roots);

/// Functions with so many calls that always run that these have no hooks.
/// What recorded decisions change.
void reportDecided(const Region &region, const Decision &plain, const Decision &decided);
void reportPoints(llvm::ArrayRef<PlacedPoint> points);

/// Loops that are one burst where decisions are recorded or given.
void reportGroups(llvm::ArrayRef<Group> groups);

void reportCommonCalls(const Regions &regions, llvm::ArrayRef<Decision> decisions);

/// What counts as known of the files that the program writes, and what the user may say of them.
void reportFiles(const Roots &roots, bool skips, bool assumesUnread);

/// Functions outside the program of which nothing is known, and what the user may say of them.
void reportUnknown(const llvm::Module &module, const MemoryUse &memory);

/// That the program is too large for the points-to analysis, so that everything runs.
void reportTooLarge(const llvm::Module &module);

/// That objects were pooled for the same reason (Solver.h); nothing when none were.
void reportPooled(const llvm::Module &module, unsigned pooled, unsigned objects);

/// How long the analysis took, and of how much.
void reportAnalysis(const llvm::Module &module, unsigned regions, unsigned cells, unsigned phases,
                    double seconds);

} // namespace gnomon
