// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Needs.h"

#include "facts/Streams.h"
#include "slice/MemoryUse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <bit>
#include <utility>

using namespace llvm;

namespace gnomon {

bool actsLater(const Program &program, const Instruction &writer) {
  const auto *call = dyn_cast<CallBase>(&writer);
  const MpiFunction *mpi = call ? mpiFunction(*call) : nullptr;
  if (!mpi || program.isError(*writer.getParent()))
    return false;
  return !mpi->blocking || any_of(mpi->arguments, [](const MpiArgument &argument) {
    return argument.role == MpiRole::Memory || argument.role == MpiRole::WindowMemory;
  });
}

Needs::Needs(const MemoryUse &memory)
    : memory_(memory), program_(memory.program()),
      cells_(program_.pointsTo().cellCount(), Nothing) {
  const size_t instructions = program_.instructionCount();
  // Blocks, functions, cells and sets, too. What is not used takes no memory.
  nodes_.reserve(2 * instructions);
  steps_.reserve(10 * instructions);
  table_.resize(std::bit_ceil(2 * instructions + 1), Nothing);
  keep(addNode(Set, nullptr), {});
}

Needs::Id Needs::addNode(Kind kind, const void *item) {
  nodes_.push_back({item, kind, Unmade, 0});
  return static_cast<Id>(nodes_.size()) - 1;
}

/// Where it is, or would come: the next place that is free behind its first one (Knuth, "Sorting and Searching", 6.4,
/// algorithm L).
size_t Needs::placeOf(Kind kind, const void *item) const {
  const uint64_t key = (reinterpret_cast<uintptr_t>(item) >> 3) * 16 + kind;
  const size_t last = table_.size() - 1; // a power of 2, less 1
  size_t place = (key * 0x9E3779B97F4A7C15) >> 32 & last;
  while (const Id there = table_[place]) {
    if (nodes_[there].item == item && nodes_[there].kind == kind)
      break;
    place = (place + 1) & last;
  }
  return place;
}

/// At most two thirds are taken.
void Needs::growTable() {
  const std::vector<Id> before = std::exchange(table_, std::vector<Id>(2 * table_.size(), Nothing));
  for (const Id node : before)
    if (node != Nothing)
      table_[placeOf(nodes_[node].kind, nodes_[node].item)] = node;
}

Needs::Id Needs::of(Kind kind, const void *item) {
  size_t place = placeOf(kind, item);
  if (table_[place] != Nothing)
    return table_[place];
  if (++taken_ * 3 > table_.size() * 2) {
    growTable();
    place = placeOf(kind, item);
  }
  return table_[place] = addNode(kind, item);
}

Needs::Id Needs::of(Cell cell) {
  if (!cells_[cell])
    cells_[cell] = addNode(Memory, reinterpret_cast<const void *>(uintptr_t{cell}));
  return cells_[cell];
}

Needs::Id Needs::ofAddresses(Cell cell) {
  Id &node = addresses_[cell];
  if (!node)
    node = addNode(Addresses, reinterpret_cast<const void *>(uintptr_t{cell}));
  return node;
}

void Needs::make(Id node) {
  Steps steps;
  now_ = &steps;
  makeSteps(nodes_[node].kind, nodes_[node].item);
  keep(node, steps);
}

void Needs::keep(Id node, ArrayRef<Step> steps) {
  nodes_[node].begin = static_cast<uint32_t>(steps_.size());
  steps_.insert(steps_.end(), steps.begin(), steps.end());
  nodes_[node].end = static_cast<uint32_t>(steps_.size());
}

/// What is needed of all members of a set, which are found once.
Needs::Id Needs::setOf(const void *set, unsigned part, function_ref<void()> members) {
  auto [place, isNew] = sets_.try_emplace({set, part}, Nothing);
  if (!isNew)
    return place->second;
  const Id node = place->second = addNode(Set, set);
  fillSet(node, members);
  return node;
}

void Needs::fillSet(Id node, function_ref<void()> members) {
  Steps steps;
  Steps *const asking = std::exchange(now_, &steps);
  members();
  now_ = asking;
  keep(node, steps);
}

void Needs::add(Kind kind, const void *item) {
  if (kind == Value && !isa<Instruction, Argument>(static_cast<const llvm::Value *>(item)))
    return;
  emit(Step::Add, of(kind, item));
}

void Needs::markRelevant(const Instruction &instruction) {
  emit(Step::Relevant, of(Value, &instruction));
}

/// While the writer may not act in the scope, what follows is left out.
void Needs::guardWriter(const Instruction &writer) {
  if (actsLater(program_, writer))
    emit(Step::Always, Nothing);
  else
    guard(*writer.getParent());
}

void Needs::makeSteps(Kind kind, const void *item) {
  switch (kind) {
  case Value: {
    const auto *value = static_cast<const llvm::Value *>(item);
    if (const auto *argument = dyn_cast<Argument>(value))
      return followArgument(*argument);
    return followValue(*cast<Instruction>(value));
  }
  case Memory:
  case Addresses:
    return followMemory(static_cast<Cell>(reinterpret_cast<uintptr_t>(item)), kind == Addresses);
  case Run:
    return followRun(*static_cast<const BasicBlock *>(item));
  case Keep: {
    const auto *instruction = static_cast<const Instruction *>(item);
    require(*instruction->getParent());
    markRelevant(*instruction);
    return addPassing(*instruction->getParent());
  }
  case Effect:
    return followEffect(*static_cast<const Instruction *>(item));
  case Local:
    return followLocal(*static_cast<const Instruction *>(item));
  case Entry:
    return followEntry(*static_cast<const Function *>(item));
  case Result:
    return followResult(*static_cast<const Function *>(item));
  case Set:
    return; // made with it
  }
}

void Needs::needOperands(const Instruction &instruction) {
  for (const Use &operand : instruction.operands())
    add(Value, operand.get());
}

void Needs::needReads(const Instruction &instruction) {
  ArrayRef<Cell> reads = memory_.reads(instruction);
  if (reads.empty())
    return;
  if (const Argument *argument = memory_.readsBy(instruction))
    return needPassed(reads, *argument);
  needCells(reads);
}

void Needs::needCells(ArrayRef<Cell> cells) {
  if (!cells.empty())
    emit(Step::Enter, setOf(cells.data(), Whole, [&] {
           for (Cell cell : cells)
             add(cell);
         }));
}

/// What is read at the address that is the argument: a call that is left out hands none over.
void Needs::needPassed(ArrayRef<Cell> reads, const Argument &argument) {
  auto [place, isNew] = passed_.try_emplace({reads.data(), &argument}, Nothing);
  const Id node = isNew ? place->second = addNode(Set, &argument) : place->second;
  if (isNew)
    fillSet(node, [&] { addPassed(reads, argument); });
  emit(Step::EnterAnew, node);
}

/// By each call of its function what that passes of them; what none does, somebody from outside.
void Needs::addPassed(ArrayRef<Cell> reads, const Argument &argument) {
  SmallVector<bool, 16> isPassed(reads.size(), false);
  for (const CallBase *call : program_.callers(*argument.getParent())) {
    SmallVector<Cell> passed;
    for (auto [cell, known] : zip(reads, isPassed))
      if (memory_.mayPass(*call, argument.getArgNo(), cell)) {
        passed.push_back(cell);
        known = true;
      }
    guard(*call->getParent());
    emit(Step::Runs, of(Run, call->getParent()));
    needCells(program_.pointsTo().setOf(passed));
  }
  emit(Step::Always, Nothing);
  const bool fromOutside = program_.calledFromOutside(*argument.getParent());
  for (auto [cell, known] : zip(reads, isPassed))
    if (!known || (cell == PointsTo::Unknown && fromOutside))
      add(cell);
}

void Needs::needResults(const CallBase &call) {
  ArrayRef<const Function *> callees = program_.callees(call);
  if (callees.empty())
    return;
  emit(Step::Enter, setOf(callees.data(), Whole, [&] {
         for (const Function *callee : callees)
           add(Result, callee);
       }));
}

void Needs::followValue(const Instruction &instruction) {
  // What ran before the scope began is exact.
  require(*instruction.getParent());
  const auto *phi = dyn_cast<PHINode>(&instruction);
  if (const LoadInst *same = phi ? memory_.reloadOf(*phi) : nullptr)
    return add(Value, same); // in its place, where only what is relevant remains
  emit(Step::Check, of(Value, &instruction));
  markRelevant(instruction);
  if (phi)
    return followPhi(*phi);
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return followCall(*call);
  needOperands(instruction);
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (const CallBase *writer = load ? memory_.writerOf(*load) : nullptr)
    return add(Keep, writer);
  if (const auto writers =
          load ? memory_.writersSince(*load) : SmallVector<const Instruction *, 4>();
      !writers.empty()) {
    for (const Instruction *writer : writers)
      add(!isa<StoreInst>(writer) && makesOwnData(*writer, memory_.reads(*load).front()) ? Keep
                                                                                         : Effect,
          writer);
    return;
  }
  if (instruction.mayReadFromMemory())
    needReads(instruction);
  if (instruction.mayWriteToMemory()) // an atomic exchange
    add(Effect, &instruction);
}

/// The value depends on the way that was taken.
void Needs::followPhi(const PHINode &phi) {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const BasicBlock *block = phi.getIncomingBlock(i);
    if (program_.isUnwoundInVain(*block, *phi.getParent()))
      continue;
    guard(*block);
    add(Value, phi.getIncomingValue(i));
    add(Run, block);
    if (const Instruction *last = block->getTerminator(); last->getNumSuccessors() > 1)
      add(Effect, last);
  }
}

