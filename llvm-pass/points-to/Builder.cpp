// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Builder.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

constexpr int64_t PointerBytes = 8;

bool isFloating(const Type &type) { return type.getScalarType()->isFloatingPointTy(); }

/// Whether values of the type can hold an address or a part of one.
bool mayCarry(const Type &type) {
  if (type.isPtrOrPtrVectorTy())
    return true;
  if (type.isIntOrIntVectorTy())
    return !type.isIntOrIntVectorTy(1);
  if (const auto *array = dyn_cast<ArrayType>(&type))
    return mayCarry(*array->getElementType());
  if (const auto *record = dyn_cast<StructType>(&type))
    return any_of(record->elements(), [](const Type *element) { return mayCarry(*element); });
  return false;
}

/// The pointer, what it is computed from by a step, what that is computed from, and so on.
SmallVector<const Value *, 4> basesOf(const Value &pointer) {
  SmallVector<const Value *, 4> bases = {&pointer};
  while (isa<GetElementPtrInst>(bases.back()))
    bases.push_back(cast<GetElementPtrInst>(bases.back())->getPointerOperand());
  return bases;
}

/// From the base to the first of \p bases, in that order.
SmallVector<Step, 2> stepsFrom(const Value &base, ArrayRef<const Value *> bases,
                               const DataLayout &layout) {
  SmallVector<Step, 2> steps;
  for (const Value *value : bases.take_front(size_t(find(bases, &base) - bases.begin())))
    steps.push_back(stepOf(*cast<GEPOperator>(value), layout));
  std::reverse(steps.begin(), steps.end());
  return steps;
}

int64_t bytesOf(const Type &type, const DataLayout &layout) {
  TypeSize size = layout.getTypeStoreSize(const_cast<Type *>(&type));
  return size.isScalable() ? Highest : int64_t(size.getFixedValue());
}

} // namespace

Builder::Builder(const Module &module, const Externals &externals)
    : module_(module), layout_(module.getDataLayout()), externals_(externals),
      contexts_(module, externals), memory_(layout_), solver_(memory_, *this) {
  memory_.addObject(ObjectKind::Unknown, nullptr, 0, false);
  memory_.addObject(ObjectKind::Library, nullptr, 0, false);
  memory_.addObject(ObjectKind::Arguments, nullptr, 0, false);
  LocationId unknown = solver_.locate(UnknownObject, Shape::exact(0));
  LocationId library = solver_.locate(LibraryObject, Shape::exact(0));
  solver_.addAddress(EscapedNode, unknown);
  solver_.addAddress(LibraryNode, library);
  solver_.locate(ArgumentsObject, Shape::whole());
  environment_ = solver_.addNode();
  exceptions_ = solver_.addNode();
  solver_.addAddress(exceptions_, library);
}

void Builder::run() {
  addState();
  addRoots();
  buildPending();
  solver_.solve();
  retryIntegers();
  solver_.forgetConstraints();
  packAccesses();
}

/// A table with room in each place takes several times as much, as long as the program is analysed.
void Builder::packAccesses() {
  size_t count = 0;
  for (const auto &entry : accesses_)
    count += entry.second.size();
  packed_.reserve(count);
  packedOf_.reserve(accesses_.size());
  for (const Function &function : module_)
    for (const Instruction &instruction : instructions(function))
      if (auto found = accesses_.find(&instruction); found != accesses_.end()) {
        const auto begin = uint32_t(packed_.size());
        append_range(packed_, found->second);
        packedOf_[&instruction] = {begin, uint32_t(packed_.size())};
      }
  decltype(accesses_)().swap(accesses_);
}

/// An integer that became a pointer although nothing that is known flowed into it may be the
/// address of anything.
void Builder::retryIntegers() {
  bool again = false;
  for (NodeId node : integersMadePointers_)
    if (solver_.pointees(node).empty()) {
      solver_.addCopy(EscapedNode, node);
      again = true;
    }
  if (again)
    solver_.solve();
}

