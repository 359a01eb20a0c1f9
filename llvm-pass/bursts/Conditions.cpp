// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Conditions.h"

#include "bursts/Between.h"
#include "bursts/Weights.h"
#include "names/Places.h"
#include "slice/Invariants.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace llvm;

namespace gnomon {
namespace {

/// A condition, and what it would have to be.
struct Assumption {
  unsigned phase; ///< the last one in which something rests on it
  unsigned number;
  bool holds;
  const Instruction *condition;
};

using Outcome = std::pair<const Instruction *, bool>;

/// What cuts the ways on which regions are needed: conditions that do not change, of which one outcome rules out an
/// instruction on the way, or makes what it computes known.
class Search {
public:
  Search(const MemoryUse &memory, const Between &between, FunctionAnalysisManager &analyses,
         ArrayRef<Phase> phases, const std::set<Outcome> &failed)
      : memory_(memory), program_(memory.program()), between_(between), analyses_(analyses),
        phases_(phases), failed_(failed) {
    for (const Phase &phase : phases)
      invariants_.push_back(std::make_unique<Invariants>(memory, phase.scope));
  }

  /// The way on which the region is needed, of that \p weight.
  void look(const Region &region, ArrayRef<const Value *> way, double weight) {
    // Without the region itself nothing would be gained.
    blocks_.clear();
    cutting_.clear();
    lookAround(*region.entry);
    const DenseSet<unsigned> own = std::exchange(cutting_, {});
    const Value *before = nullptr;
    for (const Value *item : way) {
      const auto *instruction = dyn_cast<Instruction>(item);
      if (instruction && before)
        lookAtOperands(*instruction, *before);
      lookAround(instruction ? *instruction->getParent() : *cast<BasicBlock>(item));
      before = item;
    }
    for (unsigned place : cutting_)
      if (!own.contains(place))
        (found_.begin() + place)->second.second += weight;
  }

  /// The one that cuts the most.
  std::optional<Assumption> best() const {
    const auto *most = max_element(
        found_, [](const auto &a, const auto &b) { return a.second.second < b.second.second; });
    if (most == found_.end() || most->second.second == 0)
      return std::nullopt;
    const auto &[phase, number, holds] = most->first;
    return Assumption{phase, number, holds, most->second.first};
  }

private:
  using Key = std::tuple<unsigned, unsigned, bool>;
  using Cuts = SmallVector<unsigned, 4>; ///< places in found_

  /// \p operand: the one by which the way leads on.
  void lookAtOperands(const Instruction &user, const Value &operand) {
    using namespace PatternMatch;
    if (!between_.contains(user))
      return;
    Cuts cuts;
    const Value *left = nullptr, *right = nullptr;
    if (match(&user, m_LogicalAnd(m_Value(left), m_Value(right))))
      ruleOut(*(left == &operand ? right : left), true, user, cuts);
    else if (match(&user, m_LogicalOr(m_Value(left), m_Value(right))))
      ruleOut(*(left == &operand ? right : left), false, user, cuts);
    const auto *selection = dyn_cast<SelectInst>(&user);
    if (selection && selection->getCondition() != &operand &&
        selection->getTrueValue() != selection->getFalseValue())
      ruleOut(*selection->getCondition(), selection->getTrueValue() == &operand, user, cuts);
    cutting_.insert_range(cuts);
  }

  /// Branches without which the block does not run, and those around the only call of its function.
  void lookAround(const BasicBlock &inner) {
    for (const BasicBlock *block = &inner; block && blocks_.insert(block).second;) {
      cutting_.insert_range(cutsAround(*block));
      const Function &function = *block->getParent();
      ArrayRef<const CallBase *> callers = program_.callers(function);
      const bool isCalledOnce = callers.size() == 1 && !program_.calledFromOutside(function);
      block = isCalledOnce ? callers.front()->getParent() : nullptr;
    }
  }

