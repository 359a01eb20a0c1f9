// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls that free blocks which skipped bursts would have made, or freed. What they are handed may be stale, and whether
/// they run may be wrong: they ask the runtime first, and leave the block where something has been skipped.
#pragma once

#include "bursts/StalePlans.h"
#include "slice/Heap.h"

#include <vector>

namespace llvm {
class CallInst;
class Module;
} // namespace llvm

namespace gnomon {

class Regions;
class Transform;

struct FreeSite {
  llvm::CallInst *call;
  uint32_t plans; ///< by which it may be stale (1 << GNOMON_PLAN_*)
};

/// In order of the module. What a function makes for itself and frees again (slice/Temporaries.h) is none of them.
std::vector<FreeSite> findFreeSites(llvm::Module &module, const MemoryUse &memory,
                                    const Regions &regions, const BothStale &stale);

void addFreeSites(llvm::ArrayRef<FreeSite> sites, Regions &regions, Transform &transform);

} // namespace gnomon