ArrayRef<MemoryAccess> Builder::accessesOf(const Instruction &instruction) const {
  const auto [begin, end] = packedOf_.lookup(&instruction);
  return ArrayRef(packed_).slice(begin, end - begin);
}

SmallVector<NodeId> Builder::nodesOf(const Value &value) const {
  SmallVector<NodeId> nodes;
  if (const auto *constant = dyn_cast<Constant>(&value)) {
    if (auto found = constants_.find(constant); found != constants_.end())
      nodes.push_back(found->second);
    return nodes;
  }
  const auto *instruction = dyn_cast<Instruction>(&value);
  const auto *argument = dyn_cast<Argument>(&value);
  if (!instruction && !argument)
    return nodes;
  for (unsigned frame :
       framesOf_.lookup(instruction ? instruction->getFunction() : argument->getParent()))
    if (NodeId node = frames_[frame].nodes.lookup(&value))
      nodes.push_back(node);
  return nodes;
}

const CallTargets *Builder::targetsOf(const CallBase &call) const {
  auto found = targets_.find(&call);
  return found == targets_.end() ? nullptr : &found->second;
}

const Instruction *Builder::escapeOf(const Value &origin) const {
  for (ObjectId object = 0; object < memory_.objectCount(); ++object)
    if (memory_.object(object).origin == &origin && memory_.object(object).escaped)
      if (const Instruction *cause = solver_.causeOfEscape(object))
        return cause;
  return nullptr;
}

unsigned Builder::newFrame(const Function &function, unsigned depth) {
  unsigned index = unsigned(frames_.size());
  Frame &frame = frames_.emplace_back();
  frame.function = &function;
  framesOf_[&function].push_back(index);
  frame.depth = depth;
  frame.returned = solver_.addNode();
  if (function.isVarArg())
    frame.variadic = freshObject(ObjectKind::Stack, function, 0);
  for (const Argument &argument : function.args()) {
    NodeId node = mayCarry(*argument.getType()) ? solver_.addNode() : NoPointers;
    frame.nodes[&argument] = node;
    if (Type *copied = argument.getParamByValType())
      solver_.addCopy(freshObject(ObjectKind::Stack, argument, bytesOf(*copied, layout_)), node);
  }
  pendingFrames_.push_back(index);
  return index;
}

unsigned Builder::baseFrame(const Function &function) {
  auto found = baseFrames_.find(&function);
  if (found != baseFrames_.end())
    return found->second;
  unsigned frame = newFrame(function, 0);
  baseFrames_[&function] = frame;
  return frame;
}

void Builder::buildPending() {
  while (!pendingFrames_.empty()) {
    unsigned frame = pendingFrames_.back();
    pendingFrames_.pop_back();
    buildFrame(frame);
  }
}

void Builder::buildFrame(unsigned frame) {
  unsigned before = frame_;
  frame_ = frame;
  // In this order operands come before their users, but for phis.
  ReversePostOrderTraversal<const Function *> order(frames_[frame].function);
  for (const BasicBlock *block : order)
    for (const Instruction &instruction : *block) {
      visit(const_cast<Instruction &>(instruction)); // the visitor's signature; nothing changes
      leaveFlags(instruction);
    }
  frame_ = before;
}

NodeId Builder::node(const Value &value) { return node(frame_, value); }

NodeId Builder::node(unsigned frame, const Value &value) {
  if (const auto *constant = dyn_cast<Constant>(&value))
    return constantNode(*constant);
  if (!mayCarry(*value.getType()))
    return NoPointers;
  auto [place, isNew] = frames_[frame].nodes.try_emplace(&value, NoPointers);
  if (isNew)
    place->second = solver_.addNode();
  return place->second;
}

/// The node of an instruction that is being visited; users that were visited before have made it.
NodeId Builder::resultOf(const Instruction &instruction) { return node(instruction); }

void Builder::define(const Instruction &instruction, NodeId node) {
  if (!mayCarry(*instruction.getType()))
    return;
  auto [place, isNew] = frames_[frame_].nodes.try_emplace(&instruction, node);
  if (!isNew)
    solver_.addCopy(node, place->second);
}

