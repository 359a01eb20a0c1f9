// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/FreeSites.h"

#include "bursts/Regions.h"
#include "bursts/Transform.h"
#include "slice/Temporaries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

/// Whether the call frees what its function has just made for itself: no branch, however wrong, hands it another address,
/// nor frees that too early or twice. Its size may be wrong, and it may be made in vain.
static bool freesTemporary(const CallInst &call, const MemoryUse &memory, const Regions &regions) {
  const CallBase *maker = allocationFreedBy(call);
  return maker && regions.of(*maker) == regions.of(call) &&
         is_contained(memory.freesOfTemporary(*maker), &call);
}

std::vector<FreeSite> findFreeSites(Module &module, const MemoryUse &memory, const Regions &regions,
                                    const BothStale &stale) {
  std::vector<FreeSite> sites;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !memory.heap().frees(*call))
        continue;
      const uint32_t plans =
          stale.plansOf(*call->getArgOperand(0)) | stale.plansOf(*call->getParent());
      if (plans && !freesTemporary(*call, memory, regions))
        sites.push_back({call, plans});
    }
  return sites;
}

void addFreeSites(ArrayRef<FreeSite> sites, Regions &regions, Transform &transform) {
  for (const FreeSite &site : sites) {
    const int region = regions.of(*site.call);
    for (BasicBlock *block : transform.addFreeSite(*site.call, site.plans))
      if (region >= 0)
        regions.adopt(*block, region);
  }
}

} // namespace gnomon
