// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/HookSwitch.h"

#include "names/HookNames.h"
#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

SmallVector<CallInst *, 16> callsOf(Module &module, StringRef hook) {
  SmallVector<CallInst *, 16> calls;
  if (Function *function = module.getFunction(hook))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == function)
        calls.push_back(call);
  return calls;
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

private:
  /// The end of a block in which hooks are on.
  Instruction *ask(Instruction &before) {
    IRBuilder<> builder(&before);
    return SplitBlockAndInsertIfThen(isOn(builder), before.getIterator(), /*Unreachable=*/false);
  }
  Value *isOn(IRBuilderBase &builder) {
    return builder.CreateICmpNE(builder.CreateLoad(on_.getValueType(), &on_),
                                Constant::getNullValue(on_.getValueType()));
  }
  void askingAndBranching(CallInst &call, BranchInst &branch);

  GlobalVariable &on_;
};

/// The branch goes with the call; without it the way is the one of the answer 1.
void Switch::askingAndBranching(CallInst &call, BranchInst &branch) {
  auto *compared = cast<ICmpInst>(branch.getCondition());
  const bool yes = ICmpInst::compare(APInt(call.getType()->getIntegerBitWidth(), 1),
                                     cast<ConstantInt>(compared->getOperand(1))->getValue(),
                                     compared->getPredicate());
  BasicBlock *execute = branch.getSuccessor(yes ? 0 : 1);
  BasicBlock *before = call.getParent();
  BasicBlock *asked = SplitBlock(before, &call);
  // Where both ways meet again: what is executed may be a loop, which is entered in one place.
  BasicBlock *join = SplitBlockPredecessors(execute, {asked}, ".execute");
  Instruction *last = before->getTerminator();
  IRBuilder<> builder(last);
  builder.CreateCondBr(isOn(builder), asked, join);
  last->eraseFromParent();
  sinkArguments(call, *before);
}

} // namespace

PreservedAnalyses HookSwitchPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *on = module.getNamedGlobal(names::BurstsOn);
  if (!on)
    return PreservedAnalyses::all();
  if (GlobalVariable *points = module.getNamedGlobal(names::PointsOn)) {
    for (StringRef hook : {hook::gnomon_decide, hook::gnomon_decide_each})
      for (CallInst *call : callsOf(module, hook))
        Switch(*points).giving(*call);
    for (CallInst *call : callsOf(module, hook::gnomon_computes))
      Switch(*points).asking(*call);
  }
  Switch around(*on);
  for (StringRef hook :
       {hook::gnomon_burst_begin, hook::gnomon_burst_begin_with, hook::gnomon_free_path})
    for (CallInst *call : callsOf(module, hook))
      around.asking(*call);
  for (StringRef hook : {hook::gnomon_burst_end, hook::gnomon_burst_end_with, hook::gnomon_phase,
                         hook::gnomon_phase_where, hook::gnomon_fold_begin, hook::gnomon_fold_end})
    for (CallInst *call : callsOf(module, hook))
      around.silent(*call);
  for (CallInst *call : callsOf(module, hook::gnomon_local))
    around.finding(*call);
  return PreservedAnalyses::none();
}

} // namespace gnomon