void Needs::followArgument(const Argument &argument) {
  ArrayRef<const CallBase *> callers = program_.callers(*argument.getParent());
  emit(Step::EnterAnew, setOf(callers.data(), argument.getArgNo(), [&] {
         for (const CallBase *call : callers)
           followArgumentOf(*call, argument.getArgNo());
       }));
}

/// A call that is left out hands nothing on. (Whoever needs what it gives back, or does, has it run.)
void Needs::followArgumentOf(const CallBase &call, unsigned index) {
  guard(*call.getParent());
  emit(Step::Runs, of(Run, call.getParent()));
  // What sorts hands over places in the array: valid ones, whatever lies there. Whatever matters of
  // the order brings the whole call with it, as it runs or returns.
  if (orderedBy(call, memory_.effect(call)))
    needOperands(call);
  // A function handed to an external one gets what that chooses: what its other arguments reach.
  else if (call.getCalledFunction() && call.getCalledFunction()->isDeclaration())
    add(Effect, &call);
  else if (index < call.arg_size())
    add(Value, call.getArgOperand(index));
}

/// The result of a call is needed.
void Needs::followCall(const CallBase &call) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    needOperands(*intrinsic);
    needReads(*intrinsic);
    return;
  }
  needResults(call);
  if (!call.getCalledFunction())
    add(Value, call.getCalledOperand());
  if (!call.getCalledFunction() || call.getCalledFunction()->isDeclaration())
    followExternal(call);
}

