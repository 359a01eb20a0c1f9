// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Once.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace gnomon {

static bool isInCycle(const BasicBlock &block) {
  SmallVector<const BasicBlock *, 16> work(successors(&block));
  DenseSet<const BasicBlock *> seen(work.begin(), work.end());
  while (!work.empty() && !seen.contains(&block))
    for (const BasicBlock *next : successors(work.pop_back_val()))
      if (seen.insert(next).second)
        work.push_back(next);
  return seen.contains(&block);
}

/// The one call of the function; null: there are none or more, or code may call it of which nothing is known.
static const CallBase *onlyCallOf(const Function &function) {
  if (!function.hasLocalLinkage() || !function.hasOneUse())
    return nullptr;
  const auto *call = dyn_cast<CallBase>(*function.user_begin());
  return call && call->getCalledOperand() == &function ? call : nullptr;
}

bool runsOnce(const BasicBlock &block) {
  DenseSet<const Function *> seen;
  for (const BasicBlock *at = &block;;) {
    const Function &function = *at->getParent();
    if (isInCycle(*at) || !seen.insert(&function).second)
      return false;
    if (function.getName() == "main")
      return function.use_empty();
    const CallBase *call = onlyCallOf(function);
    if (!call)
      return false;
    at = call->getParent();
  }
}

} // namespace gnomon
