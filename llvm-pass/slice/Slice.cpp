// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Slice.h"

#include "names/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

Slice::Slice(const MemoryUse &memory, const Scope &scope, const Scope &widest, const Points &given)
    : memory_(memory), program_(memory.program()), scope_(&scope), widest_(widest), given_(given),
      cells_(memory.program().pointsTo().cellCount(), 0) {}

const Points &Slice::noPoints() {
  static const Points none;
  return none;
}

void Slice::expectWholeProgram() {
  const size_t instructions = program_.instructionCount();
  nodes_.reserve(instructions + instructions / 4); // blocks, functions, cells
  seen_.reserve(instructions);
}

void Slice::record(Demands &demands, const Points &candidates) {
  demands_ = &demands;
  candidates_ = &candidates;
  const size_t instructions = program_.instructionCount();
  demands.edges.reserve(4 * instructions); // as large programs have them
  demands.relevant.reserve(instructions);
}

Slice::RootId Slice::addRoot(std::string text, const Instruction &at) {
  texts_.push_back(std::move(text));
  return addLastingRoot(texts_.back(), at);
}

Slice::RootId Slice::addLastingRoot(StringRef text, const Instruction &at) {
  roots_.push_back({text, &at});
  return roots_.size() - 1;
}

static int rootParent(Slice::RootId root) { return -1 - static_cast<int>(root); }

void Slice::needValue(const llvm::Value &value, RootId root) {
  add(Value, &value, rootParent(root));
}
void Slice::needCell(Cell cell, RootId root) { add(cell, rootParent(root)); }
void Slice::needArgument(const CallBase &call, unsigned index, ArrayRef<Cell> cells, RootId root) {
  const Use &use = call.getArgOperandUse(index);
  if (given_.arguments.contains(&use)) {
    asked_.insert(&use);
    return;
  }
  int parent = rootParent(root);
  if (demands_ && candidates_->arguments.contains(&use)) {
    nodes_.push_back({Set, &use, parent});
    addEdge(parent, static_cast<int>(nodes_.size()) - 1);
    parent = static_cast<int>(nodes_.size()) - 1;
    demands_->points.push_back({parent, &use});
  }
  for (Cell cell : cells)
    add(cell, parent);
}
void Slice::needRun(const BasicBlock &block, RootId root) { add(Run, &block, rootParent(root)); }
void Slice::keep(const Instruction &instruction, RootId root) {
  add(Keep, &instruction, rootParent(root));
}
void Slice::needEffect(const Instruction &instruction, RootId root) {
  add(Effect, &instruction, rootParent(root));
}

void Slice::add(Kind kind, const void *item, int parent, Demands::Through through) {
  if (kind == Value) {
    const auto *value = static_cast<const llvm::Value *>(item);
    if (!isa<Instruction, Argument>(value))
      return;
  }
  Seen &seen = seen_[item];
  if (!(seen.kinds & 1U << kind)) {
    nodes_.emplace_back(kind, item, parent, unsigned(seen.node));
    seen.kinds |= 1U << kind;
    seen.node = nodes_.size();
  }
  if (!demands_) [[likely]]
    return;
  unsigned node = seen.node;
  while (nodes_[node - 1].kind != kind)
    node = nodes_[node - 1].other;
  addEdge(parent, static_cast<int>(node) - 1, through);
}

void Slice::add(Cell cell, int parent) {
  if (const unsigned known = cells_[cell]) {
    Node &node = nodes_[known - 1];
    if (known <= earlier_ && parent < 0 && node.parent >= 0)
      node.parent = parent; // nearer than what it was needed for in a narrower scope
  } else {
    nodes_.push_back({Memory, reinterpret_cast<const void *>(uintptr_t{cell}), parent});
    cells_[cell] = unsigned(nodes_.size());
  }
  addEdge(parent, static_cast<int>(cells_[cell]) - 1);
}

void Slice::addEdge(int from, int to, Demands::Through through) {
  if (demands_)
    demands_->edges.push_back({from, static_cast<unsigned>(to), through});
}