void Needs::followExternal(const CallBase &call) {
  if (mpiFunction(call)) {
    add(Effect, &call);
    return;
  }
  // `stream << value` is the stream, whatever the value.
  if (const auto &effect = memory_.effect(call);
      effect.kind == EffectKind::Output && effect.returnsArgument(effect.returnedArgument))
    return add(Value, call.getArgOperand(effect.returnedArgument));
  for (const Use &argument : call.args())
    add(Value, argument.get());
  // Who makes memory frees it.
  const ArrayRef<const CallBase *> ofFunction = memory_.freesOfTemporary(call);
  for (const CallBase *free : ofFunction)
    add(Local, free);
  if (ArrayRef<const CallBase *> frees = memory_.heap().freesOf(call); !frees.empty())
    emit(Step::Enter, setOf(frees.data(), Frees, [&] {
           for (const CallBase *free : frees)
             if (!is_contained(ofFunction, free))
               add(Effect, free);
         }));
  if (memory_.effect(call).kind != EffectKind::Renew) // Its address rests on no contents.
    needReads(call);
}

/// Whether flags of floating-point exceptions are kept there, by fegetenv, whatever they are: only functions read them that
/// put them back.
bool Needs::putsFlagsAside(const Instruction &writer, Cell cell) const {
  const auto *call = dyn_cast<CallBase>(&writer);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && !callee->isIntrinsic() && !mpiFunction(*call) &&
         memory_.effect(*call).readsFlags && memory_.effect(*call).kind == EffectKind::Clock &&
         all_of(memory_.readers(cell), [](const Instruction *reader) {
           return isa<CallBase>(reader) && !isa<IntrinsicInst>(reader);
         });
}