NodeId Builder::pointerTo(ObjectId object, int64_t offset) {
  NodeId node = solver_.addNode();
  solver_.addAddress(node, solver_.locate(object, Shape::exact(offset)));
  return node;
}

NodeId Builder::freshObject(ObjectKind kind, const Value &origin, int64_t bytes) {
  return pointerTo(memory_.addObject(kind, &origin, bytes, false));
}

void Builder::record(const Instruction &instruction, MemoryAccess access) {
  if (access.pointer != NoPointers)
    accesses_[&instruction].push_back(access);
}

void Builder::loadPointers(const Instruction &, NodeId pointer, const Type &type,
                           const AccessClass &classes, NodeId to) {
  int64_t bytes = bytesOf(type, layout_);
  bool wide = bytes >= PointerBytes && !isFloating(type);
  if (!wide && !(classes.classes & PointerBit))
    return;
  if (bytes > 32 * PointerBytes)
    return solver_.addLoadAnywhere(pointer, to);
  for (int64_t delta = 0; delta < bytes; delta += PointerBytes)
    solver_.addLoad(pointer, delta, to);
}

void Builder::storePointers(NodeId from, NodeId pointer, const Type &type,
                            const AccessClass &classes) {
  int64_t bytes = bytesOf(type, layout_);
  bool wide = bytes >= PointerBytes && !isFloating(type);
  if (from == NoPointers || (!wide && !(classes.classes & PointerBit)))
    return;
  if (bytes > 32 * PointerBytes)
    return solver_.addStoreAnywhere(from, pointer);
  for (int64_t delta = 0; delta < bytes; delta += PointerBytes)
    solver_.addStore(from, pointer, delta);
}

void Builder::visitAllocaInst(AllocaInst &alloca) {
  std::optional<TypeSize> size = alloca.getAllocationSize(layout_);
  int64_t bytes = size && !size->isScalable() ? int64_t(size->getFixedValue()) : 0;
  define(alloca, freshObject(ObjectKind::Stack, alloca, bytes));
}

void Builder::visitLoadInst(LoadInst &load) {
  const Type &type = *load.getType();
  AccessClass classes = accessClass(load, type);
  NodeId pointer = node(*load.getPointerOperand());
  if (!readsClassTable(load))
    record(load,
           {.pointer = pointer, .bytes = bytesOf(type, layout_), .type = classes, .read = true});
  bool carries = classes.classes & PointerBit || bytesOf(type, layout_) >= PointerBytes;
  if (!mayCarry(type) || !carries)
    return define(load, NoPointers);
  if (!isTextOfString(load))
    return loadPointers(load, pointer, type, classes, resultOf(load));
  NodeId stored = solver_.addNode();
  loadPointers(load, pointer, type, classes, stored);
  solver_.addStep(stored, resultOf(load), Step::toText());
}

void Builder::visitStoreInst(StoreInst &store) {
  const Value &value = *store.getValueOperand();
  AccessClass classes = accessClass(store, *value.getType());
  NodeId pointer = node(*store.getPointerOperand());
  record(store, {.pointer = pointer,
                 .bytes = bytesOf(*value.getType(), layout_),
                 .type = classes,
                 .written = true});
  if (!storeWithin(store))
    storePointers(node(value), pointer, *value.getType(), classes);
}

/// A pointer into an object that is stored in the object: a string's to the room in itself, a list's to its own head. Both
/// value and place are computed from one base, which is the same address for both when the store is reached: whoever
/// comes from where the base is computed to the store comes by where these are computed, since that dominates the store.
bool Builder::storeWithin(const StoreInst &store) {
  if (!store.getValueOperand()->getType()->isPointerTy())
    return false;
  const SmallVector<const Value *, 4> values = basesOf(*store.getValueOperand()),
                                      places = basesOf(*store.getPointerOperand());
  const auto found = find_if(values, [&](const Value *base) { return is_contained(places, base); });
  if (found == values.end() || isa<Constant>(*found))
    return false;
  const Value &base = **found;
  solver_.addStoreWithin(node(base), stepsFrom(base, values, layout_),
                         stepsFrom(base, places, layout_));
  return true;
}

