// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/HookSwitch.h"

#include "count/BurstEnds.h"
#include "count/Effects.h"
#include "names/HookNames.h"
#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// The hooks around bursts, which touch nothing that the program reads or writes.
constexpr const char *Begins[] = {hook::gnomon_burst_begin, hook::gnomon_burst_begin_with};
constexpr const char *Ends[] = {hook::gnomon_burst_end, hook::gnomon_burst_end_with};

constexpr const char *Phases[] = {hook::gnomon_phase, hook::gnomon_phase_where};

/// Of these hooks, those that the module calls. Those that are told what is pending have names of their own.
SmallVector<Function *, 8> hooksOf(Module &module, ArrayRef<const char *> names) {
  SmallVector<Function *, 8> hooks;
  for (StringRef hook : names)
    for (const std::string &name : {hook.str(), (names::PendingPrefix + hook).str()})
      if (Function *function = module.getFunction(name))
        hooks.push_back(function);
  return hooks;
}

SmallVector<Function *, 8> aroundBursts(Module &module) {
  SmallVector<Function *, 8> hooks = hooksOf(module, Begins);
  append_range(hooks, hooksOf(module, Ends));
  return hooks;
}

/// Whether the optimiser sees the counter as memory of the program, which hooks read.
bool hasPlainCounter(const Module &module) {
  const GlobalVariable *counter = module.getNamedGlobal(names::Instructions);
  return counter && any_of(counter->users(), [](const User *user) {
           const auto *access = dyn_cast<Instruction>(user);
           return access && isa<LoadInst, StoreInst>(access) &&
                  access->getFunction()->getName() != names::InstructionsReader;
         });
}

SmallVector<CallInst *, 16> callsOf(Module &module, StringRef hook) {
  SmallVector<CallInst *, 16> calls;
  if (Function *function = module.getFunction(hook))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function)
        calls.push_back(call);
  return calls;
}

/// A record that no code of the program looks at, as a user's own record may be written.
bool isSeenByHooksOnly(const Value &record) {
  const auto *variable = dyn_cast<GlobalVariable>(&record);
  return variable && variable->hasLocalLinkage() &&
         all_of(variable->users(), [&](const User *user) {
           const auto *call = dyn_cast<CallInst>(user);
           return isa<ConstantAggregate, GlobalVariable>(user) ||
                  (call && call->getArgOperand(0) == variable && count::isBurstHook(*call));
         });
}

/// Around hooks that are told what is pending, the counter has it.
void putPending(Module &module) {
  SmallVector<Function *, 8> told;
  SmallVector<Function *, 16> writers;
  SmallVector<Function *, 8> hooks = aroundBursts(module);
  append_range(hooks, hooksOf(module, Phases));
  for (Function *hook : hooks)
    if (hook->getName().starts_with(names::PendingPrefix))
      told.push_back(hook);
  for (Function *hook : told) {
    for (CallInst *call : callsOf(module, hook->getName())) {
      writers.push_back(call->getFunction());
      count::callWithPending(*call, *module.getNamedGlobal(names::Instructions));
    }
    hook->eraseFromParent();
  }
  count::confess(writers);
}

/// Whether nothing behind the instruction in its block may change what it gives.
bool mayMoveOut(const Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.mayHaveSideEffects())
    return false;
  if (!instruction.mayReadFromMemory())
    return true;
  for (const Instruction *next = &instruction; next; next = next->getNextNode())
    if (next->mayWriteToMemory())
      return false;
  return true;
}

/// What \p before computes for the call alone is computed where the call is.
void sinkArguments(CallInst &call, const BasicBlock &before) {
  SmallVector<Instruction *, 8> users{&call};
  while (!users.empty()) {
    Instruction *user = users.pop_back_val();
    for (Value *operand : user->operands()) {
      auto *instruction = dyn_cast<Instruction>(operand);
      if (!instruction || instruction->getParent() != &before || !instruction->hasOneUse() ||
          !mayMoveOut(*instruction))
        continue;
      instruction->moveBefore(user->getIterator());
      users.push_back(instruction);
    }
  }
}

