// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Staleness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

Staleness::Staleness(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                     const std::vector<Decision> &decisions, unsigned number, const Scope &scope,
                     const Staleness *before, const Points &given, ArrayRef<FoldedCell> folded)
    : memory_(memory), roots_(roots), program_(memory.program()), scope_(scope), given_(given),
      locals_(memory), cells_(memory.program().pointsTo().cellCount(), false) {
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.skippable && decision.phase <= number)
      seed(region, decision);
  for (Cell cell = 0; before && cell < cells_.size(); ++cell)
    if (before->cells_[cell])
      addCell(cell);
  for (const FoldedCell &cell : folded)
    if (cell.phase <= number)
      addCell(cell.cell);
  close();
}

/// What a skipped instance leaves undone.
void Staleness::seed(const Region &region, const Decision &decision) {
  auto addWritten = [&](const Instruction &instruction, auto isPassed) {
    if (roots_.isPrintOfBurst(instruction))
      return; // What that writes is its stream's.
    for (Cell cell : memory_.writes(instruction))
      if (!cells_[cell] && !locals_.isDeadBehind(region, cell) && isPassed(cell))
        addCell(cell);
  };
  for (const BasicBlock *block : region.blocks)
    for (const Instruction &instruction : *block) {
      if (decision.kept.contains(&instruction))
        continue;
      addWritten(instruction, [](Cell) { return true; });
      for (const User *user : instruction.users())
        if (!is_contained(region.blocks, cast<Instruction>(user)->getParent()))
          addValue(*user); // a phi; inside, what is computed is used by the same instance
    }
  const SmallVector<const Function *> called = functionsCalled(program_, region);
  for (const Function *function : called) {
    const SmallVector<const CallBase *> calls = callsWithin(region, called, *function);
    for (const Instruction &instruction : instructions(*function)) {
      const bool isOwn = function == region.function;
      if (!isOwn && writesOwn(instruction))
        continue;
      const Argument *by = isOwn ? nullptr : memory_.writesBy(instruction);
      addWritten(instruction, [&](Cell cell) {
        return !by || any_of(calls, [&](const CallBase *call) {
          return memory_.mayPass(*call, by->getArgNo(), cell);
        });
      });
    }
  }
}

/// The calls of the function that the region, or what it calls, makes.
SmallVector<const CallBase *> Staleness::callsWithin(const Region &region,
                                                     ArrayRef<const Function *> called,
                                                     const Function &function) const {
  SmallVector<const CallBase *> calls;
  for (const CallBase *call : program_.callers(function))
    if (is_contained(region.blocks, call->getParent()) || is_contained(called, call->getFunction()))
      calls.push_back(call);
  return calls;
}

void Staleness::addValue(const Value &value) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (instruction &&
      (!inScope(*instruction) || given_.values.contains(instruction) || scope_.knows(*instruction)))
    return;
  if (values_.insert(&value).second)
    newValues_.push_back(&value);
}

void Staleness::addCell(Cell cell) {
  if (!cells_[cell]) {
    cells_[cell] = true;
    newCells_.push_back(cell);
  }
}

void Staleness::close() {
  while (!newValues_.empty() || !newCells_.empty() || !newRuns_.empty()) {
    if (!newRuns_.empty()) {
      const BasicBlock *block = newRuns_.back();
      newRuns_.pop_back();
      followRun(*block);
      continue;
    }
    if (!newCells_.empty()) {
      Cell cell = newCells_.back();
      newCells_.pop_back();
      followCell(cell);
      continue;
    }
    const Value *value = newValues_.back();
    newValues_.pop_back();
    for (const User *user : value->users())
      if (const auto *instruction = dyn_cast<Instruction>(user))
        followUse(*value, *instruction);
  }
}

/// What it writes; only the \p numbers of it, not descriptors; only those that elements of an array refer to (\p behind).
void Staleness::addWrites(const Instruction &instruction, bool numbers, bool behind) {
  const auto *store = dyn_cast<StoreInst>(&instruction);
  if (!inScope(instruction) || roots_.isPrintOfBurst(instruction) ||
      (store && locals_.isDeadBehind(*store)))
    return;
  // Once: a copy of many cells is met by each that it reads.
  constexpr uint8_t All = 1, Numbers = 2, Behind = 4;
  const uint8_t part = behind ? Behind : numbers ? Numbers : All;
  uint8_t &added = added_[&instruction];
  if (added & (part | All))
    return;
  added |= part;
  auto add = [&](ArrayRef<Cell> cells) {
    for (Cell cell : cells)
      if (!numbers || !memory_.isShape(cell))
        addCell(cell);
  };
  if (behind)
    add(memory_.touches(instruction, /*written=*/true, /*behind=*/true));
  else
    add(memory_.writes(instruction));
}