void Builder::visitAtomicRMWInst(AtomicRMWInst &atomic) {
  const Type &type = *atomic.getType();
  NodeId pointer = node(*atomic.getPointerOperand());
  record(atomic,
         {.pointer = pointer, .bytes = bytesOf(type, layout_), .read = true, .written = true});
  storePointers(node(*atomic.getValOperand()), pointer, type, AccessClass());
  if (mayCarry(type))
    loadPointers(atomic, pointer, type, AccessClass(), resultOf(atomic));
}

void Builder::visitAtomicCmpXchgInst(AtomicCmpXchgInst &atomic) {
  const Type &type = *atomic.getNewValOperand()->getType();
  NodeId pointer = node(*atomic.getPointerOperand());
  record(atomic,
         {.pointer = pointer, .bytes = bytesOf(type, layout_), .read = true, .written = true});
  storePointers(node(*atomic.getNewValOperand()), pointer, type, AccessClass());
  loadPointers(atomic, pointer, type, AccessClass(), resultOf(atomic));
}

void Builder::visitGetElementPtrInst(GetElementPtrInst &gep) {
  Step step = stepOf(cast<GEPOperator>(gep), layout_);
  NodeId base = node(*gep.getPointerOperand());
  if (step.isZero())
    return define(gep, base);
  NodeId result = resultOf(gep);
  const SmallVector<int64_t, 4> offsets = fewOffsetsOf(cast<GEPOperator>(gep), layout_);
  for (int64_t offset : offsets)
    solver_.addStep(base, result, Step{.offset = offset});
  if (offsets.empty())
    solver_.addStep(base, result, step);
}

void Builder::visitCastInst(CastInst &cast) {
  const Value &operand = *cast.getOperand(0);
  if (isFloating(*operand.getType()) || isFloating(*cast.getType()))
    return define(cast, NoPointers);
  if (!isa<IntToPtrInst>(cast))
    return define(cast, node(operand));
  NodeId result = resultOf(cast);
  integersMadePointers_.push_back(result);
  solver_.addCopy(node(operand), result);
}

void Builder::visitBinaryOperator(BinaryOperator &operation) {
  if (!mayCarry(*operation.getType()) || isFloating(*operation.getType()))
    return;
  NodeId left = node(*operation.getOperand(0)), right = node(*operation.getOperand(1));
  if (left == NoPointers && right == NoPointers)
    return define(operation, NoPointers);
  NodeId result = resultOf(operation);
  solver_.addStep(left, result, Step::anywhere());
  solver_.addStep(right, result, Step::anywhere());
}

void Builder::visitReturnInst(ReturnInst &result) {
  if (const Value *value = result.getReturnValue())
    solver_.addCopy(node(*value), frames_[frame_].returned);
}

void Builder::visitLandingPadInst(LandingPadInst &pad) { define(pad, exceptions_); }

void Builder::visitResumeInst(ResumeInst &resume) {
  solver_.addCopy(node(*resume.getValue()), exceptions_);
}

void Builder::visitVAArgInst(VAArgInst &argument) {
  NodeId list = solver_.addNode();
  solver_.addLoadAnywhere(node(*argument.getPointerOperand()), list);
  record(argument, {.pointer = node(*argument.getPointerOperand()), .read = true, .written = true});
  record(argument, {.pointer = list, .read = true});
  if (!mayCarry(*argument.getType()))
    return;
  solver_.addLoadAnywhere(list, resultOf(argument));
}

void Builder::visitCmpInst(CmpInst &compare) { define(compare, NoPointers); }

/// Everything else passes on what its operands hold: phi, select, freeze, parts of vectors and
/// structures.
void Builder::visitInstruction(Instruction &instruction) {
  if (!mayCarry(*instruction.getType()))
    return;
  NodeId result = resultOf(instruction);
  for (const Value *operand : instruction.operand_values())
    solver_.addCopy(node(*operand), result);
}

} // namespace gnomon::pointsto
