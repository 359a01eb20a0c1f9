// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The forward direction: which values may be stale because skipped bursts did not compute what
/// they rest on. Bursts whose own addresses, divisors or loop exits are stale are frail (they may
/// only be executed before anything that weakens them has been skipped); a check for errors on a
/// stale value proves nothing.
#pragma once

#include "bursts/DeadLocals.h"
#include "bursts/Decide.h"

namespace gnomon {

class Staleness {
public:
  /// In the phase of number \p number: what the bursts that may be skipped in it leave undone, and
  /// what is stale from phases \p before, and cells that are \p folded by then. Values of \p given points are right.
  Staleness(const MemoryUse &memory, const Roots &roots, const Regions &regions,
            const std::vector<Decision> &decisions, unsigned number, const Scope &scope,
            const Staleness *before, const Points &given, llvm::ArrayRef<FoldedCell> folded);

  bool isStale(const llvm::Value &value) const { return values_.contains(&value); }
  bool isStale(Cell cell) const { return cells_[cell]; }
  const llvm::DenseSet<const llvm::Value *> &values() const { return values_; }
  const std::vector<bool> &cells() const { return cells_; }
  /// Blocks of which it is not sure whether they run.
  const llvm::DenseSet<const llvm::BasicBlock *> &runs() const { return runs_; }

private:
  void seed(const Region &region, const Decision &decision);
  bool inScope(const llvm::Instruction &instruction) const {
    return scope_.contains(instruction.getParent());
  }
  void addValue(const llvm::Value &value);
  void addCell(Cell cell);
  void addRun(const llvm::BasicBlock &block, bool within);
  bool writesOwn(const llvm::Instruction &instruction) const;
  void addWrites(const llvm::Instruction &instruction, bool numbers = false, bool behind = false);
  void close();
  void followUse(const llvm::Value &value, const llvm::Instruction &user);
  void followBranch(const llvm::Instruction &branch);
  void followMpi(const llvm::CallBase &sender);
  void followCell(Cell cell);
  void followRun(const llvm::BasicBlock &block);
  void addPassed(const llvm::CallBase &call);
  llvm::SmallVector<const llvm::CallBase *>
  callsWithin(const Region &region, llvm::ArrayRef<const llvm::Function *> called,
              const llvm::Function &function) const;
  void addDecided(const llvm::Instruction &branch);
  void findDecided(const llvm::Function &function);

  const MemoryUse &memory_;
  const Roots &roots_;
  const Program &program_;
  const Scope &scope_;
  const Points &given_;
  DeadLocals locals_;
  llvm::DenseSet<const llvm::Value *> values_;
  std::vector<bool> cells_;
  llvm::DenseMap<const llvm::Instruction *, uint8_t>
      added_;                                           ///< which of its writes addWrites has added
  llvm::DenseSet<const llvm::BasicBlock *> runs_;       ///< whose running is stale
  llvm::DenseSet<const llvm::BasicBlock *> runsWithin_; ///< even when their function is entered
  llvm::DenseSet<const void *> unsureSets_;             ///< of callees that are
  llvm::DenseSet<const llvm::Function *> unsure_,
      mapped_;                                         // entered or not: stale; decided_ is filled
  llvm::DenseSet<const llvm::Function *> unsureByAny_; ///< of those, by what call is not told apart
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::Instruction *>>
      writersByArgument_; ///< looked up only
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<const llvm::BasicBlock *, 4>>
      decided_;
  std::vector<const llvm::Value *> newValues_;
  std::vector<Cell> newCells_;
  std::vector<const llvm::BasicBlock *> newRuns_;
};

/// What may be stale in some phase.
struct Stale {
  llvm::DenseSet<const llvm::Value *> values;
  std::vector<bool> cells;
  llvm::DenseSet<const llvm::BasicBlock *> runs; ///< or not: that is not sure
};

/// Sets `unsafe` of those of \p decisions whose safety rests on cells that are \p folded, or on what frail bursts rest on.
Stale markUnsafe(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                 const std::vector<Phase> &phases, std::vector<Decision> &decisions,
                 llvm::ArrayRef<FoldedCell> folded, const Points &given = Slice::noPoints());

/// Fills in `frail`, `waitsFor` and `weakens` of \p decisions for all phases.
Stale markFrail(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                const std::vector<Phase> &phases, std::vector<Decision> &decisions,
                llvm::ArrayRef<FoldedCell> folded, const Points &given = Slice::noPoints());

} // namespace gnomon
