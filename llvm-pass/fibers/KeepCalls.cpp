// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/KeepCalls.h"

#include "facts/MpiNames.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

PreservedAnalyses KeepCallsPass::run(Module &module, ModuleAnalysisManager &) {
  for (Function &function : module) {
    if (!isMpiName(function.getName()))
      continue;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function)
        call->addFnAttr(Attribute::NoMerge);
  }
  return PreservedAnalyses::all();
}

} // namespace gnomon