/// While demands are recorded, the set is a node of its own: so n that need m are n + m edges.
void Slice::forSet(const void *set, unsigned part, bool anew, function_ref<void()> follow) {
  const bool isNew = seenSets_.insert({set, part}).second;
  if (!demands_) [[likely]] {
    if (isNew || anew)
      follow();
    return;
  }
  int &number = numbers_[{set, part}];
  if (isNew) {
    number = static_cast<int>(nodes_.size());
    nodes_.push_back({Set, set, current_});
  }
  addEdge(current_, number);
  if (!isNew)
    return;
  const int asking = std::exchange(current_, number);
  follow();
  current_ = asking;
}

void Slice::markRelevant(const Instruction &instruction) {
  if (Seen &seen = seen_[&instruction]; !seen.relevant)
    seen.relevant = unsigned(current_) + 1;
  if (!stops_.empty() && stops_.contains(&instruction))
    stopped_ = true;
  if (demands_)
    demands_->relevant.emplace_back(current_, &instruction);
}

void Slice::close() {
  followWhatCameIn();
  for (; followed_ < nodes_.size() && !stopped_; ++followed_) {
    fetchAhead();
    current_ = static_cast<int>(followed_);
    follow(Node(nodes_[followed_])); // a copy: nodes_ grows
  }
  if (demands_)
    demands_->nodes = nodes_.size();
}

void Slice::stopAt(ArrayRef<const Instruction *> instructions) {
  stops_.clear();
  stops_.insert_range(instructions);
}

/// Code is read in an order in which it does not lie in memory, and of large programs in none of the
/// near caches: what comes soon is asked for, first by itself, then the block that it is in.
void Slice::fetchAhead() const {
  constexpr size_t Far = 16, Near = 8; // nodes
  if (followed_ + Far < nodes_.size())
    if (const Node &node = nodes_[followed_ + Far]; node.kind != Memory)
      __builtin_prefetch(node.item);
  if (followed_ + Near < nodes_.size())
    if (const Node &node = nodes_[followed_ + Near];
        node.kind == Value || node.kind == Effect || node.kind == Keep)
      if (const auto *at = dyn_cast<Instruction>(static_cast<const llvm::Value *>(node.item)))
        __builtin_prefetch(at->getParent());
}

void Slice::widen(const Scope &scope) {
  close();
  scope_ = &scope;
  earlier_ = nodes_.size();
  widened_ = true;
}

/// Nodes that came to code which has come into the scope are followed again.
void Slice::followWhatCameIn() {
  if (!std::exchange(widened_, false))
    return;
  std::vector<bool> reached(earlier_, false);
  for (const auto &[block, node] : outside_)
    if (scope_->contains(block))
      reached[node] = true;
  erase_if(outside_, [&](const auto &entry) { return reached[entry.second]; });
  for (int node : std::exchange(known_, {}))
    reached[node] = true;
  again_ = true;
  for (size_t node = 0; node < reached.size(); ++node)
    if (reached[node]) {
      current_ = static_cast<int>(node);
      follow(Node(nodes_[node])); // a copy: nodes_ grows
    }
  again_ = false;
}

void Slice::follow(const Node &node) {
  switch (node.kind) {
  case Value: {
    const auto *value = static_cast<const llvm::Value *>(node.item);
    if (const auto *argument = dyn_cast<Argument>(value))
      return followArgument(*argument);
    return followValue(*cast<Instruction>(value));
  }
  case Memory:
    return followMemory(static_cast<Cell>(reinterpret_cast<uintptr_t>(node.item)));
  case Run:
    return followRun(*static_cast<const BasicBlock *>(node.item));
  case Keep: {
    const auto *instruction = static_cast<const Instruction *>(node.item);
    if (!inScope(*instruction))
      return;
    markRelevant(*instruction);
    return add(Run, instruction->getParent(), current_);
  }
  case Effect:
    return followEffect(*static_cast<const Instruction *>(node.item));
  case Entry:
    return followEntry(*static_cast<const Function *>(node.item));
  case Result:
    return followResult(*static_cast<const Function *>(node.item));
  case Set:
    return; // its members have been added with it
  }
}

bool Slice::inScope(const BasicBlock &block) {
  if (scope_->contains(&block))
    return true;
  const std::pair<const BasicBlock *, int> entry{&block, current_};
  if (scope_ != &widest_ && widest_.contains(&block) &&
      (outside_.empty() || outside_.back() != entry))
    outside_.push_back(entry);
  return false;
}

void Slice::needOperands(const Instruction &instruction) {
  for (const Use &operand : instruction.operands())
    add(Value, operand.get(), current_);
}

