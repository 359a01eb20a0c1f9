// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The hooks around allocations (gnomon/Hooks.def).
#include "process/fold/FoldedMemory.h"
#include "process/ranks/Rank.h"

using namespace gnomon::process;

namespace {

thread_local gnomon_fold_site *pending = nullptr;

/// Whether the frame is the rank's first thread's: of others the order of frames says nothing.
bool isOnStackOf(const Rank &rank, uintptr_t frame) {
  if (!rank.fiber || rank.threads)
    return false;
  const auto [low, high, guarded] = rank.fiber->stack();
  return frame - reinterpret_cast<uintptr_t>(low) < static_cast<size_t>(high - low);
}

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

extern "C" __attribute__((visibility("default"))) void *gnomon_local(gnomon_fold_site *site,
                                                                     uint64_t bytes) {
  fold::FoldedMemory *folded = fold::memory();
  const Rank *rank = folded ? currentRank() : nullptr;
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (!rank || !isOnStackOf(*rank, frame)) [[likely]]
    return nullptr;
  return folded->locals().take(rank->number, *site, bytes, frame);
}
