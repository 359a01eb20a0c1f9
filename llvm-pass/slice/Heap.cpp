// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Heap.h"

#include "points-to/PointsTo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

enum class Part : uint8_t { None, Makes, Renews, Frees };

/// What the C and C++ libraries' functions do. Those of other libraries may do more than they say.
Part partOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || call.arg_empty())
    return Part::None;
  constexpr StringLiteral Makers[] = {"malloc", "calloc", "memalign", "aligned_alloc", "valloc"};
  const StringRef name = callee->getName();
  if (is_contained(Makers, name) || name.starts_with("_Znw") || name.starts_with("_Zna"))
    return Part::Makes;
  if (name == "realloc" || name == "reallocarray")
    return Part::Renews;
  if (name == "free" || name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv"))
    return Part::Frees;
  return Part::None;
}

} // namespace

/// Whether what the call frees, or hands on, was made by one of the calls found so far.
bool Heap::areBlocks(const CallBase &call) const {
  const auto origins = pointsTo_.originsOf(call.getArgOperand(0));
  return origins && !origins->empty() && all_of(*origins, [&](const Value *origin) {
           const auto *maker = dyn_cast_or_null<CallBase>(origin);
           return maker && frees_.contains(maker);
         });
}

void Heap::findMakers(const Module &module, Calls &renewing, Calls &freeing) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Part part = call ? partOf(*call) : Part::None;
      if (part == Part::Frees && isa<CallInst>(call))
        freeing.push_back(call);
      if (part == Part::Renews)
        renewing.push_back(call);
      if ((part == Part::Makes || part == Part::Renews) && !pointsTo_.hasEscaped(call))
        frees_[call] = {};
    }
}

void Heap::findFrees(ArrayRef<const CallBase *> freeing) {
  DenseMap<const CallBase *, Calls> frees;
  for (const CallBase *call : freeing)
    if (areBlocks(*call)) {
      freeing_.insert(call);
      const auto origins = *pointsTo_.originsOf(call->getArgOperand(0));
      for (const Value *origin : origins)
        frees[cast<CallBase>(origin)].push_back(call);
    }
  for (const auto &[maker, calls] : frees)
    frees_[maker] = lists_.of(calls);
}

Heap::Heap(const Module &module, const PointsTo &pointsTo) : pointsTo_(pointsTo) {
  Calls renewing, freeing;
  findMakers(module, renewing, freeing);
  // A call of realloc that may be handed other memory makes none of these blocks, and so on.
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallBase *call : renewing)
      if (frees_.contains(call) && !areBlocks(*call) &&
          !isa<ConstantPointerNull>(call->getArgOperand(0)))
        changed = frees_.erase(call);
  }
  findFrees(freeing);
}

} // namespace gnomon
