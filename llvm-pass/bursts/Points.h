// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where data that bursts compute turn into control: a small set of points such that, with their values given from an
/// earlier run, most bursts may be skipped (docs/adr/0020).
#pragma once

#include "bursts/Decide.h"

#include "llvm/IR/PassManager.h"

namespace gnomon {

/// What a program may skip when the values of some points are given. Without points: no more than without.
struct DecidedPlan {
  Points points;
  /// Of each region, by number. Without points: what would be with all that there may be, for remarks.
  std::vector<Decision> decisions;
  /// Of each point, an instruction or a use: the regions whose results its value rests on, by no other point.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned, 4>> holds{};
  /// Of each point: the regions that may be skipped with all points given, and no more where this one is not: what it
  /// needs of them is not kept.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned, 4>> rests{};
  /// Of each point: the fold sites, by number, whose memory its value rests on, by no other point.
  llvm::DenseMap<const void *, llvm::SmallVector<unsigned, 4>> restsOnSites{};
};

/// \p plain: the decisions without points. \p sites: all of the program.
DecidedPlan planWithPoints(const MemoryUse &memory, Roots &roots, const Regions &regions,
                           llvm::ArrayRef<Phase> phases, const Wishes &wishes,
                           llvm::ArrayRef<Decision> plain, llvm::ArrayRef<FoldSite> sites,
                           llvm::FunctionAnalysisManager &analyses);

} // namespace gnomon
