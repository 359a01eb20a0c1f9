// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The forward direction: which values may be stale because skipped bursts did not compute what they rest on. Bursts
/// whose own addresses, divisors or loop exits are stale are frail (they may only be executed before anything that
/// weakens them has been skipped); a check for errors on a stale value proves nothing.
#pragma once

#include "Decide.h"

namespace gnomon {

class Staleness {
public:
  Staleness(const MemoryUse &memory, const Regions &regions,
            const std::vector<Decision> &decisions);

  bool isStale(const llvm::Value &value) const { return values_.contains(&value); }
  bool isStale(Cell cell) const { return cells_[cell]; }

private:
  void seed(const Region &region, const Decision &decision);
  void addValue(const llvm::Value &value);
  void addCell(Cell cell);
  void addRun(const llvm::BasicBlock &block);
  void addWrites(const llvm::Instruction &instruction);
  void close();
  void followUse(const llvm::Value &value, const llvm::Instruction &user);
  void followBranch(const llvm::Instruction &branch);
  void followMpi(const llvm::CallBase &sender);
  void followCell(Cell cell);
  void followRun(const llvm::BasicBlock &block);
  void findDecided(const llvm::Function &function);

  const MemoryUse &memory_;
  const Program &program_;
  llvm::DenseSet<const llvm::Value *> values_;
  std::vector<bool> cells_;
  llvm::DenseSet<const llvm::BasicBlock *> runs_;   // whose running is stale
  llvm::DenseSet<const llvm::Function *> unsure_, mapped_; // entered or not: stale; decided_ is filled
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<const llvm::BasicBlock *, 4>> decided_;
  std::vector<const llvm::Value *> newValues_;
  std::vector<Cell> newCells_;
  std::vector<const llvm::BasicBlock *> newRuns_;
};

/// Fills in `frail` and `weakens`.
void findFrail(const MemoryUse &memory, const Roots &roots, const Regions &regions,
               const Phase &whole, const Staleness &staleness, std::vector<Decision> &decisions);

} // namespace gnomon
