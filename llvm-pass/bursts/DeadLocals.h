// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Local scalars that nobody reads before they are written again (an index that Fortran passes by
/// reference): that a skipped burst did not write them leaves nothing stale.
#pragma once

#include "bursts/Regions.h"
#include "slice/MemoryUse.h"

namespace llvm {
class AllocaInst;
class CallBase;
class StoreInst;
class Value;
} // namespace llvm

namespace gnomon {

class DeadLocals {
public:
  explicit DeadLocals(const MemoryUse &memory) : memory_(memory) {}

  /// Whether the cell is a local variable of the region's function that no path from the region's
  /// exits reads before it writes all of it.
  bool isDeadBehind(const Region &region, Cell cell);
  /// The same of what a store writes.
  bool isDeadBehind(const llvm::StoreInst &store);

private:
  using Blocks = llvm::SmallVector<const llvm::BasicBlock *, 16>;
  bool isReadFrom(const llvm::AllocaInst &variable, Blocks work) const;
  bool isPlain(const llvm::AllocaInst &variable);
  bool onlyAccessed(const llvm::Value &pointer, llvm::DenseSet<const llvm::Value *> &seen) const;
  bool keeps(const llvm::CallBase &call, unsigned index,
             llvm::DenseSet<const llvm::Value *> &seen) const;

  const MemoryUse &memory_;
  llvm::DenseMap<const llvm::AllocaInst *, bool> plain_;
};

} // namespace gnomon