  /// Found once, for the ways of thousands of regions lead through the same blocks: what the edge to the block from its
  /// dominator cuts, and then what cuts the ways to that. (An edge that dominates a block dominates all that lies between.)
  const Cuts &cutsAround(const BasicBlock &inner) {
    const DominatorTree &dominators =
        analyses_.getResult<DominatorTreeAnalysis>(const_cast<Function &>(*inner.getParent()));
    SmallVector<const BasicBlock *, 16> chain;
    for (const BasicBlock *block = &inner; block && around_.try_emplace(block).second;) {
      chain.push_back(block);
      const DomTreeNode *node = dominators.getNode(block);
      block = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      if (block)
        addEdges(*block, *chain.back(), dominators);
    }
    for (const BasicBlock *block : reverse(chain)) {
      const DomTreeNode *node = dominators.getNode(block);
      if (node && node->getIDom())
        append_range(around_[block], around_[node->getIDom()->getBlock()]);
    }
    return around_[&inner];
  }

  /// What is cut because only one edge from its dominator leads to the block.
  void addEdges(const BasicBlock &dominator, const BasicBlock &block,
                const DominatorTree &dominators) {
    const auto *branch = dyn_cast<BranchInst>(dominator.getTerminator());
    if (!branch || !branch->isConditional() || !between_.contains(*branch))
      return;
    Cuts cuts;
    for (unsigned i : {0U, 1U})
      if (dominators.dominates(BasicBlockEdge(&dominator, branch->getSuccessor(i)), &block))
        ruleOut(*branch->getCondition(), i == 0, *branch, cuts);
    around_[&block] = std::move(cuts);
  }

  /// The way is cut where \p value is not \p outcome, at \p place.
  void ruleOut(const Value &value, bool outcome, const Instruction &place, Cuts &cuts) {
    using namespace PatternMatch;
    const auto *condition = dyn_cast<Instruction>(&value);
    if (!condition || !condition->getType()->isIntegerTy(1) || !between_.contains(*condition))
      return;
    const unsigned phase = lastWith(*place.getParent());
    if (const std::optional<unsigned> number = invariants_[phase]->numberOf(value)) {
      if (failed_.contains({condition, !outcome}) || differs(value))
        return;
      const Key key{phase, *number, !outcome};
      const auto known = found_.try_emplace(key, std::pair(condition, 0.0)).first;
      cuts.push_back(unsigned(known - found_.begin()));
      return;
    }
    const Value *left = nullptr, *right = nullptr;
    if (match(&value, m_Not(m_Value(left))))
      return ruleOut(*left, !outcome, place, cuts);
    if (outcome ? match(&value, m_LogicalAnd(m_Value(left), m_Value(right)))
                : match(&value, m_LogicalOr(m_Value(left), m_Value(right)))) {
      ruleOut(*left, outcome, place, cuts);
      ruleOut(*right, outcome, place, cuts);
    }
  }

  /// Whether it rests on the rank's number, as far as can be seen: then it hardly holds on all.
  bool differs(const Value &value) const {
    const auto [place, isNew] = differs_.try_emplace(&value, false);
    return isNew ? place->second = restsOnRank(value) : place->second;
  }

  bool restsOnRank(const Value &value) const {
    constexpr size_t MostLooks = 256;
    SmallVector<const Value *, 16> work{&value};
    DenseSet<const Value *> seen{&value};
    auto add = [&](const Value &next) {
      if (seen.size() < MostLooks && seen.insert(&next).second)
        work.push_back(&next);
    };
    while (!work.empty()) {
      const Value *next = work.pop_back_val();
      if (const auto *argument = dyn_cast<Argument>(next))
        for (const CallBase *call : program_.callers(*argument->getParent()))
          if (argument->getArgNo() < call->arg_size())
            add(*call->getArgOperand(argument->getArgNo()));
      const auto *instruction = dyn_cast<Instruction>(next);
      if (!instruction)
        continue;
      for (const Value *operand : instruction->operand_values())
        add(*operand);
      if (!isa<LoadInst>(instruction))
        continue;
      for (Cell cell : memory_.reads(*instruction))
        for (const Instruction *writer : memory_.writers(cell)) {
          const auto *call = dyn_cast<CallBase>(writer);
          const MpiFunction *mpi = call ? mpiFunction(*call) : nullptr;
          if (mpi && mpi->effect == MpiEffect::Local &&
              (mpi->name.contains("_rank") || mpi->name.starts_with("MPI_Cart_")))
            return true;
          if (const auto *store = dyn_cast<StoreInst>(writer))
            add(*store->getValueOperand());
        }
    }
    return false;
  }

