// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Decide.h"

#include "names/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

DenseSet<const Function *> functionsThatAlwaysRun(const Program &program, const Regions &regions,
                                                  const Scope &scope,
                                                  function_ref<bool(int)> skippable) {
  DenseSet<const Function *> always;
  DenseSet<const void *> seen; // sets of callees
  SmallVector<const Function *, 32> work;
  auto add = [&](const Function &function) {
    if (!function.isDeclaration() && always.insert(&function).second)
      work.push_back(&function);
  };
  // A function that only its region's code calls runs with it. All others are entered from outside,
  // or by a call of code that always runs.
  for (const Function &function : program.module())
    if (program.calledFromOutside(function) ||
        (!function.isDeclaration() && program.reachesMpi(function)))
      add(function);
  while (!work.empty())
    for (const BasicBlock &block : *work.pop_back_val()) {
      int region = regions.of(block);
      if (!scope.contains(&block) || (region >= 0 && skippable(region)))
        continue;
      for (const Instruction &instruction : block)
        if (const auto *call = dyn_cast<CallBase>(&instruction))
          if (ArrayRef<const Function *> callees = program.callees(*call);
              seen.insert(callees.data()).second)
            for (const Function *callee : callees)
              add(*callee);
    }
  return always;
}

namespace {

/// The decisions of one phase: a fixed point, since a region that must run brings its own demands.
class PhaseDecision {
public:
  PhaseDecision(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                const Phase &phase, const Wishes &wishes)
      : memory_(memory), program_(memory.program()), roots_(roots), regions_(regions),
        scope_(phase.scope), slice_(memory, phase.scope), skippable_(regions.all().size(), false),
        reasons_(regions.all().size()) {
    for (auto [index, region] : enumerate(regions.all())) {
      if (!isReachable(region))
        continue;
      skippable_[index] = wishes(region) != Wish::Run;
      if (!skippable_[index])
        reasons_[index].text = "the program says so";
    }
  }

  void run(const Wishes &wishes) {
    for (const Function &function : program_.module())
      for (const Instruction &instruction : instructions(function))
        if (scope_.contains(instruction.getParent()))
          roots_.addEffects(slice_, instruction);
    roots_.addInterface(slice_, scope_);
    for (auto [index, region] : enumerate(regions_.all()))
      if (isReachable(region))
        needEntry(region);
    do {
      addSafety();
      slice_.close();
    } while (withdraw(wishes));
  }

  bool isReachable(const Region &region) const { return scope_.contains(region.entry); }
  bool isSkippable(unsigned index) const { return skippable_[index]; }
  const Reason &reason(unsigned index) const { return reasons_[index]; }

  DenseSet<const Instruction *> kept(const Region &region) const {
    DenseSet<const Instruction *> kept;
    for (const BasicBlock *block : region.blocks)
      for (const Instruction &instruction : *block)
        if (slice_.isRelevant(instruction))
          kept.insert(&instruction);
    return kept;
  }

private:
  /// How often a burst is entered must not depend on what was skipped.
  void needEntry(const Region &region) {
    const Instruction &first = *region.entry->getFirstNonPHIIt();
    std::string place = region.place ? placeOf(region.place) : placeOf(first);
    Slice::RootId root = slice_.addRoot("how often the burst at " + place + " is entered", first);
    if (region.kind != Region::Nest) {
      slice_.needRun(*region.entry, root);
      needCounting(region, root);
      return;
    }
    for (const BasicBlock *before : predecessors(region.entry))
      if (!is_contained(region.blocks, before))
        slice_.needRun(*before, root);
  }

  /// What an iteration counts goes on when it is skipped, also where it does not decide the loop's
  /// end.
  void needCounting(const Region &region, Slice::RootId root) {
    if (region.kind != Region::Iteration)
      return;
    auto inside = [&](const Value *value) {
      const auto *instruction = dyn_cast<Instruction>(value);
      return instruction && is_contained(region.blocks, instruction->getParent());
    };
    for (const PHINode &phi : region.header->phis())
      for (const Value *next : phi.incoming_values()) {
        const auto *step = dyn_cast<Instruction>(next);
        if (step && inside(step) && (isa<BinaryOperator, GetElementPtrInst>(step)) &&
            !step->getType()->isFPOrFPVectorTy() && is_contained(step->operand_values(), &phi) &&
            none_of(step->operand_values(), inside))
          slice_.needValue(*step, root);
      }
  }

