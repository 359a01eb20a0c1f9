// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Temporaries.h"

#include "facts/Externals.h"
#include "facts/MpiRoles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon {
namespace {

bool calls(const CallBase &call, StringRef name) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && callee->getName() == name;
}

bool makesMemory(const CallBase &call) { return calls(call, "malloc") || calls(call, "calloc"); }

/// What is done with an address that goes no further by it.
bool isPassing(const Use &use, EffectOf effectOf) {
  const User *user = use.getUser();
  if (const auto *store = dyn_cast<StoreInst>(user))
    return use.getOperandNo() == store->getPointerOperandIndex();
  if (isa<LoadInst, ICmpInst, MemIntrinsic, LifetimeIntrinsic>(user))
    return true;
  const auto *call = dyn_cast<CallBase>(user);
  if (!call || !call->isArgOperand(&use))
    return false;
  const unsigned index = call->getArgOperandNo(&use);
  const Function *callee = call->getCalledFunction();
  if (call->doesNotCapture(index) || !callee || !callee->isDeclaration() || mpiFunction(*callee))
    return call->doesNotCapture(index);
  const Effect &effect = effectOf(*call);
  return !effect.mayKeep(index, call->arg_size()) &&
         (call->use_empty() || !effect.mayReturn(index));
}

/// Whether no way leads from one of the calls to a use, or to one of them, but by way of the allocation: then
/// no branch, however wrong, frees the memory too early or twice.
bool freedLast(const CallBase &allocation, ArrayRef<const CallBase *> frees,
               ArrayRef<const Instruction *> uses) {
  SmallPtrSet<const BasicBlock *, 8> freeing, usedIn;
  for (const CallBase *free : frees)
    if (!freeing.insert(free->getParent()).second)
      return false;
  for (const Instruction *use : uses) {
    usedIn.insert(use->getParent());
    if (any_of(frees, [&](const CallBase *free) {
          return free->getParent() == use->getParent() && free->comesBefore(use);
        }))
      return false;
  }
  SmallVector<const BasicBlock *, 16> work(freeing.begin(), freeing.end());
  SmallPtrSet<const BasicBlock *, 16> seen;
  while (!work.empty())
    for (const BasicBlock *next : successors(work.pop_back_val())) {
      if (next == allocation.getParent() || !seen.insert(next).second)
        continue;
      if (freeing.contains(next) || usedIn.contains(next))
        return false;
      work.push_back(next);
    }
  return true;
}

} // namespace

SmallVector<const CallBase *, 2> freesOfTemporary(const CallBase &allocation, EffectOf effectOf) {
  if (!makesMemory(allocation))
    return {};
  SmallVector<const CallBase *, 2> frees;
  SmallVector<const Instruction *, 16> uses;
  SmallVector<const Value *, 8> work{&allocation};
  SmallPtrSet<const Value *, 8> seen{&allocation};
  while (!work.empty()) {
    const Value *address = work.pop_back_val();
    for (const Use &use : address->uses()) {
      const User *user = use.getUser();
      if (const auto *call = dyn_cast<CallBase>(user); call && calls(*call, "free")) {
        if (address != &allocation)
          return {}; // on some ways it is another's memory
        frees.push_back(call);
      } else if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second)
          work.push_back(user);
      } else if (isPassing(use, effectOf)) {
        uses.push_back(cast<Instruction>(user));
      } else {
        return {};
      }
    }
  }
  return freedLast(allocation, frees, uses) ? frees : SmallVector<const CallBase *, 2>();
}

const CallBase *allocationFreedBy(const CallBase &call) {
  const auto *allocation =
      calls(call, "free") ? dyn_cast<CallBase>(call.getArgOperand(0)) : nullptr;
  return allocation && makesMemory(*allocation) ? allocation : nullptr;
}

} // namespace gnomon
