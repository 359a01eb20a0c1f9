// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constraints of calls that leave the module: intrinsics, and functions by their model in the
/// table of externals.
#include "facts/Descriptors.h"
#include "facts/Finalizers.h"
#include "facts/MpiRoles.h"
#include "facts/Operations.h"
#include "points-to/Builder.h"
#include "points-to/TextCopies.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

int64_t constantBytes(const Value &length) {
  const auto *constant = dyn_cast<ConstantInt>(&length);
  return constant && constant->getValue().getActiveBits() < 48 ? constant->getSExtValue() : Highest;
}

constexpr int64_t PointerSize = 8;

/// calloc and its like.
bool isZeroed(const CallBase &call) {
  Attribute attribute = call.getFnAttr(Attribute::AllocKind);
  return attribute.isValid() &&
         (attribute.getAllocKind() & AllocFnKind::Zeroed) != AllocFnKind::Unknown;
}

/// Of the object that a function of C++ is passed by reference. (Of a C function's argument the attribute says
/// what may be read at least.)
int64_t bytesOfReference(const CallBase &call, unsigned index) {
  const Function *callee = call.getCalledFunction();
  const uint64_t bytes =
      callee && callee->getName().starts_with("_Z") ? call.getParamDereferenceableBytes(index) : 0;
  return bytes ? int64_t(bytes) : Highest;
}

AccessClass characters() {
  AccessClass type;
  type.classes = IntegerBit;
  return type;
}

/// Whether the value is surely the address of a variable.
bool isOfVariable(const Value &pointer) {
  return isa<AllocaInst, GlobalVariable>(getUnderlyingObject(&pointer));
}

/// Whether the program gets to the environment's texts by other ways than getenv: the variable, main's third argument.
bool looksAtEnvironment(const Module &module) {
  const Function *main = module.getFunction("main");
  return !main || main->arg_size() > 2 || module.getNamedValue("environ") ||
         module.getNamedValue("__environ") || module.getNamedValue("_environ");
}

/// By the attribute allocsize; 0: not known.
int64_t allocatedBytes(const CallBase &call) {
  Attribute attribute = call.getFnAttr(Attribute::AllocSize);
  if (!attribute.isValid())
    return 0;
  auto [size, count] = attribute.getAllocSizeArgs();
  int64_t bytes = constantBytes(*call.getArgOperand(size));
  int64_t times = count ? constantBytes(*call.getArgOperand(*count)) : 1;
  return bytes < (1 << 30) && times < (1 << 30) ? bytes * times : 0;
}

} // namespace

bool Builder::visitMemoryIntrinsic(const CallBase &call) {
  if (const auto *copy = dyn_cast<AnyMemTransferInst>(&call)) {
    int64_t bytes = constantBytes(*copy->getLength());
    NodeId to = node(*copy->getRawDest()), from = node(*copy->getRawSource());
    AccessClass type = transferClass(*copy);
    if (copiesText(*copy))
      type.classes = IntegerBit;
    else if (type.classes & (PointerBit | TableBit))
      solver_.addMemoryCopy(to, from, bytes);
    record(call, {.pointer = from, .bytes = bytes, .type = type, .read = true});
    record(call, {.pointer = to, .bytes = bytes, .type = type, .written = true});
    return true;
  }
  if (const auto *fill = dyn_cast<AnyMemSetInst>(&call)) {
    record(call, {.pointer = node(*fill->getRawDest()),
                  .bytes = constantBytes(*fill->getLength()),
                  .type = transferClass(*fill),
                  .written = true});
    return true;
  }
  return false;
}

