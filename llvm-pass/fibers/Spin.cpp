// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/Spin.h"

#include "fibers/SpinLoops.h"
#include "names/HookNames.h"
#include "names/Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gnomon {

namespace {

/// Heads of the loops of \p function that wait.
SmallVector<BasicBlock *, 4> waitingHeads(Function &function, SpinLoops &spins) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  SmallVector<BasicBlock *, 4> heads;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (spins.waits(*loop, dominators))
      heads.push_back(loop->getHeader());
  return heads;
}

void promoteVariables(Function &function) {
  SmallVector<AllocaInst *, 16> variables;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  DominatorTree dominators(function);
  PromoteMemToReg(variables, dominators);
}

/// The same of a function that is not optimised. What its loops carry along shows in a copy whose
/// variables are in registers; its blocks are those of the function.
SmallVector<BasicBlock *, 4> waitingHeadsOfPlain(Function &function, SpinLoops &spins) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&function, map);
  promoteVariables(*copy);
  DenseMap<const Value *, BasicBlock *> originals; // looked up only
  for (BasicBlock &block : function)
    originals[map[&block]] = &block;
  SmallVector<BasicBlock *, 4> heads;
  for (BasicBlock *head : waitingHeads(*copy, spins))
    heads.push_back(originals[head]);
  copy->eraseFromParent();
  return heads;
}

/// Where the loop with this head goes round: those of its predecessors that it dominates.
SmallVector<BasicBlock *, 4> latchesOf(BasicBlock &head) {
  DominatorTree dominators(*head.getParent());
  SmallVector<BasicBlock *, 4> latches;
  for (BasicBlock *before : predecessors(&head))
    if (dominators.dominates(&head, before) && !is_contained(latches, before))
      latches.push_back(before);
  return latches;
}

void placeHook(BasicBlock &head, FunctionCallee hook) {
  const SmallVector<BasicBlock *, 4> latches = latchesOf(head);
  if (any_of(latches, [](const BasicBlock *latch) {
        return isa<IndirectBrInst>(latch->getTerminator()) ||
               isa<CallBrInst>(latch->getTerminator());
      }))
    return;
  const DebugLoc place = latches.front()->getTerminator()->getDebugLoc();
  BasicBlock *back = SplitBlockPredecessors(&head, latches, ".spin");
  IRBuilder<> builder(&head, head.begin());
  Type *word = builder.getInt64Ty();
  PHINode *turns = builder.CreatePHI(word, 2, "turns");
  builder.SetInsertPoint(back->getTerminator());
  builder.SetCurrentDebugLocation(place ? place : back->getTerminator()->getDebugLoc());
  builder.CreateCall(hook, turns);
  Value *next = builder.CreateAdd(turns, ConstantInt::get(word, 1));
  for (BasicBlock *before : predecessors(&head))
    turns->addIncoming(before == back ? next : ConstantInt::get(word, 0), before);
}

bool isProgram(const Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::Naked) && !function.isPresplitCoroutine() &&
         !function.getName().starts_with(names::OursPrefix);
}

void takesTime(Function &function) {
  function.setMemoryEffects(MemoryEffects::unknown());
  for (Attribute::AttrKind kind :
       {Attribute::NoSync, Attribute::WillReturn, Attribute::NoFree, Attribute::Speculatable})
    function.removeFnAttr(kind);
}

/// What waits, and what calls it, lets others run: no attribute says otherwise any more.
void confess(SmallVector<Function *, 16> waiting) {
  SmallPtrSet<Function *, 16> known(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    Function *function = waiting.pop_back_val();
    takesTime(*function);
    for (User *user : function->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != function)
        continue;
      call->setMemoryEffects(MemoryEffects::unknown());
      if (known.insert(call->getFunction()).second)
        waiting.push_back(call->getFunction());
    }
  }
}

} // namespace

PreservedAnalyses SpinPass::run(Module &module, ModuleAnalysisManager &) {
  // The loops that wait. Functions are listed first, since copies come and go meanwhile.
  SmallVector<Function *, 32> functions;
  for (Function &function : module)
    if (isProgram(function))
      functions.push_back(&function);
  SpinLoops spins;
  SmallVector<BasicBlock *, 16> heads;
  for (Function *function : functions)
    append_range(heads, function->hasOptNone() ? waitingHeadsOfPlain(*function, spins)
                                               : waitingHeads(*function, spins));
  if (heads.empty())
    return PreservedAnalyses::all();

  // A call on each one's way back.
  LLVMContext &context = module.getContext();
  FunctionCallee hook = module.getOrInsertFunction(hook::gnomon_spin, Type::getVoidTy(context),
                                                   Type::getInt64Ty(context));
  for (BasicBlock *head : heads)
    placeHook(*head, hook);

  // Whoever waits may see anything changed behind the call.
  SmallVector<Function *, 16> waiting;
  for (BasicBlock *head : heads)
    waiting.push_back(head->getParent());
  confess(waiting);
  return PreservedAnalyses::none();
}

} // namespace gnomon
