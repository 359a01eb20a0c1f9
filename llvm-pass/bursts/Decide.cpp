// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Decide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <numeric>
#include <utility>

using namespace llvm;

namespace gnomon {

namespace {

/// The decisions of all phases, from the last to the first. Each scope holds the later ones, so what
/// must be right in a later phase must be in the earlier ones too: the slice only grows, and a region
/// that must run in a phase must run in those before it. Within a phase it is a fixed point, since a
/// region that must run brings its own demands.
class Deciding {
public:
  Deciding(const MemoryUse &memory, Roots &roots, const Regions &regions, ArrayRef<Phase> phases,
           const Wishes &wishes, const Points &given)
      : memory_(memory), program_(memory.program()), roots_(roots), regions_(regions),
        phases_(phases), wishes_(wishes), scope_(&phases.back().scope),
        slice_(memory, *scope_, phases.front().scope, given), given_(given),
        later_(regions.all().size()), laterEffects_(roots.sites().effects().vec()),
        skippable_(regions.all().size(), false), decisions_(regions.all().size()) {
    std::iota(later_.begin(), later_.end(), 0U);
    slice_.expectWholeProgram();
    slice_.setRunning(&followed_);
    // A function that only its region's code calls runs with it. All others are entered from
    // outside, or by a call of code that always runs.
    for (const Function &function : program_.module())
      if (!function.isDeclaration() &&
          (program_.calledFromOutside(function) || program_.reachesMpi(function)))
        runs(function);
  }

  /// Whether all was decided; else a region that always runs was \p hopeless. That is told as soon as it is known: what
  /// else would be found is thrown away then. \p goesOn is asked behind each phase; if not, those before it are left out.
  bool run(function_ref<bool(const Region &)> hopeless, const GoesOn &goesOn) {
    for (unsigned number = phases_.size(); number-- > 0;) {
      const std::vector<unsigned> hoped = withHope(enter(number), hopeless);
      auto isLost = [&](unsigned index) { return !skippable_[index]; };
      do {
        if (any_of(hoped, isLost))
          return false;
        addSafety();
        slice_.close();
        if (slice_.hasStopped())
          return false;
      } while (withdraw());
      note(number);
      if (!goesOn(number, decisions_))
        break;
    }
    return true;
  }

  std::vector<Decision> take() { return std::move(decisions_); }

  /// Decision::way stays empty.
  void leaveWaysOut() { keepsWays_ = false; }

  Points asked() const {
    Points asked;
    for (const Instruction *value : given_.values)
      if (slice_.isAsked(value))
        asked.values.insert(value);
    for (const Use *argument : given_.arguments)
      if (slice_.isAsked(argument))
        asked.arguments.insert(argument);
    asked.unread = unread_;
    return asked;
  }

  /// Of the one phase there is: see demandsIn.
  Demands demands(unsigned number, ArrayRef<Decision> decisions, const Points &candidates,
                  SkippedCalls calls) {
    if (calls == SkippedCalls::Count)
      slice_.setRunning(nullptr);
    Demands demands;
    slice_.record(demands, candidates);
    enter(0);
    skipAsIn(decisions, number);
    addSafety();
    slice_.close();
    return demands;
  }

  /// See decideFolds. In place of run: nothing is decided of bursts.
  void fold(MutableArrayRef<FoldSite> sites, FoldDecision FoldSite::*decision,
            ArrayRef<Decision> skipped) {
    std::vector<bool> kept(sites.size(), false);
    for (FoldSite &site : sites)
      if (!site.hasEscaped)
        site.*decision = {};
    for (unsigned number = phases_.size(); number-- > 0;) {
      enter(number);
      if (skipped.empty()) {
        slice_.setRunning(nullptr);
        addAllSafety();
      } else {
        skipAsIn(skipped, number);
        addSafety();
      }
      slice_.close();
      for (auto [index, site] : enumerate(sites)) {
        if (site.hasEscaped || kept[index])
          continue;
        FoldDecision &what = site.*decision;
        if (const Cell *needed =
                find_if(site.cells, [&](Cell cell) { return slice_.isRelevant(cell); });
            needed != site.cells.end()) {
          kept[index] = true;
          what.reason = whyNeeded(*needed);
          continue;
        }
        what.foldable = true;
        what.phase = number;
      }
    }
  }

private:
  /// In the phase of that \p number.
  void skipAsIn(ArrayRef<Decision> decisions, unsigned number) {
    for (auto [index, decision] : enumerate(decisions))
      skippable_[index] = decision.skippable && decision.phase <= number;
  }