  unsigned lastWith(const BasicBlock &block) const {
    unsigned last = 0;
    for (auto [number, phase] : enumerate(phases_))
      if (phase.scope.contains(&block))
        last = unsigned(number);
    return last;
  }

  const MemoryUse &memory_;
  const Program &program_;
  const Between &between_;
  FunctionAnalysisManager &analyses_;
  ArrayRef<Phase> phases_;
  const std::set<Outcome> &failed_;
  std::vector<std::unique_ptr<Invariants>> invariants_; ///< of each phase
  DenseSet<const BasicBlock *> blocks_;                 ///< of the way, looked at
  DenseSet<unsigned> cutting_;                          ///< what cuts the way: places in found_
  DenseMap<const BasicBlock *, Cuts> around_;
  mutable DenseMap<const Value *, bool> differs_;
  /// In the order in which they were come by: where it is computed, and the weight of the regions whose ways it cuts.
  MapVector<Key, std::pair<const Instruction *, double>, std::map<Key, unsigned>> found_;
};

/// What follows from what is \p known, in code where conditions count.
void addConsequences(function_ref<bool(const Instruction &)> counts, const DataLayout &layout,
                     Known &known) {
  SmallVector<const Value *, 16> work(make_first_range(known.values));
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      const auto *instruction = dyn_cast<Instruction>(user);
      if (!instruction || known.values.contains(instruction) || !counts(*instruction))
        continue;
      if (const auto *branch = dyn_cast<BranchInst>(instruction))
        known.taken[branch] =
            branch->getSuccessor(known.values.lookup(branch->getCondition())->isZero() ? 1 : 0);
      if (!isa<BinaryOperator, CmpInst, SelectInst, CastInst>(instruction))
        continue;
      SmallVector<Value *, 4> operands;
      for (const Use &operand : instruction->operands()) {
        ConstantInt *constant = known.values.lookup(operand);
        operands.push_back(constant ? constant : operand.get());
      }
      if (auto *result = dyn_cast_or_null<ConstantInt>(simplifyInstructionWithOperands(
              const_cast<Instruction *>(instruction), operands, SimplifyQuery(layout)))) {
        known.values[instruction] = result;
        known.chosen.erase(instruction);
        work.push_back(instruction);
      } else if (const auto *selection = dyn_cast<SelectInst>(instruction)) {
        if (const auto *condition = dyn_cast<ConstantInt>(operands.front()))
          known.chosen[selection] =
              condition->isZero() ? selection->getFalseValue() : selection->getTrueValue();
      }
    }
}

/// Where the condition is used: it may have been computed long before, when other ranks were elsewhere.
void addChecks(Instruction &condition, function_ref<bool(const Instruction &)> counts,
               Phase &phase) {
  DenseSet<const BasicBlock *> seen;
  for (User *user : condition.users()) {
    auto *use = cast<Instruction>(user);
    if (isa<PHINode>(use) || !counts(*use) || !seen.insert(use->getParent()).second)
      continue;
    // The first use in the block has one before it.
    for (User *other : condition.users())
      if (auto *also = cast<Instruction>(other);
          !isa<PHINode>(also) && also->getParent() == use->getParent() && also->comesBefore(use))
        use = also;
    phase.checks.push_back({&condition, use});
  }
}

/// The phase in which the assumption holds; it goes behind that of its number. Its scope holds the next one, where nothing
/// more is known than there: a rank comes to that whatever the condition is.
Phase makePhase(const MemoryUse &memory, const Between &between, ArrayRef<Phase> phases,
                const Assumption &assumed) {
  const Program &program = memory.program();
  const Phase &before = phases[assumed.phase];
  Phase phase;
  phase.starts = before.starts;
  phase.chain = before.chain;
  phase.holds = assumed.holds;
  const Scope *next =
      assumed.phase + 1 < phases.size() ? &phases[assumed.phase + 1].scope : nullptr;
  auto counts = [&](const Instruction &instruction) {
    const BasicBlock *block = instruction.getParent();
    return between.contains(instruction) && before.scope.contains(block) &&
           !(next && next->contains(block));
  };
  auto known = before.scope.known() ? std::make_shared<Known>(*before.scope.known())
                                    : std::make_shared<Known>();
  Invariants invariants(memory, before.scope);
  const std::optional<unsigned> number = invariants.numberOf(*assumed.condition);
  ConstantInt *value = ConstantInt::getBool(program.module().getContext(), assumed.holds);
  for (Function &function : program.module())
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == assumed.condition->getOpcode() &&
          instruction.getType()->isIntegerTy(1) && between.contains(instruction) &&
          !(next && next->contains(instruction.getParent())) &&
          invariants.numberOf(instruction) == number) {
        known->values[&instruction] = value;
        addChecks(instruction, counts, phase);
      }
  addConsequences(counts, program.module().getDataLayout(), *known);
  phase.scope = scopeWhere(program, before, std::move(known));
  if (next)
    phase.scope.insert(*next);
  return phase;
}