void Staleness::followCell(Cell cell) {
  for (const Instruction *reader : memory_.readers(cell)) {
    const auto *call = dyn_cast<CallBase>(reader);
    if (call && mpiFunction(*call)) {
      followMpi(*call);
      continue;
    }
    const auto *load = dyn_cast<LoadInst>(reader);
    if (load && load->isSimple()) { // most, each of them once for each cell that it reads
      if (!values_.contains(load) && !memory_.writerOf(*load))
        addValue(*load);
      continue;
    }
    if (!memory_.passesData(*reader))
      continue;
    const bool renews = call && memory_.effect(*call).kind == EffectKind::Renew;
    if (!reader->getType()->isVoidTy() && !renews)
      addValue(*reader);
    const bool numbers = !memory_.isShape(cell) && memory_.copiesByShape(*reader);
    const bool behind = numbers && memory_.isOnlyBehind(*reader, cell, /*written=*/false);
    addWrites(*reader, numbers, behind); // a copy, a library's function, an atomic
  }
}

void Staleness::followMpi(const CallBase &sender) {
  auto receive = [&](const CallBase &receiver) {
    for (Cell cell : memory_.mpi(receiver).received)
      addCell(cell);
  };
  receive(sender); // MPI_Pack, MPI_Bcast
  ArrayRef<Channel> outgoing = memory_.outgoing(sender);
  for (const Instruction *other : memory_.mpiCalls()) {
    const auto &receiver = *cast<CallBase>(other);
    for (const Channel &in : memory_.incoming(receiver))
      if (any_of(outgoing, [&](const Channel &out) { return in.meets(out); }))
        receive(receiver);
  }
}

void Staleness::followUse(const Value &value, const Instruction &user) {
  if (!inScope(user))
    return;
  if (const auto *call = dyn_cast<CallBase>(&user)) {
    for (const Function *callee : program_.callees(*call))
      for (unsigned i = 0; i < std::min<size_t>(callee->arg_size(), call->arg_size()); ++i)
        if (call->getArgOperand(i) == &value)
          addValue(*callee->getArg(i));
    bool external = !call->getCalledFunction() || call->getCalledFunction()->isDeclaration();
    if (external && !mpiFunction(*call) && memory_.passesData(*call)) {
      if (!call->getType()->isVoidTy())
        addValue(*call);
      addWrites(*call);
    }
    return;
  }
  if (isa<ReturnInst>(user)) {
    for (const CallBase *call : program_.callers(*user.getFunction())) {
      if (!call->getType()->isVoidTy())
        addValue(*call);
      if (orderedBy(*call, memory_.effect(*call)))
        addWrites(*call); // in that order
    }
    return;
  }
  if (user.isTerminator())
    return followBranch(user);
  if (const Value *chosen = scope_.chosenBy(user); chosen && chosen != &value)
    return;
  if (!user.getType()->isVoidTy())
    addValue(user);
  if (user.mayWriteToMemory())
    addWrites(user);
}

void Staleness::findDecided(const Function &function) {
  if (!mapped_.insert(&function).second)
    return;
  for (const BasicBlock &block : function)
    for (const Instruction *decider : program_.flow(function).deciders(block))
      decided_[decider].push_back(&block);
}

/// Which way is taken is not sure: neither is whether what it decides runs, nor what merges where
/// the ways meet.
void Staleness::followBranch(const Instruction &branch) {
  addDecided(branch);
  const Function &function = *branch.getFunction();
  const ControlFlow &flow = program_.flow(function);
  for (const BasicBlock *block : flow.meetings(*branch.getParent()))
    for (const PHINode &phi : block->phis())
      if (!memory_.reloadOf(phi))
        addValue(phi);
  if (!flow.join(*branch.getParent())) // The ways end in returns of their own.
    for (const CallBase *call : program_.callers(function))
      if (!call->getType()->isVoidTy())
        addValue(*call);
}

void Staleness::addDecided(const Instruction &branch) {
  findDecided(*branch.getFunction());
  SmallVector<const BasicBlock *, 8> blocks;
  append_range(blocks, decided_[&branch]);
  for (const BasicBlock *block : blocks)
    addRun(*block, /*within=*/true);
}

/// \p within: even where its function is entered as it should be.
void Staleness::addRun(const BasicBlock &block, bool within) {
  if (!scope_.contains(&block))
    return;
  const bool isNew = runs_.insert(&block).second;
  if ((within && runsWithin_.insert(&block).second) || isNew)
    newRuns_.push_back(&block);
}

