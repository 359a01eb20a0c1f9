// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Heap.h"

#include "points-to/PointsTo.h"
#include "slice/Once.h"

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
  constexpr StringLiteral Makers[] = {"malloc", "calloc",           "memalign", "aligned_alloc",
                                      "valloc", "strdup",           "__strdup", "strndup",
                                      "wcsdup", "backtrace_symbols"};
  const StringRef name = callee->getName();
  if (is_contained(Makers, name) || name.starts_with("_Znw") || name.starts_with("_Zna"))
    return Part::Makes;
  if (name == "realloc" || name == "reallocarray")
    return Part::Renews;
  if (name == "free" || name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv"))
    return Part::Frees;
  return Part::None;
}

/// Whether no run needs much more memory when what the call makes is never freed: it is made once at most, and is a
/// constant number of bytes (the room for a list's first element).
bool isLittleMadeOnce(const CallBase &call) {
  constexpr uint64_t Little = 256; // bytes
  const auto *bytes = dyn_cast<ConstantInt>(call.getArgOperand(0));
  return bytes && partOf(call) == Part::Makes && call.arg_size() == 1 &&
         bytes->getValue().ule(Little) && runsOnce(*call.getParent());
}

} // namespace

/// The calls that may have made what the call frees, or hands on; none: some of it may be none of their blocks. Nobody
/// frees a variable: an address of one among them is a link that the call is never handed (a tree's last node leads
/// back to the tree).
Heap::Calls Heap::makersOf(const CallBase &call) const {
  Calls makers;
  if (const auto origins = pointsTo_.originsOf(call.getArgOperand(0)))
    for (const Value *origin : *origins) {
      if (isa_and_present<AllocaInst, GlobalVariable>(origin))
        continue;
      const auto *maker = dyn_cast_or_null<CallBase>(origin);
      if (!maker || !frees_.contains(maker))
        return {};
      makers.push_back(maker);
    }
  return makers;
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
    for (const CallBase *maker : makersOf(*call)) {
      freeing_.insert(call);
      frees[maker].push_back(call);
    }
  for (const auto &[maker, calls] : frees)
    if (!isLittleMadeOnce(*maker))
      frees_[maker] = lists_.of(calls);
}

Heap::Heap(const Module &module, const PointsTo &pointsTo) : pointsTo_(pointsTo) {
  Calls renewing, freeing;
  findMakers(module, renewing, freeing);
  // A call of realloc that may be handed other memory makes none of these blocks, and so on.
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallBase *call : renewing)
      if (frees_.contains(call) && makersOf(*call).empty() &&
          !isa<ConstantPointerNull>(call->getArgOperand(0)))
        changed = frees_.erase(call);
  }
  findFrees(freeing);
}

} // namespace gnomon