/// "the condition at a.c:12 is false", for people.
std::string conditionText(const Phase &phase) {
  const Phase::Check &check = phase.checks.front();
  const std::string name = nameInSource(*check.condition);
  const DebugLoc place = nearestPlace(*check.before); // where it decides
  return (name.empty() ? "the condition" : "'" + name + "'") + " at " +
         (place ? placeOf(place) : placeOf(*check.before)) + " is " +
         (phase.holds ? "true" : "false");
}

/// Whether more may be skipped, or earlier, where a phase has come in behind that of number \p behind.
bool gains(ArrayRef<Decision> before, ArrayRef<Decision> now, unsigned behind) {
  return any_of(zip(before, now), [&](const auto &both) {
    const auto &[old, decision] = both;
    return decision.skippable &&
           (!old.skippable || decision.phase < old.phase + (old.phase > behind));
  });
}

} // namespace

void addConditions(const MemoryUse &memory, Roots &roots, const Regions &regions,
                   const Wishes &wishes, FunctionAnalysisManager &analyses,
                   std::vector<Phase> &phases, std::vector<Decision> &decisions) {
  // Each try takes as long as to decide without it: few of a large program.
  constexpr size_t MostTried = 3, MostLooks = 600'000;
  const size_t mostTried = std::clamp<size_t>(
      MostLooks / std::max<size_t>(memory.program().instructionCount(), 1), 1, MostTried);
  const Between between(memory.program(), regions);
  Weights weights(memory.program(), analyses);
  std::set<Outcome> failed;
  // What is tried, on top of what has let more be skipped: a way that is left may need a further condition.
  std::vector<Phase> tried = phases;
  std::vector<Decision> last = decisions;
  std::vector<Outcome> open;
  for (size_t n = 0; n < mostTried;) {
    Search search(memory, between, analyses, tried, failed);
    for (auto [region, decision] : zip(regions.all(), last))
      if (decision.reachable && !decision.skippable)
        search.look(region, decision.way, weights.of(region));
    const std::optional<Assumption> assumed = search.best();
    if (!assumed) {
      if (open.empty())
        return;
      failed.insert(open.front());
      open.clear();
      tried = phases;
      last = decisions;
      continue;
    }
    // A phase with another condition would have to wait for this one.
    const bool isBefore =
        assumed->phase + 1 < tried.size() && !tried[assumed->phase + 1].checks.empty();
    Phase phase = makePhase(memory, between, tried, *assumed);
    if (isBefore || phase.checks.empty()) {
      failed.emplace(assumed->condition, assumed->holds);
      continue;
    }
    tried.insert(tried.begin() + assumed->phase + 1, std::move(phase));
    // The phases before the new one do not have its condition: if it lets no more be skipped, they do not either.
    const auto helps = [&](unsigned number, ArrayRef<Decision> soFar) {
      return number != assumed->phase + 1 || gains(last, soFar, assumed->phase);
    };
    std::vector<Decision> now =
        *decide(memory, roots, regions, tried, wishes, [](const Region &) { return false; }, helps);
    ++n;
    open.emplace_back(assumed->condition, assumed->holds);
    if (gains(last, now, assumed->phase)) {
      phases = tried;
      decisions = now;
      open.clear();
    }
    last = std::move(now);
  }
}

void nameConditions(ArrayRef<Phase> phases, MutableArrayRef<Decision> decisions) {
  for (Decision &decision : decisions) {
    if (!decision.skippable)
      continue;
    // Phases with further conditions stand behind each other.
    for (unsigned number = decision.phase; !phases[number].checks.empty(); --number)
      decision.condition = conditionText(phases[number]) +
                           (decision.condition.empty() ? "" : " and ") + decision.condition;
  }
}

} // namespace gnomon
