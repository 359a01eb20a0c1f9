// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The conditions under which a branch leaves a loop. The compiler joins several of the source's
/// (`converged || step == last`) in one branch; here they are apart again.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace llvm {
class BranchInst;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace gnomon {

struct LoopExit {
  llvm::BranchInst *branch;
  unsigned successor; ///< that leaves the loop
  /// Each leaves the loop: when it is true, for successor 0, or when it is false, for successor 1.
  llvm::SmallVector<llvm::Value *, 2> conditions;

  /// The conditions that stand at the line; all, where the branch itself does and none of them.
  llvm::SmallVector<llvm::Value *, 2> at(unsigned line) const;
};

/// Of a conditional branch with one way out of the loop.
std::optional<LoopExit> exitOf(const llvm::Instruction &branch, const llvm::Loop &loop);

} // namespace gnomon