void Slice::needReads(const Instruction &instruction) {
  ArrayRef<Cell> reads = memory_.reads(instruction);
  if (reads.empty())
    return;
  forSet(reads.data(), Whole, /*anew=*/false, [&] {
    for (Cell cell : reads)
      add(cell, current_);
  });
}

void Slice::needResults(const CallBase &call) {
  ArrayRef<const Function *> callees = program_.callees(call);
  if (callees.empty())
    return;
  forSet(callees.data(), Whole, /*anew=*/false, [&] {
    for (const Function *callee : callees)
      add(Result, callee, current_);
  });
}

void Slice::followValue(const Instruction &instruction) {
  // What ran before the scope began is exact.
  if (!inScope(instruction))
    return;
  const auto *phi = dyn_cast<PHINode>(&instruction);
  if (const LoadInst *same = phi ? memory_.reloadOf(*phi) : nullptr)
    return add(Value, same, current_); // in its place, where only what is relevant remains
  if (given_.values.contains(&instruction)) {
    asked_.insert(&instruction);
    return add(Run, instruction.getParent(), current_);
  }
  if (demands_ && candidates_->values.contains(&instruction)) {
    demands_->points.push_back({current_, &instruction});
    add(Run, instruction.getParent(), current_, Demands::Through::PassingOnly);
  }
  if (scope_->known() && followKnown(instruction))
    return;
  markRelevant(instruction);
  if (phi)
    return followPhi(*phi);
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return followCall(*call);
  needOperands(instruction);
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (const CallBase *writer = load ? memory_.writerOf(*load) : nullptr)
    return add(Keep, writer, current_);
  if (instruction.mayReadFromMemory())
    needReads(instruction);
  if (instruction.mayWriteToMemory()) // an atomic exchange
    add(Effect, &instruction, current_);
}

/// What is known in the scope rests on nothing, and a selection on what it gives then. Whether it does.
bool Slice::followKnown(const Instruction &instruction) {
  const llvm::Value *chosen = scope_->chosenBy(instruction);
  if (!chosen && !scope_->knows(instruction))
    return false;
  known_.push_back(current_);
  markRelevant(instruction);
  if (chosen)
    add(Value, chosen, current_);
  return true;
}

/// The value depends on the way that was taken.
void Slice::followPhi(const PHINode &phi) {
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const BasicBlock *block = phi.getIncomingBlock(i);
    if (!inScope(*block))
      continue;
    add(Value, phi.getIncomingValue(i), current_);
    add(Run, block, current_);
    if (const Instruction *last = block->getTerminator(); last->getNumSuccessors() > 1)
      add(Effect, last, current_);
  }
}

void Slice::followArgument(const Argument &argument) {
  ArrayRef<const CallBase *> callers = program_.callers(*argument.getParent());
  forSet(callers.data(), argument.getArgNo(), again_, [&] {
    for (const CallBase *call : callers)
      followArgumentOf(*call, argument.getArgNo());
  });
}

void Slice::followArgumentOf(const CallBase &call, unsigned index) {
  if (!inScope(call) || !call.getCalledOperand())
    return;
  // What sorts hands over places in the array: valid ones, whatever lies there. Whatever matters of
  // the order brings the whole call with it, as it runs or returns.
  if (orderedBy(call, memory_.effect(call)))
    needOperands(call);
  // A function handed to an external one gets what that chooses: what its other arguments reach.
  else if (call.getCalledFunction() && call.getCalledFunction()->isDeclaration())
    add(Effect, &call, current_);
  else if (index < call.arg_size())
    add(Value, call.getArgOperand(index), current_);
}

/// The result of a call is needed.
void Slice::followCall(const CallBase &call) {
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    needOperands(*intrinsic);
    needReads(*intrinsic);
    return;
  }
  needResults(call);
  if (!call.getCalledFunction())
    add(Value, call.getCalledOperand(), current_);
  if (!call.getCalledFunction() || call.getCalledFunction()->isDeclaration())
    followExternal(call);
}

