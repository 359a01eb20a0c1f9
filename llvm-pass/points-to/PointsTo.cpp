// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/PointsTo.h"

#include "points-to/Cells.h"
#include "points-to/Describe.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <set>

using namespace llvm;
using namespace gnomon::pointsto;

namespace gnomon {

struct PointsTo::Result {
  Builder builder;
  std::unique_ptr<Cells> cells;
  DenseSet<const Value *> escaped;
  const Externals &externals;
  DenseSet<ObjectId> files; ///< objects that hold a file stream of C++
  Interned<uintptr_t> keys; ///< of sets of callees: what they were made from
  DenseMap<const void *, SmallVector<const Function *, 2>> sets; ///< by key
  DenseSet<const void *> leaving;                                ///< sets with declarations in them
  DenseMap<const CallBase *, const void *> calls;                ///< to keys
  Interned<Cell> cellSets;
  DenseMap<AccessKey, ArrayRef<Cell>> touched; ///< by accesses that have been asked about

  Result(const Module &module, const Externals &externals)
      : builder(module, externals), externals(externals) {}
  ArrayRef<Cell> touchedBy(const MemoryAccess &access);
  ArrayRef<Cell> touchedBy(const Instruction &instruction, bool MemoryAccess::*kind);
  void addFileStream(const CallBase &call);
  void addCallees(const CallBase &call, const CallTargets &targets,
                  ArrayRef<const Function *> escaped);
};

namespace {

void sortUnique(SmallVector<Cell> &cells) {
  sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

/// The objects that the nodes refer to, and with `deep` those that these lead to.
std::set<ObjectId> objectsOf(const Builder &builder, ArrayRef<NodeId> nodes, bool deep) {
  const Memory &memory = builder.memory();
  std::set<ObjectId> objects;
  SmallVector<NodeId> open(nodes);
  while (!open.empty())
    for (LocationId id : builder.solver().pointees(open.pop_back_val())) {
      ObjectId object = memory.location(id).object;
      if (!objects.insert(object).second || !deep)
        continue;
      for (LocationId part : memory.object(object).locations)
        open.push_back(memory.location(part).stored);
    }
  return objects;
}

SmallVector<Cell> cellsOfObjects(const Builder &builder, const Cells &cells,
                                 const std::set<ObjectId> &objects) {
  SmallVector<Cell> result;
  for (ObjectId object : objects)
    cells.appendObject(object, result);
  sortUnique(result);
  return result;
}

/// As many parameters as arguments, or `...` on either side (a declaration without a prototype).
bool fits(const CallBase &call, const Function &function) {
  return call.getFunctionType()->isVarArg() || function.isVarArg() ||
         call.arg_size() == function.arg_size();
}

/// What the functions that a call may reach depend on: for calls with the same, they are the same.
SmallVector<uintptr_t, 4> keyOf(const CallBase &call, const CallTargets &targets) {
  SmallVector<uintptr_t, 4> key;
  if (targets.leaves()) {
    bool indirect = !call.getCalledFunction() && !call.isInlineAsm();
    key.push_back(1 + indirect + 2 * (indirect && call.getFunctionType()->isVarArg()));
    key.push_back(indirect ? call.arg_size() : 0);
  } else {
    key.push_back(0);
  }
  key.push_back(targets.groups.size());
  for (ArrayRef<const Function *> group : targets.groups)
    key.push_back(reinterpret_cast<uintptr_t>(group.data()));
  for (const Function *function : targets.functions)
    key.push_back(reinterpret_cast<uintptr_t>(function));
  return key;
}

/// The functions that a call may reach, in the module's order.
SmallVector<const Function *, 2> calleesOf(const Builder &builder, const CallBase &call,
                                           const CallTargets &targets,
                                           ArrayRef<const Function *> escaped) {
  SmallPtrSet<const Function *, 8> found(targets.functions.begin(), targets.functions.end());
  for (ArrayRef<const Function *> group : targets.groups)
    found.insert_range(group);
  bool indirect = !call.getCalledFunction() && !call.isInlineAsm();
  for (const Function *function : escaped)
    if (targets.leaves() && (!indirect || fits(call, *function)))
      found.insert(function);
  SmallVector<const Function *, 2> ordered(found.begin(), found.end());
  if (ordered.size() > 1) {
    ordered.clear();
    for (const Function &function : builder.module())
      if (found.contains(&function))
        ordered.push_back(&function);
  }
  return ordered;
}

} // namespace

void PointsTo::Result::addFileStream(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  constexpr StringLiteral Prefixes[] = {"_ZNSt14basic_ofstream", "_ZNSt13basic_fstream",
                                        "_ZNSt13basic_filebuf"};
  if (!callee || call.arg_empty() ||
      none_of(Prefixes, [&](StringRef prefix) { return callee->getName().starts_with(prefix); }))
    return;
  for (ObjectId object : objectsOf(builder, builder.nodesOf(*call.getArgOperand(0)), false))
    if (object != UnknownObject)
      files.insert(object);
}

void PointsTo::Result::addCallees(const CallBase &call, const CallTargets &targets,
                                  ArrayRef<const Function *> escaped) {
  const void *key = keys.of(keyOf(call, targets)).data();
  calls[&call] = key;
  auto [set, isNew] = sets.try_emplace(key);
  if (!isNew)
    return;
  set->second = calleesOf(builder, call, targets, escaped);
  if (any_of(set->second, [](const Function *function) { return function->isDeclaration(); }))
    leaving.insert(key);
}

PointsTo::PointsTo(const Module &module, const Externals &externals)
    : result_(std::make_unique<Result>(module, externals)) {
  Builder &builder = result_->builder;
  builder.run();
  result_->cells = std::make_unique<Cells>(builder);
  SmallVector<const Function *> escaped;
  const Memory &memory = builder.memory();
  for (ObjectId id = 0; id < memory.objectCount(); ++id) {
    const Object &object = memory.object(id);
    if (!object.escaped)
      continue;
    result_->escaped.insert(object.origin);
    if (object.kind == ObjectKind::Function)
      escaped.push_back(cast<Function>(object.origin));
  }
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (const auto *call = dyn_cast<CallBase>(&instruction)) {
        result_->addFileStream(*call);
        if (const CallTargets *targets = builder.targetsOf(*call))
          result_->addCallees(*call, *targets, escaped);
      }
}

PointsTo::~PointsTo() = default;

ArrayRef<Cell> PointsTo::Result::touchedBy(const MemoryAccess &access) {
  auto [place, isNew] = touched.try_emplace(keyOf(builder, access));
  if (isNew) {
    SmallVector<Cell> cells;
    for (const Touch &touch : touchesOf(builder, access))
      this->cells->append(touch, cells);
    sortUnique(cells);
    place->second = cellSets.of(cells);
  }
  return place->second;
}

/// The cells that the instruction touches by its accesses of one kind: most have one access.
ArrayRef<Cell> PointsTo::Result::touchedBy(const Instruction &instruction,
                                           bool MemoryAccess::*kind) {
  SmallVector<ArrayRef<Cell>, 4> sets;
  for (const MemoryAccess &access : builder.accessesOf(instruction))
    if (access.*kind)
      sets.push_back(touchedBy(access));
  if (sets.size() <= 1)
    return sets.empty() ? ArrayRef<Cell>() : sets.front();
  SmallVector<Cell> cells;
  for (ArrayRef<Cell> set : sets)
    append_range(cells, set);
  sortUnique(cells);
  return cellSets.of(cells);
}

ArrayRef<Cell> PointsTo::reads(const Instruction &instruction) const {
  return result_->touchedBy(instruction, &MemoryAccess::read);
}

ArrayRef<Cell> PointsTo::writes(const Instruction &instruction) const {
  return result_->touchedBy(instruction, &MemoryAccess::written);
}

ArrayRef<Cell> PointsTo::setOf(ArrayRef<Cell> cells) const { return result_->cellSets.of(cells); }

SmallVector<Cell> PointsTo::touches(const Instruction &instruction, bool written,
                                    bool behind) const {
  SmallVector<Cell> cells;
  for (const MemoryAccess &access : result_->builder.accessesOf(instruction))
    if (access.behind == behind && (written ? access.written : access.read))
      for (const Touch &touch : touchesOf(result_->builder, access))
        result_->cells->append(touch, cells);
  sortUnique(cells);
  return cells;
}

SmallVector<Cell> PointsTo::cellsOf(const Value *pointer) const {
  const Builder &builder = result_->builder;
  return cellsOfObjects(builder, *result_->cells,
                        objectsOf(builder, builder.nodesOf(*pointer), false));
}

std::optional<SmallVector<const Value *, 2>> PointsTo::originsOf(const Value *pointer) const {
  const Memory &memory = result_->builder.memory();
  SmallVector<const Value *, 2> origins;
  for (ObjectId id : objectsOf(result_->builder, result_->builder.nodesOf(*pointer), false)) {
    const Object &object = memory.object(id);
    if (object.kind <= ObjectKind::Arguments || object.escaped)
      return std::nullopt;
    if (!is_contained(origins, object.origin)) // of each context one
      origins.push_back(object.origin);
  }
  return origins;
}

SmallVector<Cell> PointsTo::cellsFrom(const Value *pointer, int64_t bytes, uint8_t classes) const {
  const Builder &builder = result_->builder;
  SmallVector<Cell> cells;
  AccessClass type;
  type.classes = classes;
  for (NodeId node : builder.nodesOf(*pointer)) {
    MemoryAccess access = {.pointer = node,
                           .bytes = bytes < 0 ? Highest : bytes,
                           .type = type,
                           .read = true,
                           .written = true,
                           .byModel = true};
    for (const Touch &touch : touchesOf(builder, access))
      result_->cells->append(touch, cells);
  }
  sortUnique(cells);
  return cells;
}

SmallVector<Cell> PointsTo::environment() const {
  const Builder &builder = result_->builder;
  return cellsOfObjects(builder, *result_->cells,
                        objectsOf(builder, {builder.environment()}, false));
}

EffectKind PointsTo::kindOf(const CallBase &call) const {
  EffectKind kind = result_->externals.of(call).kind;
  const Function *callee = call.getCalledFunction();
  if (kind != EffectKind::Output || !callee || call.arg_empty() ||
      !callee->getName().starts_with("_Z"))
    return kind;
  const Builder &builder = result_->builder;
  for (ObjectId id : objectsOf(builder, builder.nodesOf(*call.getArgOperand(0)), false)) {
    if (id == UnknownObject && pooledObjects())
      return EffectKind::Unknown; // a file's stream, or a string: it could have been told once
    const Object &object = builder.memory().object(id);
    const auto *variable = dyn_cast_or_null<GlobalVariable>(object.origin);
    bool library = object.kind == ObjectKind::Library || (variable && variable->isDeclaration());
    if (!library && !result_->files.contains(id))
      return EffectKind::Fill;
  }
  return kind;
}

SmallVector<Cell> PointsTo::reachableFrom(const Value *pointer) const {
  const Builder &builder = result_->builder;
  return cellsOfObjects(builder, *result_->cells,
                        objectsOf(builder, builder.nodesOf(*pointer), true));
}

SmallVector<Cell> PointsTo::cellsBehind(const Value *pointer) const {
  const Builder &builder = result_->builder;
  const Memory &memory = builder.memory();
  SmallVector<NodeId> stored;
  for (NodeId node : builder.nodesOf(*pointer))
    for (LocationId id : builder.solver().pointees(node)) {
      const Location &start = memory.location(id);
      if (memory.isOpaque(start.object) || memory.isDissolved(start.object))
        stored.push_back(memory.location(UnknownLocation).stored);
      for (LocationId part : memory.object(start.object).locations)
        if (overlap(start.shape, sizeof(void *), memory.location(part).shape, sizeof(void *)))
          stored.push_back(memory.location(part).stored);
    }
  return cellsOfObjects(builder, *result_->cells, objectsOf(builder, stored, false));
}

ArrayRef<const Function *> PointsTo::callees(const CallBase &call) const {
  auto found = result_->sets.find(result_->calls.lookup(&call));
  return found == result_->sets.end() ? ArrayRef<const Function *>() : ArrayRef(found->second);
}

bool PointsTo::mayCallDeclaration(const CallBase &call) const {
  return result_->leaving.contains(result_->calls.lookup(&call));
}

bool PointsTo::mayCallUnknown(const CallBase &call) const {
  const CallTargets *targets = result_->builder.targetsOf(call);
  return targets && targets->leaves();
}

bool PointsTo::mayCallOnlyLibrary(const CallBase &call) const {
  const CallTargets *targets = result_->builder.targetsOf(call);
  return targets && targets->library && !targets->unknown;
}

bool PointsTo::complete() const { return result_->builder.solver().complete(); }

unsigned PointsTo::pooledObjects() const { return result_->builder.solver().pooled(); }

unsigned PointsTo::objectCount() const { return unsigned(result_->builder.memory().objectCount()); }

unsigned PointsTo::cellCount() const { return result_->cells->count(); }

DataClass PointsTo::classOf(Cell cell) const { return result_->cells->classOf(cell); }

uint8_t PointsTo::classesOf(Cell cell) const { return result_->cells->classesOf(cell); }

const Value *PointsTo::originOf(Cell cell) const {
  return result_->builder.memory().object(result_->cells->ownerOf(cell)).origin;
}

std::pair<int64_t, int64_t> PointsTo::intervalOf(Cell cell) const {
  return result_->cells->intervalOf(cell);
}

bool PointsTo::isOfLibrary(Cell cell) const {
  return result_->builder.memory().object(result_->cells->ownerOf(cell)).kind ==
         ObjectKind::Library;
}

bool PointsTo::isOfLibraryVariable(Cell cell) const {
  const auto *variable =
      cell == Unknown ? nullptr : dyn_cast_or_null<GlobalVariable>(originOf(cell));
  return variable && variable->isDeclaration() &&
         result_->externals.isLibraryVariable(variable->getName());
}

uint32_t PointsTo::objectOf(Cell cell) const {
  return cell == Unknown ? pointsto::UnknownObject : result_->cells->ownerOf(cell);
}

bool PointsTo::isOfVariables(Cell cell) const {
  if (cell == Unknown)
    return false;
  const pointsto::Object &object = result_->builder.memory().object(result_->cells->ownerOf(cell));
  const auto *function = dyn_cast_or_null<Function>(object.origin);
  return object.kind == pointsto::ObjectKind::Stack && function && !function->isDeclaration();
}

bool PointsTo::isState(Cell cell) const {
  return cell != Unknown &&
         result_->builder.memory().object(result_->cells->ownerOf(cell)).kind == ObjectKind::State;
}

std::string PointsTo::describe(Cell cell) const {
  const Object &object = result_->builder.memory().object(result_->cells->ownerOf(cell));
  if (!isState(cell))
    return pointsto::describe(object);
  const auto &function = *cast<Function>(object.origin);
  if (function.getName() == ErrnoAddress)
    return "errno";
  return result_->externals.of(function).names ? "which files there are"
                                               : "the flags of floating-point exceptions";
}

bool PointsTo::hasEscaped(const Value *origin) const { return result_->escaped.contains(origin); }

const Instruction *PointsTo::escapeOf(const Value *origin) const {
  return result_->builder.escapeOf(*origin);
}

} // namespace gnomon
