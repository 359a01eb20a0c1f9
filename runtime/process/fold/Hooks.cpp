// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The hooks around allocations (gnomon/Hooks.def).
#include "process/fold/FoldedMemory.h"
#include "process/ranks/Rank.h"

using namespace gnomon::process;

namespace {

thread_local gnomon_fold_site *pending = nullptr;

} // namespace

namespace gnomon::process::fold {

gnomon_fold_site *pendingSite() { return pending; }

void clearPendingSite() { pending = nullptr; }

} // namespace gnomon::process::fold

extern "C" __attribute__((visibility("default"))) void gnomon_fold_begin(gnomon_fold_site *site) {
  if (fold::memory() && currentRank())
    pending = site;
}

extern "C" __attribute__((visibility("default"))) void gnomon_fold_end() { pending = nullptr; }