/// Whether what the call writes to the cell is right because the call runs: results of MPI that are
/// no payload, and what passes no data.
bool Needs::makesOwnData(const Instruction &writer, Cell cell) const {
  const auto *call = dyn_cast<CallBase>(&writer);
  if (call && mpiFunction(*call))
    return !binary_search(memory_.mpi(*call).received, cell);
  // Which files there are, and what errno says of that, rests on the names that were handed.
  if (call && program_.pointsTo().isState(cell) && memory_.effect(*call).names)
    return false;
  return putsFlagsAside(writer, cell) || !memory_.passesData(writer);
}

/// Whether a library writes there what it keeps for itself (a stream's position), none of the
/// program's data. What puts out runs for reasons of its own.
bool Needs::isLibrarysOwn(const Instruction &writer, Cell cell) const {
  const auto *call = dyn_cast<CallBase>(&writer);
  if (!call || mpiFunction(*call))
    return false;
  if (cell == PointsTo::Unknown)
    return makesOwnData(writer, cell);
  const PointsTo &pointsTo = program_.pointsTo();
  // The addresses in std::cout are the same whatever is printed there.
  const bool ofVariable = pointsTo.isOfLibraryVariable(cell) && memory_.holdsNoNumbers(cell);
  if (!ofVariable && !pointsTo.isOfLibrary(cell))
    return false;
  const Function *direct = call->getCalledFunction();
  if (!direct)
    return pointsTo.mayCallOnlyLibrary(*call);
  if (ofVariable)
    return direct->isDeclaration() && printsToStream(direct->getName());
  const EffectKind kind = pointsTo.kindOf(*call);
  return memory_.effect(*call).argument(0).classObject && // a stream, or one of text
         (kind == EffectKind::Output || kind == EffectKind::Fill);
}

void Needs::followMemory(Cell cell, bool onlyAddresses) {
  for (const Instruction *writer : memory_.writers(cell)) {
    guardWriter(*writer);
    if (memory_.isShape(cell) && memory_.copiesByShape(*writer)) {
      followCopyOfShapes(*writer);
      continue;
    }
    if (memory_.copiesByShape(*writer) && memory_.isOnlyInFront(*writer, cell, /*written=*/true)) {
      followCopyOfElements(*writer);
      continue;
    }
    if (isa<AnyMemTransferInst>(writer) && (onlyAddresses || memory_.holdsNoNumbers(cell))) {
      followTransfer(*writer);
      continue;
    }
    if (memory_.writesOwn(*writer, cell) && !putsFlagsAside(*writer, cell))
      add(Local, writer);
    else if (!isLibrarysOwn(*writer, cell) && !followPassed(*writer, cell)) {
      add(makesOwnData(*writer, cell) ? Keep : Effect, writer);
      if (program_.branchesOnOwnThrows(*writer))
        followHandedCopies(*cast<CallBase>(writer));
    }
  }
}

/// What a function gets by value, in memory of its own: as its call's effect alone, a branch on what it throws needs none
/// of that.
void Needs::followHandedCopies(const CallBase &call) {
  for (const Use &argument : call.args())
    if (call.isByValArgument(call.getArgOperandNo(&argument)))
      add(Value, argument.get());
  needReads(call);
}

/// Where an argument of its function is the one way by which the writer gets at the cell, only calls matter that pass such
/// an address. False: all do.
bool Needs::followPassed(const Instruction &writer, Cell cell) {
  const Argument *argument = memory_.writesBy(writer);
  if (!argument || makesOwnData(writer, cell))
    return false;
  ArrayRef<const CallBase *> callers = program_.callers(*argument->getParent());
  SmallVector<const CallBase *> passing;
  copy_if(callers, std::back_inserter(passing),
          [&](const CallBase *call) { return memory_.mayPass(*call, argument->getArgNo(), cell); });
  if (passing.size() == callers.size())
    return false;
  add(Local, &writer);
  if (!passing.empty())
    enterByOne(passingCalls_.of(passing));
  return true;
}

/// The same for each cell that the copy writes, so it is a set: n cells that need m are n + m edges.
void Needs::followCopyOfShapes(const Instruction &copy) {
  emit(Step::Enter, setOf(&copy, Shapes, [&] {
         add(Keep, &copy);
         needOperands(copy);
         for (Cell read : memory_.reads(copy))
           if (memory_.isShape(read))
             add(read);
       }));
}

