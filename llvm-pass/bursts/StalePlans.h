// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What skipping and folding may leave stale, by all plans of a program (gnomon/Fold.h).
#pragma once

#include "bursts/Staleness.h"

#include "gnomon/Fold.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>

namespace gnomon {

/// What skipping and folding may leave stale.
struct StaleBy {
  Stale sampled; ///< while bursts may be executed
  std::optional<Stale>
      skipped; ///< where unsafe ones are not any more; none: nothing else than before
  const Stale &worst() const { return skipped ? *skipped : sampled; }
};

/// Without points, and where those are given.
struct BothStale {
  StaleBy plain, decided;

  /// By which plans the value may be (1 << GNOMON_PLAN_*).
  uint32_t plansOf(const llvm::Value &value) const {
    return plansWhere([&](const Stale &stale) { return stale.values.contains(&value); });
  }
  /// By which it is not sure whether the block runs.
  uint32_t plansOf(const llvm::BasicBlock &block) const {
    return plansWhere([&](const Stale &stale) { return stale.runs.contains(&block); });
  }

private:
  uint32_t plansWhere(llvm::function_ref<bool(const Stale &)> has) const {
    uint32_t plans = 0;
    if (has(plain.sampled))
      plans |= 1U << GNOMON_PLAN_PLAIN;
    if (has(plain.worst()))
      plans |= 1U << GNOMON_PLAN_SKIPPED;
    if (plans || has(decided.sampled))
      plans |= 1U << GNOMON_PLAN_DECIDED;
    if (plans || has(decided.worst()))
      plans |= 1U << GNOMON_PLAN_DECIDED_SKIPPED;
    return plans;
  }
};

} // namespace gnomon