  /// The demands of code that runs whatever is skipped, so far as they are new.
  void addSafety() {
    auto skippable = [&](int region) { return bool(skippable_[region]); };
    DenseSet<const Function *> always =
        functionsThatAlwaysRun(program_, regions_, scope_, skippable);
    for (const Function &function : program_.module()) {
      if (!always.contains(&function))
        continue;
      for (const BasicBlock &block : function) {
        int region = regions_.of(block);
        if (!scope_.contains(&block) || (region >= 0 && skippable_[region]) ||
            !safe_.insert(&block).second)
          continue;
        for (const Instruction &instruction : block)
          roots_.addSafety(slice_, instruction);
      }
    }
  }

  /// Regions that turn out to be needed; whether there were any.
  bool withdraw(const Wishes &wishes) {
    bool changed = false;
    for (auto [index, region] : enumerate(regions_.all())) {
      if (!skippable_[index] || wishes(region) == Wish::Skip)
        continue;
      const Instruction *needed = neededOf(region);
      if (!needed)
        continue;
      reasons_[index] = reasonOf(*slice_.way(*needed), memory_, roots_);
      skippable_[index] = false;
      changed = true;
    }
    return changed;
  }

  /// Because of what the region can neither be skipped nor reduced to what is needed of it; null
  /// when it can.
  const Instruction *neededOf(const Region &region) const {
    unsigned all = 0, needed = 0;
    const Instruction *first = nullptr;
    for (const BasicBlock *block : region.blocks)
      for (const Instruction &instruction : *block) {
        if (isa<DbgInfoIntrinsic>(instruction))
          continue;
        const auto *call = dyn_cast<CallBase>(&instruction);
        bool enters = call && !program_.callees(*call).empty();
        // The work of a loop that calls functions with loops is in those.
        constexpr unsigned Heavy = 1000;
        all += enters && program_.entersLoops(*call) ? Heavy : 1;
        if (!slice_.isRelevant(instruction))
          continue;
        ++needed;
        if (enters || &instruction == region.call)
          return &instruction;
        bool effect = instruction.mayHaveSideEffects();
        if (!first || (effect && !first->mayHaveSideEffects()))
          first = &instruction;
      }
    // Its loop's own counting is no reason; half of the body is.
    return needed * 2 > all ? first : nullptr;
  }

  const MemoryUse &memory_;
  const Program &program_;
  const Roots &roots_;
  const Regions &regions_;
  const Scope &scope_;
  Slice slice_;
  std::vector<bool> skippable_;
  std::vector<Reason> reasons_;
  DenseSet<const BasicBlock *> safe_; // blocks whose demands have been added
};

} // namespace

std::vector<Decision> decide(const MemoryUse &memory, Roots &roots, const Regions &regions,
                             const std::vector<Phase> &phases, const Wishes &wishes) {
  std::vector<Decision> decisions(regions.all().size());
  for (auto [number, phase] : enumerate(phases)) {
    roots.enterScope(phase.scope);
    PhaseDecision now(memory, roots, regions, phase, wishes);
    now.run(wishes);
    for (auto [index, region] : enumerate(regions.all())) {
      Decision &decision = decisions[index];
      if (!now.isReachable(region))
        continue;
      decision.reachable = true;
      if (decision.skippable)
        continue;
      if (!now.isSkippable(index)) {
        decision.reason = now.reason(index);
        continue;
      }
      decision.skippable = true;
      decision.phase = number;
      decision.kept = now.kept(region);
      decision.forced = wishes(region) == Wish::Skip;
    }
  }
  return decisions;
}

} // namespace gnomon
