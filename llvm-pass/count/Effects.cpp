// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Effects.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace gnomon::count {

void confess(ArrayRef<Function *> writers) {
  SmallVector<Function *, 16> pending(writers);
  SmallPtrSet<Function *, 16> known(writers.begin(), writers.end());
  MemoryEffects counting(IRMemLocation::Other, ModRefInfo::ModRef);
  while (!pending.empty()) {
    Function *function = pending.pop_back_val();
    function->setMemoryEffects(function->getMemoryEffects() | counting);
    function->removeFnAttr(Attribute::Speculatable);
    for (User *user : function->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != function)
        continue;
      if (call->getAttributes().hasFnAttr(Attribute::Memory))
        call->setMemoryEffects(call->getAttributes().getMemoryEffects() | counting);
      if (known.insert(call->getFunction()).second)
        pending.push_back(call->getFunction());
    }
  }
}

} // namespace gnomon::count