/// Whether all that it writes lies in memory that this activation of its function has for itself.
bool Staleness::writesOwn(const Instruction &instruction) const {
  return instruction.mayWriteToMemory() && all_of(memory_.writes(instruction), [&](Cell cell) {
           return memory_.writesOwn(instruction, cell);
         });
}

/// Whether the call is made is not sure: nor is what its callees write by the addresses that it passes.
void Staleness::addPassed(const CallBase &call) {
  for (const Function *callee : program_.callees(call)) {
    auto [found, isNew] = writersByArgument_.try_emplace(callee);
    if (isNew)
      for (const Instruction &instruction : instructions(*callee))
        if (memory_.writesBy(instruction))
          found->second.push_back(&instruction);
    const bool direct = call.getCalledFunction() == callee;
    if (!direct && !unsureByAny_.insert(callee).second)
      continue;
    for (const Instruction *writer : found->second) {
      if (!direct)
        addWrites(*writer);
      else if (inScope(*writer) && !roots_.isPrintOfBurst(*writer))
        for (Cell cell : memory_.writes(*writer))
          if (!cells_[cell] && memory_.mayPass(call, memory_.writesBy(*writer)->getArgNo(), cell))
            addCell(cell);
    }
  }
}

/// Whether the block runs is not sure: nor is what it writes, but for memory of its function that is there only while that
/// runs.
void Staleness::followRun(const BasicBlock &block) {
  const bool within = runsWithin_.contains(&block);
  for (const Instruction &instruction : block) {
    if (within || !(writesOwn(instruction) || memory_.writesBy(instruction)))
      addWrites(instruction);
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      addPassed(*call);
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      if (ArrayRef<const Function *> callees = program_.callees(*call);
          unsureSets_.insert(callees.data()).second)
        for (const Function *callee : callees)
          if (unsure_.insert(callee).second)
            for (const BasicBlock &inner : *callee)
              addRun(inner, /*within=*/false);
  }
  if (within && block.getTerminator()->getNumSuccessors() > 1)
    addDecided(*block.getTerminator());
}

namespace {

/// Calls \p use for each place where a region's code could fault.
template <typename Use>
void forEachUnsafe(const Program &program, const Roots &roots, const Region &region, Use use) {
  auto scan = [&](const BasicBlock &block) {
    if (program.isError(block))
      return;
    for (const Instruction &instruction : block)
      use(instruction);
  };
  for (const BasicBlock *block : region.blocks)
    scan(*block);
  for (const Function *function : functionsCalled(program, region))
    for (const BasicBlock &block : *function)
      scan(block);
}

bool isFrail(const Program &program, const Roots &roots, const Region &region,
             const Staleness &staleness) {
  bool frail = false;
  forEachUnsafe(program, roots, region, [&](const Instruction &instruction) {
    if (frail)
      return;
    roots.forEachUnsafe(
        instruction, [&](const Value &value, const char *) { frail |= staleness.isStale(value); });
    roots.forEachUnsafeCell(instruction,
                            [&](Cell cell, const char *) { frail |= staleness.isStale(cell); });
    if (&instruction == &instruction.getParent()->front() &&
        roots.isLoopHeader(*instruction.getParent()))
      for (const Instruction *exit : roots.loopExits(*instruction.getParent()))
        frail |= any_of(exit->operands(),
                        [&](const Use &operand) { return staleness.isStale(*operand); });
  });
  return frail;
}

bool dropsNeeded(const Program &program, const Region &region, const Decision &decision,
                 const Slice &slice) {
  auto drops = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &instruction) {
      return slice.isRelevant(instruction) && !decision.kept.contains(&instruction);
    });
  };
  return any_of(region.blocks, [&](const BasicBlock *block) { return drops(*block); }) ||
         any_of(functionsCalled(program, region),
                [&](const Function *function) { return any_of(*function, drops); });
}

/// Whether a region is met more than once by a rank.
bool repeats(const Program &program, const Regions &regions, const Region &region) {
  if (region.kind == Region::Iteration || regions.isInLoop(region))
    return true;
  DenseSet<const Function *> seen;
  for (const Function *function = region.function; function->getName() != "main";) {
    ArrayRef<const CallBase *> callers = program.callers(*function);
    if (callers.size() != 1 || !seen.insert(function).second || regions.isInLoop(*callers[0]))
      return true;
    function = callers[0]->getFunction();
  }
  return false;
}

/// Finds what the safety of frail regions rests on, as the regions that drop some of it.
class Weakening {
public:
  Weakening(const MemoryUse &memory, const Roots &roots, const Regions &regions, const Scope &scope,
            const Points &given, std::vector<Decision> &decisions)
      : memory_(memory), roots_(roots), regions_(regions), scope_(scope), given_(given),
        decisions_(decisions) {}

