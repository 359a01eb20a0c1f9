// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Externals.h"
#include "Program.h"
#include "Regions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace gnomon {

SmallVector<const Function *> functionsCalled(const Program &program, const Region &region) {
  SmallSetVector<const Function *, 8> found;
  auto addCalls = [&](const BasicBlock &block) {
    for (const Instruction &instruction : block)
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        for (const Function *callee : program.callees(*call))
          found.insert(callee);
  };
  for (const BasicBlock *block : region.blocks)
    addCalls(*block);
  for (size_t i = 0; i < found.size(); ++i)
    for (const BasicBlock &block : *found[i])
      addCalls(block);
  return {found.begin(), found.end()};
}

bool readsClock(const Program &program, const Region &region) {
  auto reads = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      return callee && callee->isDeclaration() && !callee->isIntrinsic() &&
             program.pointsTo().kindOf(*call) == EffectKind::Time;
    });
  };
  return any_of(region.blocks, [&](const BasicBlock *block) { return reads(*block); }) ||
         any_of(functionsCalled(program, region),
                [&](const Function *function) { return any_of(*function, reads); });
}

void Regions::widen(int index) {
  Region &region = regions_[index];
  if (region.kind != Region::Iteration)
    return;
  region.kind = Region::Nest;
  region.entry = region.header;
  region.blocks.insert(region.blocks.begin(), region.header);
  regionOf_[region.header] = index;
}

BasicBlock *entranceOf(const Region &region) {
  for (BasicBlock *block : predecessors(region.entry))
    if (!is_contained(region.blocks, block))
      return block;
  return nullptr;
}

} // namespace gnomon