/// Intrinsics that do something with pointers which their attributes do not say.
bool Builder::visitIntrinsic(const CallBase &call) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return false;
  NodeId first = call.arg_size() ? node(*call.getArgOperand(0)) : NoPointers;
  switch (intrinsic->getIntrinsicID()) {
  case Intrinsic::vastart:
    solver_.addStoreAnywhere(frames_[frame_].variadic, first);
    record(call, {.pointer = first, .written = true});
    return true;
  case Intrinsic::vacopy:
    solver_.addMemoryCopy(first, node(*call.getArgOperand(1)), Highest);
    record(call, {.pointer = first, .written = true});
    record(call, {.pointer = node(*call.getArgOperand(1)), .read = true});
    return true;
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    record(call, {.pointer = first, .type = accessClass(call, *call.getType()), .read = true});
    solver_.addLoadAnywhere(first, resultOf(call));
    return true;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore: {
    NodeId to = node(*call.getArgOperand(1));
    record(call, {.pointer = to,
                  .type = accessClass(call, *call.getArgOperand(0)->getType()),
                  .written = true});
    solver_.addStoreAnywhere(first, to);
    return true;
  }
  case Intrinsic::threadlocal_address:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptrmask:
  case Intrinsic::ptr_annotation:
  case Intrinsic::annotation:
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
    define(call, first);
    return true;
  // Calls through a trampoline pass their arguments one further, and the host's variables: the
  // procedure is called as unknown code calls what it was given.
  case Intrinsic::init_trampoline:
    record(call, {.pointer = first, .written = true});
    solver_.addEscape(node(*call.getArgOperand(1)), &call);
    solver_.addEscape(node(*call.getArgOperand(2)), &call);
    return true;
  case Intrinsic::adjust_trampoline:
    record(call, {.pointer = first, .read = true});
    solver_.addCopy(EscapedNode, resultOf(call));
    return true;
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::vaend:
  case Intrinsic::prefetch:
  case Intrinsic::assume:
    return true;
  default:
    return false;
  }
}

void Builder::callExternal(const CallBase &call, unsigned frame, const Effect &effect) {
  applyState(call, frame, effect);
  if (effect.isUnknown()) {
    targets_[&call].unknown = true;
    for (const Value *argument : call.args())
      solver_.addEscape(node(frame, *argument), &call);
    solver_.addCopy(EscapedNode, node(frame, call));
    record(call, {.pointer = EscapedNode, .read = true, .written = true, .byModel = true});
    record(call, {.pointer = environment_, .type = characters(), .read = true, .byModel = true});
    return;
  }
  Strings writtenStrings;
  NodeId linked = NoPointers; // one for the call: its nodes become parts of one tree or list
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (effect.argument(index).links)
      applyLinks(call, node(frame, *call.getArgOperand(index)), effect.argument(index), linked);
    else if (!effect.argument(index).array)
      applyArgument(call, frame, effect, index, writtenStrings);
  if (effect.returned == Returned::Linked)
    solver_.addCopy(linked, node(frame, call));
  if (effect.returned == Returned::Resumed)
    applyResumed(call, frame, effect);
  if (effect.readsEnvironment)
    record(call, {.pointer = environment_, .type = characters(), .read = true, .byModel = true});
  applyShallowCopy(call, frame, effect);
  applyArrays(call, frame, effect);
  for (const Function *finalizer : finalizersCalledBy(call))
    applyFinalizer(call, frame, *finalizer);
  applyDeep(call, frame, effect);
  applyResult(call, frame, effect);
  if (effect.kind == EffectKind::Mpi && mpiReachesUnknown_)
    record(call, {.pointer = EscapedNode, .read = true, .written = true});
  if (call.arg_size() && effect.argument(0).thrown)
    solver_.addCopy(node(frame, *call.getArgOperand(0)), exceptions_);
}

