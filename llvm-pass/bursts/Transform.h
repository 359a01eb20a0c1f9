// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Puts the decisions into the program: records (gnomon/Burst.h), the hooks around each burst, its
/// reduced copy, the points where phases begin, and a second look at checks for errors whose
/// condition may be stale.
#pragma once

#include "bursts/Decide.h"
#include "bursts/Staleness.h"
#include "work/Work.h"

#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallInst;
class Constant;
class GlobalVariable;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace gnomon {

/// What the user said of a region, and what the analysis knows of its size.
struct BurstFacts {
  std::string name;                     ///< empty: none
  double flops = -1;                    ///< of an instance; negative: not given
  llvm::Value *computedFlops = nullptr; ///< of an instance, before the region; null: not given
  unsigned samples = 0;                 ///< 0: not given
  InstanceWork work;                    ///< before the region
};

class Duplicate;
struct Group;

/// Whether what is kept takes time that is not to be added to the instance's: a function counts what it executes.
bool keepsEffects(const Decision &decision);

class Transform {
public:
  Transform(const Program &program, llvm::Module &module);
  ~Transform();

  /// First: the variable that turns the hooks on, and a record for each region, empty at first, since
  /// they refer to each other.
  void addRecords(size_t count);
  llvm::GlobalVariable &record(unsigned number) const { return *records_[number]; }
  /// Where decisions are given.
  llvm::GlobalVariable &recordOfDecided(unsigned number) const {
    auto group = standIns_.find(number);
    return *records_[group == standIns_.end() ? number : group->second];
  }
  /// For all regions before the hooks: the copies need the functions' edges as they were.
  void addCopy(const Region &region, const Decision &decision);
  /// The copy for where the values of points are given, when it is another one.
  void addDecidedCopy(const Region &region, const Decision &decided);
  /// \p decided: what becomes of it where the values of points are given; null: there are none.
  void addHooks(unsigned number, const Region &region, const Decision &decision,
                const Decision *decided, const BurstFacts &facts);
  /// Where decisions are recorded or given, the record of that number stands for those of the group's members. Before
  /// any hooks.
  void standFor(const Group &group, unsigned number);
  /// Behind the hooks of its members: the group's own, for where decisions are recorded or given.
  void addGroupHooks(unsigned number, const Group &group);
  void addPhase(llvm::Instruction &point, unsigned number);
  /// A rank has come to the phase where the condition is as it \p holds.
  void addPhaseWhere(const Phase::Check &check, bool holds, unsigned number);
  /// The edge from \p branch to its successor \p index leads to an error's end. Returns the block
  /// that asks whether to follow it; null when there is none.
  /// Its condition may be stale by the \p plans whose bits are set (1 << GNOMON_PLAN_*).
  llvm::BasicBlock *addErrorSite(llvm::Instruction &branch, unsigned index, uint32_t plans);
  /// What \p call frees may be stale by the \p plans: it asks first. Returns the blocks that it makes.
  llvm::SmallVector<llvm::BasicBlock *, 2> addFreeSite(llvm::CallInst &call, uint32_t plans);
  /// Behind the points, so that code of theirs lies in the changed functions.
  void noteChanged(llvm::ArrayRef<llvm::Function *> functions) { changed_.insert_range(functions); }
  /// Writes the module's tables and removes what nothing reaches any more.
  void finish();

private:
  void fillRecord(unsigned number, const Region &region, const Decision &decision,
                  const Decision *decided, const BurstFacts &facts);
  llvm::Constant *addPlan(unsigned number, const Region &region, const Decision &decided);
  void addGroupQuestion(const Group &group, llvm::GlobalVariable *record,
                        llvm::BasicBlock &executed, llvm::BasicBlock &skipped);
  std::unique_ptr<Duplicate> makeCopy(const Region &region, const Decision &decision) const;
  enum class Plan : bool { Plain, Decided };
  llvm::Constant *addFrailTable(const Decision &decision, Plan plan);
  void chargeFlops(llvm::BasicBlock &copy, llvm::Value &flops);
  void addEnds(const Region &region, const llvm::SmallSetVector<llvm::BasicBlock *, 8> &blocks,
               llvm::GlobalVariable *record);
  struct Copies {
    std::unique_ptr<Duplicate> plain,
        decided; ///< null: there is none; without `decided`, `plain` holds too
  };
  void addQuestion(const Region &region, llvm::BasicBlock *before, const Copies &copies,
                   llvm::GlobalVariable *record, const InstanceWork &work);
  llvm::BasicBlock *chooseCopy(llvm::BasicBlock *plain, llvm::BasicBlock *decided);
  llvm::CallInst *addBegin(llvm::IRBuilderBase &builder, llvm::GlobalVariable *record,
                           const InstanceWork &work);
  void joinBlocks();
  void forgetEffects();

  const Program &program_;
  llvm::Module &module_;
  llvm::GlobalVariable *on_ = nullptr;
  llvm::SmallVector<llvm::GlobalVariable *, 16> records_; ///< by number; null: not used
  llvm::DenseMap<const Region *, Copies> copies_;
  llvm::DenseMap<unsigned, unsigned> standIns_; ///< the group's number by those of its members
  llvm::SetVector<llvm::Function *> changed_;
  unsigned phases_ = 0;
};

} // namespace gnomon