/// The branch behind the call when nothing but it asks for the answer, and there is nothing in
/// between.
BranchInst *branchOn(CallInst &answer) {
  if (!answer.hasOneUse())
    return nullptr;
  auto *compared = dyn_cast<ICmpInst>(answer.user_back());
  if (!compared || compared != answer.getNextNode() || !compared->hasOneUse() ||
      !isa<ConstantInt>(compared->getOperand(1)))
    return nullptr;
  auto *branch = dyn_cast<BranchInst>(compared->user_back());
  return branch && branch == compared->getNextNode() ? branch : nullptr;
}

class Switch {
public:
  explicit Switch(GlobalVariable &on) : on_(on) {}

  /// Around a call that gives nothing.
  void silent(CallInst &call) {
    const BasicBlock &before = *call.getParent();
    Instruction *then = ask(call);
    call.moveBefore(then->getIterator());
    sinkArguments(call, before);
  }

  /// Around one that answers whether to execute: yes where it is not asked.
  void asking(CallInst &call) {
    if (call.use_empty())
      return silent(call);
    if (BranchInst *branch = branchOn(call))
      return askingAndBranching(call, *branch);
    BasicBlock *before = call.getParent();
    Instruction *then = ask(call);
    BasicBlock *asked = then->getParent(), *join = asked->getSingleSuccessor();
    call.moveBefore(then->getIterator());
    sinkArguments(call, *before);
    IRBuilder<> builder(join, join->begin());
    PHINode *answer = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(answer);
    answer->addIncoming(&call, asked);
    answer->addIncoming(ConstantInt::get(call.getType(), 1), before);
  }

  /// Around one that gives back its last argument, or something in its place.
  void giving(CallInst &call) {
    BasicBlock *before = call.getParent();
    Instruction *then = ask(call);
    BasicBlock *asked = then->getParent(), *join = asked->getSingleSuccessor();
    Value *computed = call.getArgOperand(call.arg_size() - 1);
    call.moveBefore(then->getIterator());
    IRBuilder<> builder(join, join->begin());
    PHINode *given = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(given);
    given->addIncoming(&call, asked);
    given->addIncoming(computed, before);
  }

  /// Around one that gives an address, or null: null where it is not asked.
  void finding(CallInst &call) {
    BasicBlock *before = call.getParent();
    Instruction *then = ask(call);
    BasicBlock *asked = then->getParent(), *join = asked->getSingleSuccessor();
    call.moveBefore(then->getIterator());
    IRBuilder<> builder(join, join->begin());
    PHINode *found = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(found);
    found->addIncoming(&call, asked);
    found->addIncoming(Constant::getNullValue(call.getType()), before);
  }

  /// What hooks alone ask for is computed where they are on, for each of them.
  void sink();

private:
  /// The end of a block in which hooks are on.
  Instruction *ask(Instruction &before) {
    IRBuilder<> builder(&before);
    Instruction *end = SplitBlockAndInsertIfThen(isOn(builder), before.getIterator(),
                                                 /*Unreachable=*/false, seldom());
    asked_.insert(end->getParent());
    return end;
  }
  /// Values that live across the hook are saved where it is called, and stay in registers where it is not.
  MDNode *seldom() const { return MDBuilder(on_.getContext()).createUnlikelyBranchWeights(); }
  Value *isOn(IRBuilderBase &builder) {
    return builder.CreateICmpNE(builder.CreateLoad(on_.getValueType(), &on_),
                                Constant::getNullValue(on_.getValueType()));
  }
  void askingAndBranching(CallInst &call, BranchInst &branch);
  bool isForHooksOnly(const Instruction &instruction) const;

  GlobalVariable &on_;
  SmallPtrSet<const BasicBlock *, 16> asked_; ///< looked up only
};

bool Switch::isForHooksOnly(const Instruction &instruction) const {
  return !asked_.contains(instruction.getParent()) && !instruction.use_empty() &&
         !instruction.isTerminator() && !isa<PHINode, AllocaInst>(instruction) &&
         !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() &&
         all_of(instruction.users(), [&](const User *user) {
           const auto *other = cast<Instruction>(user);
           return !isa<PHINode>(other) && asked_.contains(other->getParent());
         });
}