void Builder::applyArgument(const CallBase &call, unsigned frame, const Effect &effect,
                            unsigned index, Strings &writtenStrings) {
  ArgumentEffect argument = effect.argument(index);
  NodeId pointer = node(frame, *call.getArgOperand(index));
  if (pointer == NoPointers || call.getArgOperand(index)->getType()->isIntegerTy())
    return; // a number, also where it may have been computed from an address
  if (argument.list)
    return applyVariables(call, pointer, argument);
  if (const Function *operation = index == 0 ? operationMadeBy(call) : nullptr;
      operation && isHarmlessOperation(*operation, externals_))
    return handVectors(call, *operation);
  if (argument.string)
    return applyString(call, frame, pointer, argument, writtenStrings);
  AccessClass type;
  if (const MpiFunction *mpi = effect.kind == EffectKind::Mpi ? mpiFunction(call) : nullptr;
      mpi && index < mpi->arguments.size() && !mpi->arguments[index].descriptor)
    type.classes =
        classesOf(*mpi, mpi->arguments[index], dataOf(call, mpi->arguments[index].datatype));
  else if (argument.text)
    type.classes = IntegerBit;
  else if (effect.kind == EffectKind::Numeric && argument.written)
    type.classes = argument.integers ? IntegerBit : FloatingBit;
  const int64_t bytes = bytesOfReference(call, index);
  if (argument.written && !argument.deep)
    record(call,
           {.pointer = pointer, .bytes = bytes, .type = type, .written = true, .byModel = true});
  // A Numeric function computes from what it overwrites.
  AccessClass input;
  if (effect.kind == EffectKind::Mpi)
    input = type;
  else if (argument.text)
    input.classes = IntegerBit;
  else if (argument.shape)
    input.classes = PointerBit | BoundsBit;
  else if (argument.floats || (effect.kind == EffectKind::Numeric && argument.written))
    input.classes = FloatingBit;
  if (argument.read && !argument.deep)
    record(call,
           {.pointer = pointer, .bytes = bytes, .type = input, .read = true, .byModel = true});
  if (argument.kept || (argument.environment && looksAtEnvironment(module_))) {
    solver_.addCopy(pointer, LibraryNode);
    solver_.addEscape(pointer, &call);
  }
  if (argument.keptInside) {
    NodeId held = solver_.addNode();
    solver_.addLoadAnywhere(pointer, held);
    solver_.addCopy(held, LibraryNode);
    solver_.addEscape(held, &call);
  }
  if (argument.environment)
    solver_.addCopy(pointer, environment_);
  if (argument.called) {
    callSites_.push_back({&call, frame, true});
    solver_.addCall(pointer, unsigned(callSites_.size() - 1));
  }
  if (argument.storesFresh) {
    NodeId fresh = freshObject(ObjectKind::Heap, call, 0);
    if (argument.manyFresh)
      storeManyFresh(call, fresh, pointer);
    else
      solver_.addStore(fresh, pointer, 0);
    if (argument.keepsFresh) {
      solver_.addCopy(fresh, LibraryNode);
      solver_.addEscape(fresh, &call);
    }
  }
  if (argument.classObject) {
    callSites_.push_back({&call, frame, false, true});
    solver_.addCall(pointer, unsigned(callSites_.size() - 1));
    solver_.addStoreAnywhere(LibraryNode, pointer);
  }
  for (unsigned other = 0; argument.storesUnit && other < call.arg_size(); ++other)
    if (effect.argument(other).inResult)
      solver_.addStore(node(frame, *call.getArgOperand(other)), pointer, 0);
  if (argument.behind)
    record(call, {.pointer = pointer, .bytes = PointerSize, .read = true, .byModel = true});
  if (argument.storesLibrary) {
    solver_.addStore(LibraryNode, pointer, 0);
    solver_.addStore(EscapedNode, pointer, 0);
  }
  if (argument.storesBase) {
    NodeId base = solver_.addNode(), inside = solver_.addNode();
    solver_.addLoad(node(frame, *call.getArgOperand(0)), 0, base);
    solver_.addStep(base, inside, Step::anywhere());
    solver_.addStore(inside, pointer, 0);
  }
  if (argument.storesArgument >= 0 && unsigned(argument.storesArgument) < call.arg_size()) {
    NodeId inside = solver_.addNode();
    solver_.addStep(node(frame, *call.getArgOperand(unsigned(argument.storesArgument))), inside,
                    Step::anywhere());
    solver_.addStore(inside, pointer, 0);
  }
  if (argument.readBehind || argument.writtenBehind) {
    NodeId held = solver_.addNode();
    solver_.addLoadAnywhere(pointer, held);
    record(call, {.pointer = held,
                  .read = argument.readBehind,
                  .written = argument.writtenBehind,
                  .byModel = true});
  }
  if (argument.advances)
    applyAdvancing(call, frame, effect, pointer);
}

