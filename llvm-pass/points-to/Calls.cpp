// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Constraints of calls: of the program's own functions, of whatever a pointer may be, of unknown
/// code.
#include "points-to/Builder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon::pointsto {

void Builder::visitCallBase(CallBase &call) {
  if (isa<DbgInfoIntrinsic>(call) || visitMemoryIntrinsic(call) || visitIntrinsic(call))
    return;
  const auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  CallSite site = {&call, frame_, false};
  if (callee) {
    link(site, *callee);
  } else if (call.isInlineAsm()) {
    callExternal(call, frame_, externals_.of(call));
  } else {
    callSites_.push_back(site);
    targets_[&call];
    solver_.addCall(node(*call.getCalledOperand()), unsigned(callSites_.size() - 1));
  }
}

/// A function with a body that takes what it is passed one by one.
static bool isPlain(const Function &function) {
  return !function.isDeclaration() && !function.isVarArg() &&
         none_of(function.args(),
                 [](const Argument &argument) { return argument.getParamByValType(); });
}

/// What stands for a virtual function without a body, in the table of an abstract class, to which an
/// object belongs while it is made. A program that calls one is wrong, whatever its data are.
static bool isPureVirtual(const Function &function) {
  return function.getName() == "__cxa_pure_virtual" ||
         function.getName() == "__cxa_deleted_virtual";
}

void Builder::calls(unsigned callSite, const LocationSet &callees) {
  const CallSite site = callSites_[callSite];
  SmallVector<const Function *, 8> group;
  for (LocationId location : callees) {
    const ObjectId callee = memory_.location(location).object;
    if (site.string) {
      addCharacters(site, location);
      continue;
    }
    if (linked_.size() <= callSite)
      linked_.resize(callSites_.size());
    if (!linked_[callSite].insert(callee))
      continue;
    if (site.owner) {
      addOwned(site, callee);
      continue;
    }
    const Object &object = memory_.object(callee);
    if (object.kind == ObjectKind::Function) {
      const auto &function = *cast<Function>(object.origin);
      if (isPureVirtual(function))
        continue;
      if (site.callback)
        callback(site, function);
      else if (isPlain(function) && !contexts_.isAllocator(function))
        group.push_back(&function);
      else
        link(site, function);
      buildPending();
    } else if (object.kind == ObjectKind::Unknown) {
      targets_[site.call].unknown = true;
      callUnknown(*site.call, site.frame);
    } else if (object.kind == ObjectKind::Library) {
      targets_[site.call].library = true; // it works on its arguments, but it may do I/O
      callLibrary(*site.call, site.frame);
    }
  }
  if (group.size() == 1)
    link(site, *group.front());
  else if (!group.empty())
    linkGroup(site, groups_.of(group));
  buildPending();
}

/// What an object of a library's class refers to, whatever is done with it: itself, and a string's
/// characters or a stream's buffer, which is new memory. What belongs to the library keeps the
/// library's.
void Builder::addOwned(const CallSite &site, ObjectId owner) {
  const ObjectKind kind = memory_.object(owner).kind;
  if (kind <= ObjectKind::Arguments || kind == ObjectKind::Function ||
      !owners_.insert(owner).second)
    return;
  const NodeId self = pointerTo(owner);
  solver_.addStoreAnywhere(self, self);
  const auto *variable = dyn_cast_or_null<GlobalVariable>(memory_.object(owner).origin);
  if (variable && variable->isDeclaration())
    return;
  const ObjectId kept = memory_.addObject(ObjectKind::Heap, site.call, 0, false);
  owners_.insert(kept); // what it would keep of its own is no other memory
  solver_.addStoreAnywhere(pointerTo(kept), self);
}

/// A string refers to the room for a few characters in itself, and to memory of its own.
void Builder::addCharacters(const CallSite &site, LocationId string) {
  const ObjectId object = memory_.location(string).object;
  const ObjectKind kind = memory_.object(object).kind;
  if (kind <= ObjectKind::Arguments || kind == ObjectKind::Function || !strings_.insert(string))
    return;
  const NodeId self = solver_.addNode(), inside = solver_.addNode();
  solver_.addAddress(self, string);
  solver_.addStep(self, inside, Step{.offset = StringRoom, .extent = StringRoom});
  solver_.addStore(inside, self, 0);
  auto [text, isNew] = texts_.try_emplace(object, object);
  if (isNew) {
    const ObjectId characters = memory_.addObject(ObjectKind::Heap, site.call, 0, false);
    texts_[object] = characters;
    texts_[characters] = characters; // seen where strings are not told apart: no memory of its own
  }
  solver_.addStore(pointerTo(texts_.lookup(object)), self, 0);
}

void Builder::linkGroup(const CallSite &site, ArrayRef<const Function *> callees) {
  const CallBase &call = *site.call;
  SmallVectorImpl<ArrayRef<const Function *>> &groups = targets_[&call].groups;
  if (none_of(groups,
              [&](ArrayRef<const Function *> known) { return known.data() == callees.data(); }))
    groups.push_back(callees);
  const Exchange &between = exchange(callees, call.arg_size());
  for (unsigned index = 0; index < call.arg_size(); ++index)
    solver_.addCopy(node(site.frame, *call.getArgOperand(index)), between.arguments[index]);
  if (!call.getType()->isVoidTy())
    solver_.addCopy(between.result, node(site.frame, call));
}

