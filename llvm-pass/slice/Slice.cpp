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
    : memory_(memory), needs_(memory.needs()), scope_(&scope), widest_(widest), given_(given) {
  setScope(scope);
}

const Points &Slice::noPoints() {
  static const Points none;
  return none;
}

void Slice::expectWholeProgram() {
  const size_t instructions = memory_.program().instructionCount();
  nodes_.reserve(instructions + instructions / 4); // blocks, functions, cells
}

void Slice::record(Demands &demands, const Points &candidates) {
  demands_ = &demands;
  candidates_ = &candidates;
  checks_ = true;
  const size_t instructions = memory_.program().instructionCount();
  demands.edges.reserve(
      8 * instructions); // more than large programs have: what is not used takes no memory
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

/// A node of a point that no thing of the program has.
int Slice::addPoint(const void *point, int parent) {
  nodes_.push_back({Needs::Nothing, parent});
  const int node = static_cast<int>(nodes_.size()) - 1;
  addEdge(parent, node);
  demands_->points.push_back({node, point});
  return node;
}

/// Its value is a point of its own where it is needed, with the same item.
std::optional<Slice::RootId> Slice::addRootWhereRead(StringRef text, const Instruction &read) {
  const RootId root = addLastingRoot(text, read);
  const BasicBlock &block = *read.getParent();
  if (given_.unread.contains(&read)) {
    asked_.insert(&read);
    addRun(block, parentOf(root));
    return std::nullopt;
  }
  roots_[root].node = addPoint(&read, parentOf(root));
  addRun(block, roots_[root].node, Demands::Through::PassingOnly);
  return root;
}

/// See Needs::item.
static Cell cellOf(const void *item) {
  return static_cast<Cell>(reinterpret_cast<uintptr_t>(item));
}

void Slice::need(Needs::Kind kind, const void *item, RootId root) {
  add(needs_.of(kind, item), parentOf(root));
}

void Slice::need(Needs::Id node, RootId root) { add(node, parentOf(root)); }

void Slice::needValue(const llvm::Value &value, RootId root) {
  if (isa<Instruction, Argument>(value))
    need(Needs::Value, &value, root);
}
void Slice::needCell(Cell cell, RootId root) { add(needs_.of(cell), parentOf(root)); }
void Slice::needArgument(const CallBase &call, unsigned index, ArrayRef<Cell> cells, RootId root) {
  const Use &use = call.getArgOperandUse(index);
  if (given_.arguments.contains(&use)) {
    asked_.insert(&use);
    return;
  }
  int parent = parentOf(root);
  if (demands_ && candidates_->arguments.contains(&use))
    parent = addPoint(&use, parent);
  for (Cell cell : cells)
    add(needs_.of(cell), parent);
}
void Slice::needRun(const BasicBlock &block, RootId root) {
  need(Needs::Run, &block, root);
  need(Needs::Entry, block.getParent(), root);
}
void Slice::keep(const Instruction &instruction, RootId root) {
  need(Needs::Keep, &instruction, root);
}
void Slice::needEffect(const Instruction &instruction, RootId root) {
  need(Needs::Effect, &instruction, root);
}
void Slice::needLocal(const Instruction &instruction, RootId root) {
  need(Needs::Local, &instruction, root);
}

/// All that has an id has a place, too.
void Slice::fit() {
  const size_t count = needs_.size();
  if (states_.size() >= count)
    return;
  const size_t room = count + count / 4;
  states_.resize(room);
  places_.resize(room, Where::NotAsked);
}

void Slice::add(Id id, int parent, Demands::Through through) {
  if (id >= states_.size())
    fit();
  State &state = states_[id];
  if (!state.node) {
    nodes_.push_back({id, parent});
    state.node = static_cast<unsigned>(nodes_.size());
  } else if (parent < 0 && state.node <= earlier_ && needs_.kind(id) == Needs::Memory) {
    Node &node = nodes_[state.node - 1];
    if (node.parent >= 0)
      node.parent = parent; // nearer than what it was needed for in a narrower scope
  }
  addEdge(parent, static_cast<int>(state.node) - 1, through);
}

void Slice::addEdge(int from, int to, Demands::Through through) {
  if (demands_)
    demands_->edges.push_back({from, static_cast<unsigned>(to), through});
}

/// While demands are recorded, the set is a node of its own: so n that need m are n + m edges.
void Slice::enter(Id set, bool anew) {
  if (set >= states_.size())
    fit();
  const bool isNew = !states_[set].node;
  if (!demands_) [[likely]] {
    states_[set].node = 1;
    if (isNew || anew)
      follow(set);
    return;
  }
  if (isNew) {
    nodes_.push_back({set, current_});
    states_[set].node = static_cast<unsigned>(nodes_.size());
  }
  const int number = static_cast<int>(states_[set].node) - 1;
  addEdge(current_, number);
  if (!isNew)
    return;
  const int asking = std::exchange(current_, number);
  follow(set);
  current_ = asking;
}

void Slice::markRelevant(Id instruction) {
  if (instruction >= states_.size())
    fit();
  if (State &state = states_[instruction]; !state.relevant)
    state.relevant = static_cast<unsigned>(current_) + 1;
  if (!stops_.empty() && stops_.contains(instruction))
    stopped_ = true;
  if (demands_)
    demands_->relevant.emplace_back(current_,
                                    static_cast<const Instruction *>(needs_.item(instruction)));
}

void Slice::close() {
  followWhatCameIn();
  followWhatRuns();
  for (; followed_ < nodes_.size() && !stopped_; ++followed_) {
    fetchAhead();
    current_ = static_cast<int>(followed_);
    if (const Id id = nodes_[followed_].id; needs_.kind(id) != Needs::Set)
      follow(id); // the members of a set have been added with it
  }
  if (!demands_)
    return;
  demands_->nodes = nodes_.size();
  demands_->memory.clear();
  for (auto [number, node] : enumerate(nodes_))
    if (Needs::isOfCell(needs_.kind(node.id)))
      demands_->memory.emplace_back(static_cast<int>(number), cellOf(needs_.item(node.id)));
}

void Slice::stopAt(ArrayRef<const Instruction *> instructions) {
  stops_.clear();
  for (const Instruction *instruction : instructions)
    stops_.insert(needs_.of(Needs::Value, instruction));
}

/// What comes soon is asked for: first what is known of it, then its steps.
void Slice::fetchAhead() const {
  constexpr size_t Far = 16, Near = 8; // nodes
  if (followed_ + Far < nodes_.size())
    needs_.fetch(nodes_[followed_ + Far].id);
  if (followed_ + Near < nodes_.size())
    needs_.fetchSteps(nodes_[followed_ + Near].id);
}

/// What is in the scope stays there, and what never comes into it outside.
void Slice::setScope(const Scope &scope) {
  scope_ = &scope;
  checks_ = demands_ || !given_.values.empty() || scope.known();
  llvm::replace(places_, Where::Later, Where::NotAsked);
}

void Slice::widen(const Scope &scope) {
  close();
  setScope(scope);
  earlier_ = nodes_.size();
  widened_ = true;
}

/// Nodes that came to code which has come into the scope are followed again.
void Slice::followWhatCameIn() {
  if (!std::exchange(widened_, false))
    return;
  std::vector<bool> reached(earlier_, false);
  for (const auto &[block, node] : outside_)
    if (where(block) == Where::Inside)
      reached[node] = true;
  erase_if(outside_, [&](const auto &entry) { return reached[entry.second]; });
  for (int node : std::exchange(known_, {}))
    reached[node] = true;
  followAgain(reached);
}

/// Nodes that came to calls which were left out, and are not now.
void Slice::followWhatRuns() {
  std::vector<bool> reached(nodes_.size(), false);
  const size_t before = leftOut_.size();
  erase_if(leftOut_, [&](const auto &entry) {
    const auto *block = static_cast<const BasicBlock *>(needs_.item(entry.first));
    const bool runs = !running_ || running_->contains(block);
    if (runs)
      reached[entry.second] = true;
    return runs;
  });
  if (leftOut_.size() < before)
    followAgain(reached);
}

void Slice::followAgain(const std::vector<bool> &reached) {
  again_ = true;
  for (size_t node = 0; node < reached.size(); ++node)
    if (reached[node]) {
      current_ = static_cast<int>(node);
      follow(nodes_[node].id);
    }
  again_ = false;
}

void Slice::follow(Id id) {
  const Needs::Range steps = needs_.steps(id);
  bool counts = true;
  for (uint32_t place = steps.begin; place != steps.end; ++place) {
    const Needs::Step step = needs_.step(place);
    switch (step.what) {
    case Needs::Step::Add:
      if (counts)
        add(step.node, current_);
      break;
    case Needs::Step::Relevant:
      if (counts)
        markRelevant(step.node);
      break;
    case Needs::Step::Enter:
    case Needs::Step::EnterAnew:
      if (counts)
        enter(step.node, again_ && step.what == Needs::Step::EnterAnew);
      break;
    case Needs::Step::Check:
      if (checks_ && (isGiven(step.node) || isKnown(step.node)))
        return;
      break;
    case Needs::Step::Require:
      if (!inScope(step.node))
        return;
      counts = true;
      break;
    case Needs::Step::Guard:
      counts = inScope(step.node);
      break;
    case Needs::Step::Runs:
      counts = counts && runs(step.node);
      break;
    case Needs::Step::Always:
      counts = true;
      break;
    }
  }
}

void Slice::addRun(const BasicBlock &block, int parent, Demands::Through through) {
  add(needs_.of(Needs::Run, &block), parent, through);
  add(needs_.of(Needs::Entry, block.getParent()), parent, through);
}

/// Where the value is given, only that it is passed is needed.
bool Slice::isGiven(Id value) {
  const auto *instruction = static_cast<const Instruction *>(needs_.item(value));
  if (given_.values.contains(instruction)) {
    asked_.insert(instruction);
    addRun(*instruction->getParent(), current_);
    return true;
  }
  if (demands_ && candidates_->values.contains(instruction)) {
    demands_->points.push_back({current_, instruction});
    addRun(*instruction->getParent(), current_, Demands::Through::PassingOnly);
  }
  return false;
}

/// What is known in the scope rests on nothing, and a selection on what it gives then. Whether it does.
bool Slice::isKnown(Id value) {
  if (!scope_->known())
    return false;
  const auto &instruction = *static_cast<const Instruction *>(needs_.item(value));
  const llvm::Value *chosen = scope_->chosenBy(instruction);
  if (!chosen && !scope_->knows(instruction))
    return false;
  known_.push_back(current_);
  markRelevant(value);
  if (chosen && isa<Instruction, Argument>(chosen))
    add(needs_.of(Needs::Value, chosen), current_);
  return true;
}

Slice::Where Slice::where(Id block) {
  if (block >= places_.size())
    fit();
  Where &place = places_[block];
  if (place != Where::NotAsked)
    return place;
  const auto *code = static_cast<const BasicBlock *>(needs_.item(block));
  if (scope_->contains(code))
    return place = Where::Inside;
  return place = scope_ != &widest_ && widest_.contains(code) ? Where::Later : Where::Outside;
}

bool Slice::inScope(Id block) {
  const Where place = where(block);
  if (place == Where::Inside)
    return true;
  const std::pair<Id, int> entry{block, current_};
  if (place == Where::Later && (outside_.empty() || outside_.back() != entry))
    outside_.push_back(entry);
  return false;
}

bool Slice::runs(Id block) {
  if (!running_ || running_->contains(static_cast<const BasicBlock *>(needs_.item(block))))
    return true;
  leftOut_.emplace_back(block, current_);
  return false;
}

bool mayActIn(const Program &program, const Scope &scope, const Instruction &writer) {
  return scope.contains(writer.getParent()) || actsLater(program, writer);
}

SmallVector<const llvm::Value *, 0> Slice::itemsOnWay(const Instruction &instruction) const {
  SmallVector<const llvm::Value *, 0> items;
  for (int index = static_cast<int>(relevantBy(instruction)) - 1; index >= 0;
       index = nodes_[index].parent)
    if (const Id id = nodes_[index].id;
        !Needs::isOfCell(needs_.kind(id)) && needs_.kind(id) != Needs::Set)
      if (const auto *item = static_cast<const llvm::Value *>(needs_.item(id));
          isa<Instruction, BasicBlock>(item))
        items.push_back(item);
  return items;
}

std::optional<Slice::Way> Slice::way(const Instruction &instruction) const {
  const unsigned first = relevantBy(instruction);
  if (!first)
    return std::nullopt;
  Way way;
  int index = static_cast<int>(first) - 1;
  for (; index >= 0; index = nodes_[index].parent) {
    const Needs::Kind kind = needs_.kind(nodes_[index].id);
    const void *item = needs_.item(nodes_[index].id);
    if (Needs::isOfCell(kind)) {
      way.last = cellOf(item);
      if (!way.first)
        way.first = way.last;
      way.deciders.clear();
    }
    if (kind != Needs::Value && kind != Needs::Effect && kind != Needs::Keep &&
        kind != Needs::Local)
      continue;
    const auto *value = static_cast<const llvm::Value *>(item);
    if (kind == Needs::Value && !way.value && !nameInSource(*value).empty())
      way.value = value;
    const auto *user = dyn_cast<Instruction>(value);
    if (!user)
      continue;
    if (user->isTerminator() && user->getNumSuccessors() > 1)
      way.deciders.push_back(user);
    else if (kind == Needs::Value)
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