  /// Each frail region takes a slice: of many, one for all says who weakens any of them.
  void mark(ArrayRef<unsigned> frail) {
    // All slices together may look at so many instructions: a second's work.
    constexpr uint64_t MostLooks = 2'000'000;
    if (frail.size() * uint64_t{memory_.program().instructionCount()} > MostLooks)
      return forEachDropping(
          frail, [&](const Region &, Decision &decision) { decision.weakensAll = true; });
    for (unsigned number : frail) {
      const bool often = repeats(memory_.program(), regions_, regions_.all()[number]);
      forEachDropping(number, [&](const Region &region, Decision &decision) {
        // What repeats does not wait for a burst that comes once, later: that one is charged unseen.
        const bool waits = often || !repeats(memory_.program(), regions_, region);
        (waits ? decision.waitsFor : decision.weakens).push_back(number);
      });
    }
  }

private:
  template <typename Use> void forEachDropping(ArrayRef<unsigned> frail, Use use) {
    Slice slice(memory_, scope_, scope_, given_);
    for (unsigned number : frail)
      forEachUnsafe(memory_.program(), roots_, regions_.all()[number],
                    [&](const Instruction &instruction) { roots_.addSafety(slice, instruction); });
    slice.close();
    for (auto [region, decision] : zip(regions_.all(), decisions_))
      if (decision.skippable && dropsNeeded(memory_.program(), region, decision, slice))
        use(region, decision);
  }

  const MemoryUse &memory_;
  const Roots &roots_;
  const Regions &regions_;
  const Scope &scope_;
  const Points &given_;
  std::vector<Decision> &decisions_;
};

} // namespace

/// What is stale in each phase in which there is more of it, from the first on.
template <typename Use>
static Stale forEachStale(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                          const std::vector<Phase> &phases, const std::vector<Decision> &decisions,
                          ArrayRef<FoldedCell> folded, const Points &given, Use use) {
  Stale stale{{}, std::vector<bool>(memory.program().pointsTo().cellCount(), false), {}};
  std::unique_ptr<Staleness> now;
  for (auto [number, phase] : enumerate(phases)) {
    const bool opens = any_of(decisions, [&](const Decision &decision) {
      return decision.skippable && decision.phase == number;
    });
    const bool folds = any_of(folded, [&](const FoldedCell &cell) { return cell.phase == number; });
    if (!opens && !folds)
      continue;
    now = std::make_unique<Staleness>(memory, roots, regions, decisions, number, phase.scope,
                                      now.get(), given, folded);
    stale.values.insert_range(now->values());
    stale.runs.insert_range(now->runs());
    stale.cells = now->cells(); // of earlier phases too
    use(unsigned(number), *now);
  }
  return stale;
}

/// Sets \p mark of the regions that may be skipped in the phase of that \p number and whose safety rests on what is stale;
/// gives the numbers of those that did not have it.
static SmallVector<unsigned> markIn(const MemoryUse &memory, const Roots &roots,
                                    const Regions &regions, const Phase &phase, unsigned number,
                                    MutableArrayRef<Decision> decisions, bool Decision::*mark,
                                    const Staleness &stale) {
  SmallVector<unsigned> marked;
  for (auto [index, region] : enumerate(regions.all())) {
    Decision &decision = decisions[index];
    if (!decision.skippable || decision.*mark || decision.phase > number ||
        !phase.scope.contains(region.entry) || !isFrail(memory.program(), roots, region, stale))
      continue;
    decision.*mark = true;
    marked.push_back(unsigned(index));
  }
  return marked;
}

Stale markUnsafe(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                 const std::vector<Phase> &phases, std::vector<Decision> &decisions,
                 ArrayRef<FoldedCell> folded, const Points &given) {
  return forEachStale(memory, roots, regions, phases, decisions, folded, given,
                      [&](unsigned number, const Staleness &now) {
                        markIn(memory, roots, regions, phases[number], number, decisions,
                               &Decision::unsafe, now);
                      });
}

Stale markFrail(const MemoryUse &memory, const Roots &roots, const Regions &regions,
                const std::vector<Phase> &phases, std::vector<Decision> &decisions,
                ArrayRef<FoldedCell> folded, const Points &given) {
  return forEachStale(
      memory, roots, regions, phases, decisions, folded, given,
      [&](unsigned number, const Staleness &now) {
        const Phase &phase = phases[number];
        const SmallVector<unsigned> frail =
            markIn(memory, roots, regions, phase, number, decisions, &Decision::frail, now);
        Weakening(memory, roots, regions, phase.scope, given, decisions).mark(frail);
      });
}

} // namespace gnomon
