// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/BurstEnds.h"

#include "names/HookCode.h"
#include "names/HookNames.h"
#include "names/Names.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon::count {
namespace {

bool calls(const CallBase &call, StringRef hook) {
  const Function *callee = call.getCalledFunction();
  StringRef name = callee ? callee->getName() : "";
  name.consume_front(names::PendingPrefix);
  return name == hook;
}

bool isBegin(const CallBase &call) {
  return calls(call, hook::gnomon_burst_begin) || calls(call, hook::gnomon_burst_begin_with);
}

/// The calls around a burst: by its record, which is the first argument of both.
struct Calls {
  SmallVector<CallBase *, 1> begins;
  SmallVector<CallBase *, 2> ends;
};

MapVector<const Value *, Calls> callsOf(Function &function) {
  MapVector<const Value *, Calls> bursts;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (isBegin(*call))
        bursts[call->getArgOperand(0)].begins.push_back(call);
      else if (calls(*call, hook::gnomon_burst_end))
        bursts[call->getArgOperand(0)].ends.push_back(call);
    }
  return bursts;
}

void tell(CallBase &end, int64_t ahead) {
  IRBuilder<> builder(&end);
  Value *record = end.getArgOperand(0);
  FunctionCallee with = end.getModule()->getOrInsertFunction(
      hook::gnomon_burst_end_with, builder.getVoidTy(), record->getType(), builder.getInt64Ty());
  CallInst *call = builder.CreateCall(with, {record, builder.getInt64(ahead)});
  call->setDoesNotThrow();
  markAsHook(*call);
  end.eraseFromParent();
}

} // namespace

bool isBurstHook(const CallBase &call) {
  return isBegin(call) || calls(call, hook::gnomon_burst_end) ||
         calls(call, hook::gnomon_burst_end_with);
}

bool isToldPending(const CallBase &call) {
  return isa<CallInst>(call) && (isBurstHook(call) || calls(call, hook::gnomon_phase) ||
                                 calls(call, hook::gnomon_phase_where));
}

static CallInst *replaceCall(CallBase &call, StringRef name, ArrayRef<Value *> arguments) {
  IRBuilder<> builder(&call);
  SmallVector<Type *, 6> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      name, FunctionType::get(call.getType(), types, /*isVarArg=*/false));
  CallInst *other = builder.CreateCall(callee, arguments);
  other->setDoesNotThrow();
  markAsHook(*other);
  call.replaceAllUsesWith(other);
  call.eraseFromParent();
  return other;
}

void tellPending(CallBase &hook, Value &pending) {
  SmallVector<Value *, 6> arguments(hook.args());
  arguments.push_back(&pending);
  replaceCall(hook, (names::PendingPrefix + hook.getCalledFunction()->getName()).str(), arguments);
}

void callWithPending(CallInst &told, GlobalVariable &counter) {
  SmallVector<Value *, 6> arguments(told.args());
  Value *pending = arguments.pop_back_val();
  StringRef name = told.getCalledFunction()->getName();
  name.consume_front(names::PendingPrefix);
  CallInst *call = replaceCall(told, name, arguments);
  IRBuilder<> builder(call);
  auto change = [&](Instruction::BinaryOps how) {
    Value *before = builder.CreateLoad(counter.getValueType(), &counter);
    builder.CreateStore(builder.CreateBinOp(how, before, pending), &counter);
  };
  change(Instruction::Add);
  builder.SetInsertPoint(call->getNextNode());
  change(Instruction::Sub);
}

bool hasBursts(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && isBegin(*call);
  });
}

void tellEnds(Function &function, function_ref<int64_t(const CallBase &)> ahead) {
  SmallVector<std::pair<CallBase *, int64_t>, 8> told;
  for (const auto &[record, of] : callsOf(function)) {
    // A record that a user's own code passes may have several begins: which of them an end closes, only the run knows.
    if (of.begins.size() != 1)
      continue;
    const int64_t before = ahead(*of.begins.front());
    for (CallBase *end : of.ends)
      if (const int64_t more = ahead(*end) - before; more != 0 && isa<CallInst>(end))
        told.push_back({end, more});
  }
  for (auto [end, more] : told)
    tell(*end, more);
}

} // namespace gnomon::count