  /// Why the cell must be right, by the way that leads from who writes it or reads it.
  std::string whyNeeded(Cell cell) const {
    for (MemoryUse::Users users : {memory_.writers(cell), memory_.readers(cell)})
      for (const Instruction *user : users)
        if (std::optional<Slice::Way> way = slice_.way(*user))
          return reasonOf(*way, memory_, roots_).text;
    return "something that must be right is read from it";
  }

  /// Of all code, whether it may be skipped or not.
  void addAllSafety() {
    for (const Function &function : program_.module())
      for (const Instruction *instruction : roots_.sites().unsafe(function))
        if (scope_->contains(instruction->getParent()) && safeAll_.insert(instruction).second)
          roots_.addSafety(slice_, *instruction, "is executed while its cost is learnt");
  }

  /// Gives the regions that no later phase has.
  std::vector<unsigned> enter(unsigned number) {
    const bool isFirst = !std::exchange(entered_, true);
    scope_ = &phases_[number].scope;
    looked_ = 0;
    if (!isFirst)
      slice_.widen(*scope_);
    addEffects(roots_.enterScope(*scope_));
    roots_.addInterface(slice_, *scope_);
    std::vector<unsigned> found;
    size_t left = 0;
    for (unsigned index : later_) {
      const Region &region = regions_.all()[index];
      if (!isReachable(region)) {
        later_[left++] = index;
        continue;
      }
      found.push_back(index);
      decisions_[index].reachable = true;
      skippable_[index] = wishes_(region) != Wish::Run;
      if (!skippable_[index])
        decisions_[index].reason.text = "the program says so";
      needEntry(index);
    }
    later_.resize(left);
    return found;
  }

  /// Of code that has come into the scope, or of all in it \p again.
  void addEffects(bool again) {
    if (again)
      laterEffects_ = roots_.sites().effects().vec();
    erase_if(laterEffects_, [&](const Instruction *instruction) {
      const bool isInside = scope_->contains(instruction->getParent());
      if (isInside)
        roots_.addEffects(slice_, *instruction);
      return isInside;
    });
  }

  /// Those that must not turn out to run. The slice stops where it comes to one of their calls.
  std::vector<unsigned> withHope(std::vector<unsigned> open,
                                 function_ref<bool(const Region &)> hopeless) {
    erase_if(open, [&](unsigned index) { return !hopeless(regions_.all()[index]); });
    SmallVector<const Instruction *> calls;
    for (unsigned index : open) {
      const Region &region = regions_.all()[index];
      if (wishes_(region) == Wish::Skip)
        continue;
      for (const BasicBlock *block : region.blocks)
        for (const Instruction &instruction : *block)
          if (runsWith(region, instruction))
            calls.push_back(&instruction);
    }
    slice_.stopAt(calls);
    return open;
  }

  /// Reads whose address nothing else needs, in the last phase that has them: it would be needed in those before, too.
  void noteUnread() {
    for (const Instruction *read : given_.unread) {
      if (!scope_->contains(read->getParent()) || !addressed_.insert(read).second)
        continue;
      const Value *address = getLoadStorePointerOperand(read);
      if (isa<Instruction, Argument>(address) && !slice_.isNeeded(*address))
        unread_.insert(read);
    }
  }

  /// What is needed of the regions that may be skipped from this phase on, or from an earlier one.
  void note(unsigned number) {
    noteUnread();
    for (auto [index, region] : enumerate(regions_.all())) {
      Decision &decision = decisions_[index];
      if (!decision.reachable || !skippable_[index])
        continue;
      decision.skippable = true;
      decision.phase = number;
      decision.kept = kept(region);
      decision.streams = streams(region);
      for (const CallBase *print : decision.streams)
        decision.kept.erase(print);
      decision.reloads = reloads(region);
      decision.forced = wishes_(region) == Wish::Skip;
    }
  }

  bool isReachable(const Region &region) const { return scope_->contains(region.entry); }

  DenseSet<const Instruction *> kept(const Region &region) const {
    DenseSet<const Instruction *> kept;
    for (const BasicBlock *block : region.blocks)
      for (const Instruction &instruction : *block)
        if (slice_.isRelevant(instruction))
          kept.insert(&instruction);
    return kept;
  }