/// strsep and strtok_r: the pointer moves on in its text, which is cut there.
void Builder::applyAdvancing(const CallBase &call, unsigned frame, const Effect &effect,
                             NodeId pointer) {
  NodeId text = solver_.addNode(), inside = solver_.addNode();
  solver_.addLoad(pointer, 0, text);
  solver_.addStep(text, inside, Step::anywhere());
  solver_.addStore(inside, pointer, 0);
  MemoryAccess place{
      .pointer = pointer, .bytes = PointerSize, .read = true, .written = true, .byModel = true};
  place.type.classes = PointerBit;
  record(call, place);
  record(call,
         {.pointer = inside, .type = characters(), .read = true, .written = true, .byModel = true});
  if (effect.returned == Returned::Advanced)
    solver_.addCopy(inside, node(frame, call));
}

/// Sequences of variable length in a file's data: each is new memory, and may hold others.
void Builder::storeManyFresh(const CallBase &call, NodeId fresh, NodeId pointer) {
  solver_.addStoreAnywhere(fresh, pointer);
  solver_.addStoreAnywhere(fresh, fresh);
  record(call, {.pointer = fresh, .written = true, .byModel = true});
}

/// MPI calls it on vectors of its own; what it takes in and gives out is the reductions'.
void Builder::handVectors(const CallBase &call, const Function &operation) {
  const NodeId vectors = freshObject(ObjectKind::Heap, call, 0);
  const Frame &frame = frames_[baseFrame(operation)];
  for (const Argument &argument : operation.args())
    if (argument.getType()->isPointerTy())
      solver_.addCopy(vectors, frame.nodes.lookup(&argument));
}

/// A va_list refers to where the arguments lie, and these to what is printed or scanned. Nobody may read it afterwards
/// (ISO C 7.16), so it does not count as written.
void Builder::applyVariables(const CallBase &call, NodeId list, const ArgumentEffect &argument) {
  NodeId arguments = solver_.addNode(), referred = solver_.addNode();
  solver_.addLoadAnywhere(list, arguments);
  solver_.addLoadAnywhere(arguments, referred);
  AccessClass type;
  if (argument.text)
    type.classes = IntegerBit;
  record(call, {.pointer = list, .read = true, .byModel = true});
  record(call, {.pointer = arguments, .read = true, .byModel = true});
  record(call, {.pointer = referred,
                .type = type,
                .read = argument.read,
                .written = argument.written,
                .byModel = true});
  if (argument.storesFresh)
    storeManyFresh(call, freshObject(ObjectKind::Heap, call, 0), referred);
}

/// strtok: each call may cut any text that one of them was handed, from where the last one came to.
void Builder::applyResumed(const CallBase &call, unsigned frame, const Effect &effect) {
  const Function *function = call.getCalledFunction();
  auto [found, isNew] = resumed_.try_emplace(function);
  if (isNew)
    found->second = {solver_.addNode(), freshObject(ObjectKind::Stack, *function, sizeof(void *))};
  const auto [text, place] = found->second;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (effect.argument(index).resumed)
      solver_.addStep(node(frame, *call.getArgOperand(index)), text, Step::anywhere());
  record(call,
         {.pointer = text, .type = characters(), .read = true, .written = true, .byModel = true});
  record(call, {.pointer = place, .read = true, .written = true});
  solver_.addCopy(text, node(frame, call));
}