void Switch::sink() {
  SetVector<Instruction *> pending;
  auto ask = [&](const Instruction &user) {
    for (Value *operand : user.operands())
      if (auto *instruction = dyn_cast<Instruction>(operand))
        pending.insert(instruction);
  };
  for (Function &function : *on_.getParent())
    for (BasicBlock &block : function)
      if (asked_.contains(&block))
        for_each(block, ask);
  while (!pending.empty()) {
    Instruction *instruction = pending.pop_back_val();
    if (!isForHooksOnly(*instruction))
      continue;
    ask(*instruction);
    while (!instruction->use_empty()) {
      auto *user = cast<Instruction>(instruction->user_back());
      Instruction *copy = instruction->clone();
      copy->insertBefore(user->getIterator());
      user->replaceUsesOfWith(instruction, copy);
    }
    instruction->eraseFromParent();
  }
}

/// The branch goes with the call; without it the way is the one of the answer 1.
void Switch::askingAndBranching(CallInst &call, BranchInst &branch) {
  auto *compared = cast<ICmpInst>(branch.getCondition());
  const bool yes = ICmpInst::compare(APInt(call.getType()->getIntegerBitWidth(), 1),
                                     cast<ConstantInt>(compared->getOperand(1))->getValue(),
                                     compared->getPredicate());
  BasicBlock *execute = branch.getSuccessor(yes ? 0 : 1);
  BasicBlock *before = call.getParent();
  BasicBlock *asked = SplitBlock(before, &call);
  asked_.insert(asked);
  // Where both ways meet again: what is executed may be a loop, which is entered in one place.
  BasicBlock *join = SplitBlockPredecessors(execute, {asked}, ".execute");
  Instruction *last = before->getTerminator();
  IRBuilder<> builder(last);
  builder.CreateCondBr(isOn(builder), asked, join, seldom());
  last->eraseFromParent();
  sinkArguments(call, *before);
}

} // namespace

PreservedAnalyses HookEffectsPass::run(Module &module, ModuleAnalysisManager &) {
  if (!module.getNamedGlobal(names::BurstsOn) || hasPlainCounter(module))
    return PreservedAnalyses::all();
  for (Function *hook : aroundBursts(module)) {
    hook->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
    hook->addFnAttr(Attribute::NoFree);
    for (CallInst *call : callsOf(module, hook->getName()))
      if (isSeenByHooksOnly(*call->getArgOperand(0)))
        call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses HookSwitchPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *on = module.getNamedGlobal(names::BurstsOn);
  if (!on)
    return PreservedAnalyses::all();
  for (Function *hook : aroundBursts(module)) {
    hook->removeFnAttr(Attribute::Memory);
    for (CallInst *call : callsOf(module, hook->getName()))
      call->removeFnAttr(Attribute::Memory);
  }
  if (GlobalVariable *points = module.getNamedGlobal(names::PointsOn)) {
    for (StringRef hook : {hook::gnomon_decide, hook::gnomon_decide_each})
      for (CallInst *call : callsOf(module, hook))
        Switch(*points).giving(*call);
    for (CallInst *call : callsOf(module, hook::gnomon_computes))
      Switch(*points).asking(*call);
  }
  Switch around(*on);
  for (Function *hook : hooksOf(module, Begins))
    for (CallInst *call : callsOf(module, hook->getName()))
      around.asking(*call);
  for (Function *hook : hooksOf(module, Ends))
    for (CallInst *call : callsOf(module, hook->getName()))
      around.silent(*call);
  for (CallInst *call : callsOf(module, hook::gnomon_free_path))
    around.asking(*call);
  for (Function *hook : hooksOf(module, Phases))
    for (CallInst *call : callsOf(module, hook->getName()))
      around.silent(*call);
  for (StringRef hook : {hook::gnomon_fold_begin, hook::gnomon_fold_end})
    for (CallInst *call : callsOf(module, hook))
      around.silent(*call);
  for (CallInst *call : callsOf(module, hook::gnomon_local))
    around.finding(*call);
  around.sink();
  putPending(module);
  return PreservedAnalyses::none();
}

} // namespace gnomon
