// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/Trampolines.h"

#include "names/HookNames.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

namespace {

SmallVector<IntrinsicInst *> callsOf(Module &module, Intrinsic::ID what) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    if (function.getIntrinsicID() == what)
      for (User *user : function.users())
        if (auto *call = dyn_cast<IntrinsicInst>(user))
          calls.push_back(call);
  return calls;
}

} // namespace

PreservedAnalyses TrampolinesPass::run(Module &module, ModuleAnalysisManager &) {
  const SmallVector<IntrinsicInst *> made = callsOf(module, Intrinsic::init_trampoline);
  const SmallVector<IntrinsicInst *> taken = callsOf(module, Intrinsic::adjust_trampoline);
  if (made.empty() && taken.empty())
    return PreservedAnalyses::all();
  Type *pointer = PointerType::getUnqual(module.getContext());
  FunctionCallee hook =
      module.getOrInsertFunction(hook::gnomon_make_trampoline, Type::getVoidTy(module.getContext()),
                                 pointer, pointer, pointer);
  for (IntrinsicInst *call : made) {
    IRBuilder<> builder(call);
    builder.CreateCall(hook,
                       {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)});
    call->eraseFromParent();
  }
  for (IntrinsicInst *call : taken) {
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateLoad(pointer, call->getArgOperand(0), "trampoline"));
    call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace gnomon