void Builder::addCharactersOf(NodeId string, NodeId result) {
  NodeId text = solver_.addNode();
  solver_.addLoad(string, 0, text);
  solver_.addStep(text, result, Step::anywhere());
}

/// The object, and the characters that it refers to.
void Builder::applyString(const CallBase &call, unsigned frame, NodeId pointer,
                          const ArgumentEffect &argument, Strings &writtenStrings) {
  NodeId text = solver_.addNode();
  solver_.addLoad(pointer, 0, text);
  MemoryAccess object{.pointer = pointer,
                      .bytes = int64_t(StringBytes),
                      .read = argument.read,
                      .written = argument.written,
                      .byModel = true};
  object.type.classes = IntegerBit | PointerBit;
  MemoryAccess characters = object;
  characters.pointer = text;
  characters.bytes = Highest;
  characters.type.classes = IntegerBit;
  record(call, object);
  record(call, characters);
  if (!argument.written)
    return;
  // Two that are written may exchange their characters.
  for (auto [other, otherText] : writtenStrings) {
    solver_.addStore(text, other, 0);
    solver_.addStore(otherText, pointer, 0);
  }
  writtenStrings.emplace_back(pointer, text);
  callSites_.push_back({&call, frame, false, true, true});
  solver_.addCall(pointer, unsigned(callSites_.size() - 1));
}

/// libstdc++'s _Rb_tree_node_base: a colour, then three pointers; _List_node_base: two pointers. Either
/// lies at the beginning of a node, in front of what the program keeps there.
void Builder::applyLinks(const CallBase &call, NodeId pointer, const ArgumentEffect &argument,
                         NodeId &linked) {
  constexpr int64_t Bytes = 4 * PointerSize;
  if (linked == NoPointers) {
    linked = solver_.addNode();
    for (int64_t offset = 0; offset < Bytes; offset += PointerSize) {
      solver_.addLoad(linked, offset, linked);
      if (argument.written)
        solver_.addStore(linked, linked, offset);
    }
  }
  solver_.addCopy(pointer, linked);
  MemoryAccess access{.pointer = linked,
                      .bytes = Bytes,
                      .read = argument.read,
                      .written = argument.written,
                      .byModel = true};
  access.type.classes = IntegerBit | PointerBit;
  record(call, access);
}

/// They lie anywhere from the address in the descriptor, in front of it too; a scalar lies there.
Builder::Elements Builder::elementsOf(const Value &argument, NodeId descriptor) {
  NodeId first = solver_.addNode(), places = solver_.addNode();
  solver_.addLoad(descriptor, 0, first);
  const Descriptor known = describeDescriptor(argument, layout_);
  if (known.rank == 0 && known.elementBytes) {
    solver_.addStep(first, places, Step{.stride = 1, .low = 0, .high = known.elementBytes});
    return {first, known.elementBytes, places};
  }
  solver_.addStep(first, places, Step::anywhere());
  return {places, Highest, places};
}

/// The pointers that lie in them.
NodeId Builder::heldBy(const Elements &elements) {
  NodeId held = solver_.addNode();
  if (elements.bytes == Highest)
    solver_.addLoadAnywhere(elements.places, held);
  else
    solver_.addLoad(elements.places, 0, held);
  return held;
}

/// All memory that those pointers lead to, which come to hold all pointers there.
NodeId Builder::reachOf(NodeId held) {
  NodeId reach = solver_.addNode();
  solver_.addCopy(held, reach);
  solver_.addLoadAnywhere(reach, held);
  return reach;
}

