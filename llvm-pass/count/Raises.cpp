// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/CounterPointers.h"

#include "names/Names.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

PreservedAnalyses GiveCounterPointersPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *counter = module.getNamedGlobal(names::Instructions);
  if (!counter)
    return PreservedAnalyses::all();
  MapVector<Function *, SmallVector<Use *, 8>> uses;
  for (Use &use : counter->uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser());
        isa_and_nonnull<LoadInst, StoreInst>(user))
      uses[user->getFunction()].push_back(&use);
  counter->setThreadLocal(true); // until TakeCounterPointersPass
  for (auto &[function, all] : uses) {
    if (function->isPresplitCoroutine()) // where nothing sees through such a pointer
      continue;
    BasicBlock &entry = function->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    Value *pointer = builder.CreateThreadLocalAddress(counter);
    for (Use *use : all)
      use->set(pointer);
  }
  return PreservedAnalyses::none();
}

PreservedAnalyses TakeCounterPointersPass::run(Module &module, ModuleAnalysisManager &) {
  GlobalVariable *counter = module.getNamedGlobal(names::Instructions);
  if (!counter || !counter->isThreadLocal())
    return PreservedAnalyses::all();
  for (User *user : make_early_inc_range(counter->users()))
    if (auto *call = dyn_cast<IntrinsicInst>(user);
        call && call->getIntrinsicID() == Intrinsic::threadlocal_address) {
      call->replaceAllUsesWith(counter);
      call->eraseFromParent();
    }
  counter->setThreadLocal(false);
  return PreservedAnalyses::none();
}

} // namespace gnomon