void Slice::followExternal(const CallBase &call) {
  if (mpiFunction(call)) {
    add(Effect, &call, current_);
    return;
  }
  // `stream << value` is the stream, whatever the value.
  if (const auto &effect = memory_.effect(call);
      effect.kind == EffectKind::Output && effect.returnsArgument(effect.returnedArgument))
    return add(Value, call.getArgOperand(effect.returnedArgument), current_);
  for (const Use &argument : call.args())
    add(Value, argument.get(), current_);
  // Who makes memory frees it.
  for (const CallBase *free : memory_.freesOfTemporary(call))
    add(Effect, free, current_);
  if (memory_.effect(call).kind != EffectKind::Renew) // Its address rests on no contents.
    needReads(call);
}

/// A nonblocking or persistent call, and a window, act on memory long after they were called.
static bool actsLater(const Program &program, const Instruction &writer) {
  const auto *call = dyn_cast<CallBase>(&writer);
  const MpiFunction *mpi = call ? mpiFunction(*call) : nullptr;
  if (!mpi || program.isError(*writer.getParent()))
    return false;
  return !mpi->blocking || any_of(mpi->arguments, [](const MpiArgument &argument) {
    return argument.role == MpiRole::Memory || argument.role == MpiRole::WindowMemory;
  });
}

bool mayActIn(const Program &program, const Scope &scope, const Instruction &writer) {
  return scope.contains(writer.getParent()) || actsLater(program, writer);
}

bool Slice::mayActInScope(const Instruction &writer) {
  return inScope(writer) || actsLater(program_, writer);
}

/// Whether what the call writes to the cell is right because the call runs: results of MPI that are
/// no payload, and what passes no data.
bool Slice::makesOwnData(const Instruction &writer, Cell cell) const {
  const auto *call = dyn_cast<CallBase>(&writer);
  if (call && mpiFunction(*call))
    return !binary_search(memory_.mpi(*call).received, cell);
  return !memory_.passesData(writer);
}

/// Whether a library writes there what it keeps for itself (a stream's position), none of the
/// program's data. What puts out runs for reasons of its own.
bool Slice::isLibrarysOwn(const Instruction &writer, Cell cell) const {
  const auto *call = dyn_cast<CallBase>(&writer);
  if (!call || mpiFunction(*call))
    return false;
  if (cell == PointsTo::Unknown)
    return makesOwnData(writer, cell);
  const PointsTo &pointsTo = program_.pointsTo();
  if (!pointsTo.isOfLibrary(cell))
    return false;
  if (!call->getCalledFunction())
    return pointsTo.mayCallOnlyLibrary(*call);
  const EffectKind kind = pointsTo.kindOf(*call);
  return memory_.effect(*call).argument(0).classObject && // a stream, or one of text
         (kind == EffectKind::Output || kind == EffectKind::Fill);
}

void Slice::followMemory(Cell cell) {
  for (const Instruction *writer : memory_.writers(cell)) {
    if (!mayActInScope(*writer))
      continue;
    if (memory_.isShape(cell) && memory_.copiesByShape(*writer)) {
      followCopyOfShapes(*writer);
      continue;
    }
    if (memory_.copiesByShape(*writer) && memory_.isOnlyInFront(*writer, cell, /*written=*/true)) {
      followCopyOfElements(*writer);
      continue;
    }
    if (isa<AnyMemTransferInst>(writer) && memory_.holdsNoNumbers(cell)) {
      followTransfer(*writer);
      continue;
    }
    if (!isLibrarysOwn(*writer, cell))
      add(makesOwnData(*writer, cell) ? Keep : Effect, writer, current_);
  }
}

/// The same for each cell that the copy writes, so it is a set: n cells that need m are n + m edges.
void Slice::followCopyOfShapes(const Instruction &copy) {
  forSet(&copy, Shapes, /*anew=*/false, [&] {
    add(Keep, &copy, current_);
    needOperands(copy);
    for (Cell read : memory_.reads(copy))
      if (memory_.isShape(read))
        add(read, current_);
  });
}

/// Of the elements themselves, which rest on nothing that elements refer to. A set, too.
void Slice::followCopyOfElements(const Instruction &copy) {
  forSet(&copy, Elements, /*anew=*/false, [&] {
    add(Keep, &copy, current_);
    needOperands(copy);
    for (Cell read : memory_.touches(copy, /*written=*/false, /*behind=*/false))
      add(read, current_);
  });
}