/// What is done with the arrays that the call is handed. Of those that are copied, the elements are of one type: where
/// that is a type of numbers, nothing lies behind them.
void Builder::applyArrays(const CallBase &call, unsigned frame, const Effect &effect) {
  if (call.arg_size() < 2 ||
      none_of(effect.arguments, [](const ArgumentEffect &argument) { return argument.array; }))
    return;
  AccessClass type;
  if (effect.argument(0).array && effect.argument(1).array &&
      describeElements(call).holdsNoAddresses())
    type.classes = IntegerBit | FloatingBit;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    if (NodeId descriptor = node(frame, *call.getArgOperand(index));
        effect.argument(index).array && descriptor != NoPointers) // one was passed
      applyArray(call, index, descriptor, effect.argument(index), type);
  NodeId to = node(frame, *call.getArgOperand(0)), from = node(frame, *call.getArgOperand(1));
  if (effect.kind != EffectKind::Copy || !effect.argument(0).array || !effect.argument(1).array ||
      to == NoPointers || from == NoPointers)
    return;
  if (effect.argument(0).moved)
    moveArray(call, frame, to, from);
  else if (type.classes & PointerBit)
    assignArray(call, to, from, effect);
  if (effect.argument(0).storesFresh) { // a new descriptor is like the other but for the address
    NodeId newRest = solver_.addNode(), rest = solver_.addNode();
    solver_.addStep(to, newRest, Step{.offset = PointerSize});
    solver_.addStep(from, rest, Step{.offset = PointerSize});
    solver_.addMemoryCopy(newRest, rest, Highest);
  }
}

/// The descriptor and the elements; of those that are assigned or freed with all that they refer to, that too.
void Builder::applyArray(const CallBase &call, unsigned index, NodeId descriptor,
                         ArgumentEffect argument, const AccessClass &type) {
  const Value &value = *call.getArgOperand(index);
  AccessClass shape;
  shape.classes = PointerBit | BoundsBit;
  const bool made = argument.storesFresh && !argument.deep,
             frees = argument.deep && argument.shapeWritten;
  if (const auto attribute = describeDescriptor(value, layout_).attribute;
      argument.deep && attribute && *attribute != descriptor::Allocatable)
    argument.storesFresh = argument.shapeWritten = false; // only an allocatable one gets new memory
  if (argument.storesFresh)
    solver_.addStore(freshObject(ObjectKind::Heap, call, 0), descriptor, 0);
  if (!made)
    record(call, {.pointer = descriptor, .type = shape, .read = true, .byModel = true});
  if (argument.shapeWritten)
    record(call, {.pointer = descriptor,
                  .bytes = made || argument.deep || argument.moved ? Highest : PointerSize,
                  .type = argument.deep || argument.moved ? shape : AccessClass(),
                  .written = true,
                  .byModel = true});
  const Elements elements = elementsOf(value, descriptor);
  if (argument.read || argument.written)
    record(call, {.pointer = elements.pointers,
                  .bytes = elements.bytes,
                  .type = type,
                  .read = argument.read,
                  .written = argument.written,
                  .byModel = true});
  if (!argument.deep || !(type.classes & PointerBit))
    return;
  const NodeId reach = reachOf(heldBy(elements));
  if (argument.read || argument.written)
    record(call, {.pointer = reach,
                  .read = argument.read,
                  .written = argument.written,
                  .behind = true,
                  .byModel = true});
  if (!frees)
    return;
  record(call, {.pointer = elements.pointers,
                .bytes = elements.bytes,
                .type = shape,
                .read = true,
                .byModel = true});
  record(call, {.pointer = reach, .type = shape, .read = true, .byModel = true});
}

/// The one descriptor becomes the other. Of one that may be of several types (argument 2 is the one that it is declared
/// with), it gets that back.
void Builder::moveArray(const CallBase &call, unsigned frame, NodeId to, NodeId from) {
  solver_.addMemoryCopy(to, from, Highest);
  if (call.arg_size() > 2)
    solver_.addStoreAnywhere(node(frame, *call.getArgOperand(2)), from);
}

