// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a program allocates memory on the heap, its large global variables and its large local arrays, and what becomes
/// of them: whether ranks may share them (fold them), from which phase on, or why not.
#pragma once

#include "slice/MemoryUse.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
} // namespace llvm

#include <string>
#include <vector>

namespace gnomon {

/// What becomes of a site's memory.
struct FoldDecision {
  bool foldable = false;
  unsigned phase = 0; ///< from which on it is
  /// Why its contents must be right; of a foldable one: before that phase. Completes "is kept, because …".
  std::string reason;
};

/// A call that allocates memory, whoever calls the function that it stands in; or a part of a variable that no access
/// cuts: an array of a COMMON block; or a local array.
struct FoldSite {
  llvm::CallBase *allocation = nullptr;
  llvm::GlobalVariable *variable = nullptr; ///< in place of an allocation
  llvm::AllocaInst *local = nullptr;        ///< in place of both: an array on the stack
  uint64_t offset = 0, bytes = 0;           ///< of the part, in the variable
  llvm::SmallVector<Cell> cells; ///< of the objects that it makes, as far as anything touches them
  /// The call that hands its address to code of which nothing is known; null: there is none.
  const llvm::Instruction *escape = nullptr;
  bool hasEscaped = false;
  FoldDecision plain, decided; ///< without the values of points, and where these are given
  /// The same where bursts are never executed of which an address, a divisor or a loop's end rests on it.
  FoldDecision skipped, decidedSkipped;
};

/// All sites but those of a few bytes, in the order of the module: variables, then allocations and local arrays.
std::vector<FoldSite> findFoldSites(llvm::Module &module, const MemoryUse &memory);

/// A cell that may hold anything from some phase on.
struct FoldedCell {
  unsigned phase;
  Cell cell;
};

/// The cells of the sites that fold, by \p decision.
std::vector<FoldedCell> foldedCells(llvm::ArrayRef<FoldSite> sites,
                                    FoldDecision FoldSite::*decision);

} // namespace gnomon
