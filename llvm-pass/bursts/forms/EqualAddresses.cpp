// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/forms/EqualAddresses.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <utility>

using namespace llvm;

namespace gnomon {
namespace {

/// What the address lies in, and how many bytes behind its beginning.
std::pair<Value *, int64_t> placeOf(Value &address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  Value *base =
      address.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue()};
}

/// The place that all of them are; nothing where they differ, or where it is not known in the whole function.
std::optional<std::pair<Value *, int64_t>> placeOfAll(const PHINode &phi) {
  const DataLayout &layout = phi.getDataLayout();
  const std::pair place = placeOf(*phi.getIncomingValue(0), layout);
  const auto *local = dyn_cast<AllocaInst>(place.first);
  if (!isa<Argument, GlobalVariable>(place.first) && !(local && local->isStaticAlloca()))
    return std::nullopt;
  if (any_of(phi.incoming_values(),
             [&](const Use &value) { return placeOf(*value.get(), layout) != place; }))
    return std::nullopt;
  return place;
}

} // namespace

void joinEqualAddresses(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (PHINode &phi : make_early_inc_range(block.phis())) {
        if (!phi.getType()->isPointerTy() || block.getFirstInsertionPt() == block.end())
          continue;
        const auto place = placeOfAll(phi);
        if (!place || place->first->getType() != phi.getType())
          continue;
        IRBuilder<> builder(&block, block.getFirstInsertionPt());
        builder.SetCurrentDebugLocation(phi.getDebugLoc());
        phi.replaceAllUsesWith(builder.CreatePtrAdd(place->first, builder.getInt64(place->second)));
        phi.eraseFromParent();
      }
}

} // namespace gnomon