/// Pointers go from the second array to the first, whatever their strides; with all that they refer to where that is
/// assigned too, which then lies in new memory.
void Builder::assignArray(const CallBase &call, NodeId to, NodeId from, const Effect &effect) {
  const Elements target = elementsOf(*call.getArgOperand(0), to);
  const Elements source = elementsOf(*call.getArgOperand(1), from);
  if (target.bytes != Highest && target.bytes == source.bytes)
    solver_.addMemoryCopy(target.pointers, source.pointers, target.bytes);
  else
    solver_.addStore(heldBy(source), target.places, 0);
  if (!effect.argument(0).deep)
    return;
  const NodeId held = heldBy(source);
  reachOf(held);
  NodeId fresh = freshObject(ObjectKind::Heap, call, 0);
  NodeId written = reachOf(heldBy(target));
  solver_.addStore(fresh, target.places, 0);
  solver_.addStoreAnywhere(fresh, written);
  solver_.addStoreAnywhere(held, written);
}

/// Called with anything that the arguments reach, or with a descriptor of such.
void Builder::applyFinalizer(const CallBase &call, unsigned frame, const Function &finalizer) {
  NodeId held = solver_.addNode(), descriptor = freshObject(ObjectKind::Stack, call, 0);
  const NodeId reach = reachOf(held);
  for (const Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      solver_.addStep(node(frame, *argument), reach, Step::anywhere());
  solver_.addStoreAnywhere(reach, descriptor);
  const unsigned callee = baseFrame(finalizer);
  for (const Argument &parameter : finalizer.args()) {
    solver_.addStep(reach, frames_[callee].nodes.lookup(&parameter), Step::anywhere());
    solver_.addCopy(descriptor, frames_[callee].nodes.lookup(&parameter));
  }
  targets_[&call].functions.insert(&finalizer);
}

/// Pointers that the function moves: from the second argument to the first, or, where it sorts by
/// a callback, within the first.
void Builder::applyShallowCopy(const CallBase &call, unsigned frame, const Effect &effect) {
  ArgumentEffect to = effect.argument(0), from = effect.argument(1);
  if (to.deep || to.array || !to.written || call.arg_empty())
    return;
  NodeId target = node(frame, *call.getArgOperand(0));
  if (effect.kind == EffectKind::Order) {
    NodeId moved = solver_.addNode();
    solver_.addLoadAnywhere(target, moved);
    solver_.addStoreAnywhere(moved, target);
  } else if (effect.kind == EffectKind::Copy && from.read && call.arg_size() > 1) {
    int64_t bytes = call.arg_size() > 2 ? constantBytes(*call.getArgOperand(2)) : Highest;
    solver_.addMemoryCopy(target, node(frame, *call.getArgOperand(1)), bytes);
  }
}

/// Arguments whose whole reach is read or written: pointers that are read may be stored wherever it
/// writes, and so may pointers to new memory (an assignment of a derived type allocates). The addresses of the
/// arguments themselves, descriptors, are stored nowhere.
void Builder::applyDeep(const CallBase &call, unsigned frame, const Effect &effect) {
  struct Reach {
    NodeId all = NoPointers, held = NoPointers; ///< the memory, and the pointers in it
  } read, shapes, written;                      // shapes: of what is read, descriptors only
  auto close = [&](Reach &reach, NodeId pointer) {
    if (reach.all == NoPointers) {
      reach = {solver_.addNode(), solver_.addNode()};
      solver_.addLoadAnywhere(reach.all, reach.held);
      solver_.addCopy(reach.held, reach.all);
    }
    solver_.addStep(pointer, reach.all, Step::anywhere());
  };
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    ArgumentEffect argument = effect.argument(index);
    NodeId pointer = node(frame, *call.getArgOperand(index));
    if (argument.array || !(argument.deep || argument.behind) || pointer == NoPointers ||
        call.getArgOperand(index)->getType()->isIntegerTy())
      continue;
    if (argument.behind) {
      NodeId held = solver_.addNode();
      solver_.addLoad(pointer, 0, held);
      pointer = held;
    }
    if (argument.read || argument.behind)
      close(argument.shape ? shapes : read, pointer);
    if (argument.written || argument.behind)
      close(written, pointer);
  }
  AccessClass type;
  if (effect.kind == EffectKind::Numeric)
    type.classes = FloatingBit;
  record(call, {.pointer = read.all, .type = type, .read = true, .byModel = true});
  AccessClass shape;
  shape.classes = PointerBit | BoundsBit;
  record(call, {.pointer = shapes.all, .type = shape, .read = true, .byModel = true});
  record(call, {.pointer = written.all, .type = type, .written = true, .byModel = true});
  bool storesPointers = effect.kind == EffectKind::Copy || allocates(effect.kind);
  if (written.all == NoPointers || !storesPointers)
    return;
  solver_.addStoreAnywhere(freshObject(ObjectKind::Heap, call, 0), written.all);
  solver_.addStoreAnywhere(read.held, written.all);
  solver_.addStoreAnywhere(written.held, written.all);
}

