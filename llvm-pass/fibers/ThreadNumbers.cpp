// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fibers/ThreadNumbers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

namespace {

/// Where a value that \p use takes must be computed: before its instruction, or at the end of the
/// block that a phi has it from.
Instruction &placeOf(const Use &use) {
  auto &user = *cast<Instruction>(use.getUser());
  if (const auto *phi = dyn_cast<PHINode>(&user))
    return *phi->getIncomingBlock(use)->getTerminator();
  return user;
}

/// Puts a copy of \p call before each of its uses; one for all uses at one place.
void askAnew(CallInst &call) {
  DenseMap<Instruction *, Instruction *> copies;
  for (Use &use : make_early_inc_range(call.uses())) {
    Instruction &place = placeOf(use);
    Instruction *&copy = copies[&place];
    if (!copy) {
      copy = call.clone();
      copy->insertBefore(place.getIterator());
    }
    use.set(copy);
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses ThreadNumbersPass::run(Module &module, ModuleAnalysisManager &) {
  Function *number = module.getFunction("__kmpc_global_thread_num");
  if (!number)
    return PreservedAnalyses::all();
  SmallVector<CallInst *> calls;
  for (User *user : number->users())
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == number)
      calls.push_back(call);
  for (CallInst *call : calls)
    askAnew(*call);
  return calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace gnomon
