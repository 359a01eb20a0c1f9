// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Groups: short loops that stand behind each other in a loop that communicates, that are all skipped where decisions are
/// given, and that run where the same points are not; among them loops that nothing rests on. A hook for each of them
/// costs as much as a short loop does; so the group pays one. What stands between its loops is executed whether the group
/// is or not.
///
/// Worked example: the cell of a transport sweep is 20 loops over 8 angles, with some indices between them. Its first cell
/// receives, so that no loop around the cell is a burst: 20 questions for each cell become two.
#pragma once

#include "bursts/Judge.h"
#include "bursts/PointHooks.h"
#include "bursts/Transform.h"

#include "llvm/IR/PassManager.h"

#include <vector>

namespace gnomon {

struct Group {
  /// `blocks` from its entry to `exit`, as they were when it was found; its place is that of its first loop.
  Region region = {Region::Statement, nullptr, nullptr, {}, nullptr, nullptr, {}, nullptr};
  llvm::SmallVector<unsigned, 4> members = {}; ///< numbers of regions, in order of the code
  /// Outside, empty: to the door where decisions are recorded or given, else to the entry.
  llvm::BasicBlock *choice = nullptr;
  llvm::BasicBlock *door = nullptr; ///< empty, in front of the entry: where the group's hook goes
  llvm::BasicBlock *exit = nullptr; ///< outside, entered from the group only
  Decision decided;                 ///< what becomes of it where decisions are given
  /// Stores between its loops whose value rests on what is not computed when these are skipped.
  llvm::SmallVector<const llvm::Instruction *, 4> stale = {};
  InstanceWork work = {}; ///< of all its loops, at `door`
};

/// The groups among the judged regions, none where no decisions can be given. Splits blocks in front of them.
/// \p areSaid: whether the user has said something of a region.
std::vector<Group> findGroups(const Judgement &judged, llvm::ArrayRef<PlacedPoint> points,
                              llvm::function_ref<bool(const Region &)> areSaid,
                              llvm::FunctionAnalysisManager &analyses);

} // namespace gnomon