const Builder::Exchange &Builder::exchange(ArrayRef<const Function *> callees, unsigned arguments) {
  Exchange &made = exchanges_[{callees.data(), arguments}];
  if (!made.callees.empty())
    return made;
  made.callees = callees;
  for (unsigned index = 0; index < arguments; ++index)
    made.arguments.push_back(solver_.addNode());
  made.result = solver_.addNode();
  for (const Function *callee : callees) {
    const Frame &frame = frames_[baseFrame(*callee)];
    for (unsigned index = 0; index < std::min<size_t>(arguments, callee->arg_size()); ++index)
      solver_.addCopy(made.arguments[index], frame.nodes.lookup(callee->getArg(index)));
    if (!callee->getReturnType()->isVoidTy())
      solver_.addCopy(frame.returned, made.result);
  }
  return made;
}

/// Unknown code may call it, with anything that unknown code can reach.
void Builder::escapes(ObjectId object) {
  const auto *function = dyn_cast_or_null<Function>(memory_.object(object).origin);
  if (memory_.object(object).kind != ObjectKind::Function || function->isDeclaration())
    return;
  const Frame &frame = frames_[baseFrame(*function)];
  for (const Argument &argument : function->args())
    solver_.addCopy(EscapedNode, frame.nodes.lookup(&argument));
  solver_.addCopy(frame.returned, EscapedNode);
  if (frame.variadic != NoPointers)
    solver_.addStoreAnywhere(EscapedNode, frame.variadic);
  buildPending();
}

void Builder::link(const CallSite &site, const Function &callee) {
  targets_[site.call].functions.insert(&callee);
  if (callee.isDeclaration()) {
    Effect effect =
        site.call->getCalledFunction() ? externals_.of(*site.call) : externals_.of(callee);
    return callExternal(*site.call, site.frame, effect);
  }
  unsigned depth = frames_[site.frame].depth;
  const bool direct = site.call->getCalledFunction() == &callee;
  const bool own = (direct || contexts_.isAllocator(callee)) && contexts_.takesCopy(callee, depth);
  const unsigned frame = own ? newFrame(callee, depth + 1) : baseFrame(callee);
  linkFrame(*site.call, site.frame, frame);
}

void Builder::linkFrame(const CallBase &call, unsigned caller, unsigned callee) {
  const Function &function = *frames_[callee].function;
  for (unsigned index = 0; index < call.arg_size(); ++index)
    linkArgument(call, index, caller, callee);
  if (!call.getType()->isVoidTy() && !function.getReturnType()->isVoidTy())
    solver_.addCopy(frames_[callee].returned, node(caller, call));
  if (frames_[callee].variadic != NoPointers && call.arg_size() > function.arg_size())
    record(call, {.pointer = frames_[callee].variadic, .written = true});
}

void Builder::linkArgument(const CallBase &call, unsigned index, unsigned caller, unsigned callee) {
  const Frame &frame = frames_[callee];
  NodeId passed = node(caller, *call.getArgOperand(index));
  if (index >= frame.function->arg_size()) {
    if (frame.variadic != NoPointers)
      solver_.addStoreAnywhere(passed, frame.variadic);
    return;
  }
  const Argument *argument = frame.function->getArg(index);
  NodeId parameter = frame.nodes.lookup(argument);
  if (Type *copied = argument->getParamByValType()) {
    int64_t bytes = int64_t(layout_.getTypeAllocSize(copied).getFixedValue());
    solver_.addMemoryCopy(parameter, passed, bytes);
    record(call, {.pointer = passed, .bytes = bytes, .read = true});
    record(call, {.pointer = parameter, .bytes = bytes, .written = true});
  } else {
    solver_.addCopy(passed, parameter);
  }
}

/// An indirect call of code that is not in the module.
void Builder::callUnknown(const CallBase &call, unsigned frame) {
  callExternal(call, frame, Effect());
}

/// A virtual function of a library's own object, or a function pointer that a library handed out:
/// works on what it is given, and returns that or what belongs to the library.
void Builder::callLibrary(const CallBase &call, unsigned frame) {
  Effect effect;
  effect.kind = EffectKind::Input;
  effect.returned = Returned::Library;
  effect.known = true;
  effect.repeatsLast = true;
  ArgumentEffect both;
  both.read = both.written = true;
  effect.arguments.push_back(both);
  callExternal(call, frame, effect);
  NodeId result = node(frame, call);
  for (const Value *argument : call.args())
    solver_.addStep(node(frame, *argument), result, Step::anywhere());
}

/// An external function calls back: each parameter may be any pointer that the external function
/// was given, at any offset, or one of the library's own.
void Builder::callback(const CallSite &site, const Function &callee) {
  if (callee.isDeclaration())
    return;
  unsigned calleeFrame = baseFrame(callee);
  for (const Argument &parameter : callee.args()) {
    NodeId to = frames_[calleeFrame].nodes.lookup(&parameter);
    solver_.addCopy(LibraryNode, to);
    for (const Value *argument : site.call->args())
      if (argument != &callee)
        solver_.addStep(node(site.frame, *argument), to, Step::anywhere());
  }
  solver_.addCopy(frames_[calleeFrame].returned, LibraryNode);
  targets_[site.call].functions.insert(&callee);
}

} // namespace gnomon::pointsto