/// Of addresses: whatever the copy, which is in the scope, takes along of numbers that are no addresses. A set, too.
void Slice::followTransfer(const Instruction &transfer) {
  forSet(&transfer, Addresses, /*anew=*/false, [&] {
    add(Keep, &transfer, current_);
    needOperands(transfer);
    for (Cell read : memory_.reads(transfer))
      if (!memory_.holdsNoAddresses(read))
        add(read, current_);
  });
}

void Slice::followRun(const BasicBlock &block) {
  if (!inScope(block))
    return;
  const Function &function = *block.getParent();
  for (const Instruction *decider : program_.flow(function).deciders(block))
    add(Effect, decider, current_);
  add(Entry, &function, current_);
}

void Slice::followEntry(const Function &function) {
  ArrayRef<const CallBase *> callers = program_.callers(function);
  forSet(callers.data(), Entered, again_, [&] {
    for (const CallBase *call : callers)
      if (inScope(*call)) {
        markRelevant(*call);
        add(Run, call->getParent(), current_);
        if (!call->getCalledFunction())
          add(Value, call->getCalledOperand(), current_);
        else if (call->getCalledFunction()->isDeclaration())
          add(Effect, call, current_); // How often it is called hangs on the data.
      }
  });
}

void Slice::followResult(const Function &function) {
  for (const BasicBlock &block : function)
    if (const auto *end = dyn_cast<ReturnInst>(block.getTerminator()); end && inScope(*end)) {
      markRelevant(*end);
      if (end->getReturnValue())
        add(Value, end->getReturnValue(), current_);
      add(Run, &block, current_);
    }
}

/// A store, a branch, or a call whose effect on memory is needed.
void Slice::followEffect(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (call && mpiFunction(*call) && mayActInScope(instruction))
    followMpi(*call);
  if (!inScope(instruction))
    return;
  markRelevant(instruction);
  add(Run, instruction.getParent(), current_);
  if (call && mpiFunction(*call))
    return;
  needOperands(instruction);
  if (instruction.mayReadFromMemory())
    needReads(instruction);
  if (call) // a callback, an invoke as a branch
    needResults(*call);
}

/// Data that a message brings: what any matching message may have carried.
void Slice::followMpi(const CallBase &call) {
  auto need = [&](const CallBase &sender) {
    for (Cell cell : memory_.mpi(sender).sent)
      add(cell, current_);
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
    if (any_of(memory_.outgoing(sender), meets) && mayActInScope(*other)) {
      markRelevant(*other);
      need(sender);
    }
  }
}

SmallVector<const llvm::Value *, 0> Slice::itemsOnWay(const Instruction &instruction) const {
  SmallVector<const llvm::Value *, 0> items;
  for (int index = static_cast<int>(seen_.lookup(&instruction).relevant) - 1; index >= 0;
       index = nodes_[index].parent)
    if (const Node &node = nodes_[index]; node.kind != Memory && node.kind != Set)
      if (const auto *item = static_cast<const llvm::Value *>(node.item);
          isa<Instruction, BasicBlock>(item))
        items.push_back(item);
  return items;
}

std::optional<Slice::Way> Slice::way(const Instruction &instruction) const {
  const unsigned first = seen_.lookup(&instruction).relevant;
  if (!first)
    return std::nullopt;
  Way way;
  int index = static_cast<int>(first) - 1;
  for (; index >= 0; index = nodes_[index].parent) {
    const Node &node = nodes_[index];
    if (node.kind == Memory) {
      way.last = static_cast<Cell>(reinterpret_cast<uintptr_t>(node.item));
      if (!way.first)
        way.first = way.last;
      way.deciders.clear();
    }
    if (node.kind != Value && node.kind != Effect && node.kind != Keep)
      continue;
    const auto *value = static_cast<const llvm::Value *>(node.item);
    if (node.kind == Value && !way.value && !nameInSource(*value).empty())
      way.value = value;
    const auto *user = dyn_cast<Instruction>(value);
    if (!user)
      continue;
    if (user->isTerminator() && user->getNumSuccessors() > 1)
      way.deciders.push_back(user);
    else if (node.kind == Value)
      way.deciders.clear();
    if (isa<CmpInst>(user) && hasPlace(*user))
      way.condition = user;
    if (hasPlace(*user))
      way.use = user;
  }
  way.root = &roots_[-1 - index];
  return way;
}

} // namespace gnomon