  /// Of phis in the region and where it ends.
  DenseMap<const PHINode *, const LoadInst *> reloads(const Region &region) const {
    DenseMap<const PHINode *, const LoadInst *> found;
    auto add = [&](const BasicBlock &block) {
      for (const PHINode &phi : block.phis())
        if (const LoadInst *same = memory_.reloadOf(phi))
          found[&phi] = same;
    };
    for (const BasicBlock *block : region.blocks) {
      add(*block);
      for (const BasicBlock *next : successors(block))
        add(*next);
    }
    return found;
  }

  DenseSet<const CallBase *> streams(const Region &region) const {
    DenseSet<const CallBase *> found;
    for (const BasicBlock *block : region.blocks)
      for (const Instruction &instruction : *block)
        if (const auto *call = dyn_cast<CallBase>(&instruction);
            call && roots_.isPrintOfBurst(*call) && slice_.isRelevant(*call) &&
            slice_.isOnlyAsked(*call) && givesStream(*call))
          found.insert(call);
    return found;
  }

  /// How often a burst is entered must not depend on what was skipped.
  void needEntry(unsigned index) {
    const Region &region = regions_.all()[index];
    const Instruction &first = *region.entry->getFirstNonPHIIt();
    const Slice::RootId root = slice_.addLastingRoot(roots_.entryText(index), first);
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

  void runs(const Function &function) {
    if (!function.isDeclaration() && runs_.insert(&function).second)
      running_.push_back(&function);
  }

  bool mayBeLeftOut(const BasicBlock &block) const {
    const int region = regions_.of(block);
    return region >= 0 && skippable_[region];
  }

  /// The functions that code outside regions which may be skipped calls, transitively, within the
  /// scope.
  void findWhatRuns() {
    const size_t looked = std::exchange(looked_, 0);
    for (size_t i = 0; i < running_.size(); ++i) {
      if (complete_.contains(running_[i]) || (i < looked && !withdrawn_.contains(running_[i])))
        continue;
      bool complete = true;
      for (const BasicBlock &block : *running_[i]) {
        if (followed_.contains(&block))
          continue;
        if (!scope_->contains(&block) || mayBeLeftOut(block)) {
          complete = false;
          continue;
        }
        followed_.insert(&block);
        if (changed_.empty() || changed_.back() != running_[i])
          changed_.push_back(running_[i]);
        for (const Instruction &instruction : block)
          if (const auto *call = dyn_cast<CallBase>(&instruction))
            if (ArrayRef<const Function *> callees = program_.callees(*call);
                seenCallees_.insert(callees.data()).second)
              for (const Function *callee : callees)
                runs(*callee);
      }
      if (complete)
        complete_.insert(running_[i]);
    }
    looked_ = running_.size();
    withdrawn_.clear();
  }

  /// The demands of code that runs whatever is skipped, so far as they are new.
  void addSafety() {
    constexpr size_t Ahead = 8; // of what is needed, which lies anywhere
    findWhatRuns();
    llvm::sort(changed_, [&](const Function *one, const Function *other) {
      return program_.numberOf(*one) < program_.numberOf(*other);
    });
    for (const Function *function : changed_) {
      const BasicBlock *block = nullptr;
      bool isNew = false;
      const ArrayRef<Roots::Unsafe> all = roots_.unsafe(*function);
      for (auto [place, unsafe] : enumerate(all)) {
        if (unsafe.block != block) {
          block = unsafe.block;
          isNew = followed_.contains(block) && safe_.insert(block);
        }
        if (isNew) {
          if (place + Ahead < all.size())
            slice_.expect(all[place + Ahead].value);
          roots_.addSafety(slice_, unsafe);
          addFrees(*unsafe.instruction);
        }
      }
    }
    changed_.clear();
  }

  void addFrees(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const ArrayRef<const CallBase *> frees =
        call ? memory_.heap().freesOf(*call) : ArrayRef<const CallBase *>();
    if (!frees.empty() && freed_.insert(frees.data()).second)
      roots_.addFrees(slice_, *call);
  }

  /// Regions that turn out to be needed; whether there were any.
  bool withdraw() {
    bool changed = false;
    for (auto [index, region] : enumerate(regions_.all())) {
      if (!skippable_[index] || wishes_(region) == Wish::Skip)
        continue;
      const Instruction *needed = neededOf(region);
      if (!needed)
        continue;
      decisions_[index].reason = reasonOf(*slice_.way(*needed), memory_, roots_);
      if (keepsWays_)
        decisions_[index].way = slice_.itemsOnWay(*needed);
      skippable_[index] = false;
      withdrawn_.insert(region.function);
      changed = true;
    }
    return changed;
  }

  bool enters(const Instruction &instruction) const {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && !program_.callees(*call).empty();
  }

  /// Whether the region runs if the instruction is needed.
  bool runsWith(const Region &region, const Instruction &instruction) const {
    return &instruction == region.call || enters(instruction);
  }

  /// Whether the instruction, which writes no memory, leaves something behind that must be right: a flag of a
  /// floating-point exception. Nobody would see that a copy needs it.
  bool leavesNeeded(const Instruction &instruction) const {
    return !instruction.mayWriteToMemory() &&
           any_of(memory_.writes(instruction), [&](Cell cell) { return slice_.isRelevant(cell); });
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
        // The work of a loop that calls functions with loops is in those.
        constexpr unsigned Heavy = 1000;
        all += enters(instruction) && program_.entersLoops(cast<CallBase>(instruction)) ? Heavy : 1;
        if (!slice_.isRelevant(instruction))
          continue;
        ++needed;
        if (runsWith(region, instruction) || leavesNeeded(instruction))
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
  Roots &roots_;
  const Regions &regions_;
  const ArrayRef<Phase> phases_;
  const Wishes &wishes_;
  const Scope *scope_;
  Slice slice_;
  const Points &given_;
  bool keepsWays_ = true;
  bool entered_ = false; ///< a phase
  std::vector<unsigned>
      later_; ///< regions that no phase has had yet: each scope holds those that were before it
  std::vector<const Instruction *> laterEffects_; ///< the same of roots_.sites().effects()
  std::vector<bool> skippable_;                   ///< in the present phase
  std::vector<Decision> decisions_;
  DenseSet<const Function *> runs_; ///< whatever is skipped
  std::vector<const Function *> running_;
  size_t looked_ = 0;                       ///< of running_, looked at in this scope
  DenseSet<const Function *> withdrawn_;    ///< with regions that have come to run since then
  DenseSet<const void *> seenCallees_;      ///< sets of them
  DenseSet<const Function *> complete_;     ///< all blocks of them have been
  std::vector<const Function *> changed_;   ///< with blocks that have been since the last addSafety
  Scope followed_;                          ///< blocks whose calls have been
  Scope safe_;                              ///< blocks whose demands have been added
  DenseSet<const void *> freed_;            ///< lists of Heap::freesOf that have been asked for
  DenseSet<const Instruction *> addressed_; ///< reads that noteUnread has had
  DenseSet<const Instruction *> unread_;    ///< of these
  DenseSet<const Instruction *> safeAll_;   ///< whose demands addAllSafety has added
};

} // namespace

std::optional<std::vector<Decision>>
decide(const MemoryUse &memory, Roots &roots, const Regions &regions, ArrayRef<Phase> phases,
       const Wishes &wishes, function_ref<bool(const Region &)> hopeless, const GoesOn &goesOn) {
  Deciding deciding(memory, roots, regions, phases, wishes, Slice::noPoints());
  const bool decided = deciding.run(hopeless, goesOn);
  roots.enterScope(phases.back().scope);
  if (!decided)
    return std::nullopt;
  return deciding.take();
}

DecidedBy decideWith(const MemoryUse &memory, Roots &roots, const Regions &regions,
                     ArrayRef<Phase> phases, const Wishes &wishes, const Points &given) {
  Deciding deciding(memory, roots, regions, phases, wishes, given);
  deciding.leaveWaysOut();
  deciding.run([](const Region &) { return false; }, allPhases);
  roots.enterScope(phases.back().scope);
  Points asked = deciding.asked();
  return {deciding.take(), std::move(asked)};
}

Demands demandsIn(const MemoryUse &memory, Roots &roots, const Regions &regions, const Phase &phase,
                  unsigned number, const Wishes &wishes, ArrayRef<Decision> decisions,
                  const Points &given, const Points &candidates, SkippedCalls calls) {
  Deciding deciding(memory, roots, regions, phase, wishes, given);
  return deciding.demands(number, decisions, candidates, calls);
}

void decideFolds(const MemoryUse &memory, Roots &roots, const Regions &regions,
                 ArrayRef<Phase> phases, const Wishes &wishes, const FoldTerms &terms,
                 MutableArrayRef<FoldSite> sites, FoldDecision FoldSite::*decision) {
  Deciding deciding(memory, roots, regions, phases, wishes, terms.given);
  deciding.fold(sites, decision, terms.skipped);
  roots.enterScope(phases.back().scope);
}

} // namespace gnomon