void Builder::copyFreshContents(const CallBase &call, unsigned frame, NodeId fresh) {
  if (const Value *first = call.arg_size() ? call.getArgOperand(0) : nullptr)
    solver_.addMemoryCopy(fresh, node(frame, *first), Highest);
}

void Builder::applyResult(const CallBase &call, unsigned frame, const Effect &effect) {
  if (call.getType()->isVoidTy())
    return;
  NodeId result = node(frame, call);
  if (result == NoPointers)
    return;
  switch (effect.returned) {
  case Returned::Value:
    break;
  case Returned::Argument:
  case Returned::InsideArgument:
    if (effect.returnedArgument < call.arg_size())
      solver_.addStep(node(frame, *call.getArgOperand(effect.returnedArgument)), result,
                      effect.returned == Returned::Argument ? Step() : Step::anywhere());
    if (effect.returned == Returned::InsideArgument &&
        effect.argument(effect.returnedArgument).string)
      addCharactersOf(node(frame, *call.getArgOperand(effect.returnedArgument)), result);
    break;
  case Returned::Fresh: {
    NodeId fresh = freshObject(ObjectKind::Heap, call, allocatedBytes(call));
    solver_.addCopy(fresh, result);
    if (effect.argument(0).read)
      copyFreshContents(call, frame, fresh);
    if (effect.argument(0).read || isZeroed(call))
      record(call, {.pointer = fresh, .written = true, .byModel = effect.argument(0).read});
    break;
  }
  case Returned::AnyArgument:
    for (const Value *argument : call.args())
      solver_.addStep(node(frame, *argument), result, Step::anywhere());
    break;
  case Returned::ArgumentOrFresh: {
    if (effect.returnedArgument >= call.arg_size())
      break;
    const Value &argument = *call.getArgOperand(effect.returnedArgument);
    solver_.addStep(node(frame, argument), result, Step());
    if (isOfVariable(argument))
      break;
    NodeId fresh = freshObject(ObjectKind::Heap, call, 0);
    solver_.addCopy(fresh, result);
    record(call, {.pointer = fresh, .type = characters(), .written = true, .byModel = true});
    break;
  }
  case Returned::Advanced: // by applyAdvancing()
  case Returned::Linked:   // by applyLinks()
  case Returned::Resumed:  // by applyResumed()
    break;
  case Returned::Unit: {
    NodeId unit = freshObject(ObjectKind::Heap, call, 0);
    for (unsigned index = 0; index < call.arg_size(); ++index)
      if (effect.argument(index).inResult)
        solver_.addStore(node(frame, *call.getArgOperand(index)), unit, 0);
    solver_.addCopy(unit, result);
    break;
  }
  case Returned::Environment:
    solver_.addStep(environment_, result, Step::anywhere());
    [[fallthrough]];
  case Returned::Library:
    if (call.getCalledFunction()->getName() == ErrnoAddress)
      break; // by applyState()
    solver_.addCopy(LibraryNode, result);
    break;
  case Returned::Unknown:
    solver_.addCopy(EscapedNode, result);
    break;
  }
}

} // namespace gnomon::pointsto