/// Of the elements themselves, which rest on nothing that elements refer to. A set, too.
void Needs::followCopyOfElements(const Instruction &copy) {
  emit(Step::Enter, setOf(&copy, Elements, [&] {
         add(Keep, &copy);
         needOperands(copy);
         for (Cell read : memory_.touches(copy, /*written=*/false, /*behind=*/false))
           add(read);
       }));
}

/// Of addresses: whatever the copy, which is in the scope, takes along of numbers that are no addresses. A set, too.
void Needs::followTransfer(const Instruction &transfer) {
  emit(Step::Enter, setOf(&transfer, Transferred, [&] {
         add(Keep, &transfer);
         needOperands(transfer);
         for (Cell read : memory_.reads(transfer))
           if (memory_.holdsNoNumbers(read))
             add(read);
           else if (!memory_.holdsNoAddresses(read))
             emit(Step::Add, ofAddresses(read));
       }));
}

/// That it is passed as often as it should be.
void Needs::addPassing(const BasicBlock &block) {
  add(Run, &block);
  add(Entry, block.getParent());
}

void Needs::followRun(const BasicBlock &block) {
  require(block);
  for (const Instruction *decider : program_.flow(*block.getParent()).deciders(block))
    add(Effect, decider);
}

void Needs::followEntry(const Function &function) { enterByOne(program_.callers(function)); }

void Needs::enterByOne(ArrayRef<const CallBase *> callers) {
  emit(Step::EnterAnew, setOf(callers.data(), Entered, [&] {
         for (const CallBase *call : callers)
           enterBy(*call);
       }));
}

/// By that call.
void Needs::enterBy(const CallBase &call) {
  guard(*call.getParent());
  markRelevant(call);
  addPassing(*call.getParent());
  if (!call.getCalledFunction())
    add(Value, call.getCalledOperand());
  else if (call.getCalledFunction()->isDeclaration())
    add(Effect, &call); // How often it is called hangs on the data.
}

void Needs::followResult(const Function &function) {
  for (const BasicBlock &block : function)
    if (const auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      guard(block);
      markRelevant(*end);
      if (end->getReturnValue())
        add(Value, end->getReturnValue());
      add(Run, &block);
    }
}

/// A store, a branch, or a call whose effect on memory is needed. A branch decides where its function has been entered.
/// On memory that its function has for itself: who does not enter the function has no such memory.
void Needs::followLocal(const Instruction &instruction) {
  require(*instruction.getParent());
  markRelevant(instruction);
  add(Run, instruction.getParent());
  needOperands(instruction);
  if (instruction.mayReadFromMemory())
    needReads(instruction);
}

void Needs::followEffect(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (call && mpiFunction(*call)) {
    if (!actsLater(program_, instruction))
      require(*instruction.getParent());
    followMpi(*call);
  }
  require(*instruction.getParent());
  markRelevant(instruction);
  if (!call && instruction.isTerminator())
    add(Run, instruction.getParent());
  else
    addPassing(*instruction.getParent());
  if (call && mpiFunction(*call))
    return;
  // Whoever throws what is caught is kept for that (Roots).
  if (program_.branchesOnOwnThrows(instruction)) {
    if (!call->getCalledFunction())
      add(Value, call->getCalledOperand());
    return;
  }
  needOperands(instruction);
  if (instruction.mayReadFromMemory())
    needReads(instruction);
  if (call) // a callback, an invoke as a branch
    needResults(*call);
}

/// Data that a message brings: what any matching message may have carried.
void Needs::followMpi(const CallBase &call) {
  auto need = [&](const CallBase &sender) {
    for (Cell cell : memory_.mpi(sender).sent)
      add(cell);
  };
  need(call); // MPI_Pack, MPI_Reduce_local, MPI_Bcast at its root
  ArrayRef<Channel> incoming = memory_.incoming(call);
  if (incoming.empty())
    return;
  for (const Instruction *other : memory_.mpiCalls()) {
    const auto &sender = *cast<CallBase>(other);
    auto meets = [&](const Channel &out) {
      return any_of(incoming, [&](const Channel &in) { return in.meets(out); });
    };
    if (any_of(memory_.outgoing(sender), meets)) {
      guardWriter(*other);
      markRelevant(*other);
      need(sender);
    }
  }
}

} // namespace gnomon
