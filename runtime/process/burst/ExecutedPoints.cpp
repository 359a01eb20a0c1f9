// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/ExecutedPoints.h"

#include "gnomon/Burst.h"
#include "gnomon/Fold.h"

#include <unordered_map>
#include <vector>

namespace gnomon::process::burst {
namespace {

constexpr const char *NotGiven = "a decision that is not given rests on it";

class Running {
public:
  explicit Running(gnomon_module &module) {
    for (uint64_t i = 0; i < module.burst_count; ++i) {
      gnomon_burst &burst = *module.bursts[i];
      if (!(burst.flags & GNOMON_BURST_WEAKENS))
        continue;
      if (!burst.frail)
        weakenAll_.push_back(&burst);
      for (uint32_t n = 0; burst.frail && n < burst.frail_count; ++n)
        weakenedBy_[burst.frail[n]].push_back(&burst);
    }
  }

  void add(gnomon_burst &first) {
    std::vector<gnomon_burst *> work{&first};
    while (!work.empty()) {
      gnomon_burst &burst = *work.back();
      work.pop_back();
      const uint32_t flags = burst.flags;
      if (!(flags & GNOMON_BURST_SKIPPABLE) || flags & GNOMON_BURST_FORCED)
        continue;
      run(burst);
      if (!(flags & GNOMON_BURST_FRAIL))
        continue;
      work.insert(work.end(), weakenAll_.begin(), weakenAll_.end());
      if (const auto found = weakenedBy_.find(&burst); found != weakenedBy_.end())
        work.insert(work.end(), found->second.begin(), found->second.end());
    }
  }

private:
  static void run(gnomon_burst &burst) {
    burst.flags &=
        ~(GNOMON_BURST_SKIPPABLE | GNOMON_BURST_SLICED | GNOMON_BURST_FRAIL | GNOMON_BURST_WEAKENS);
    burst.phase = 0;
    burst.reason = NotGiven;
  }

  std::vector<gnomon_burst *> weakenAll_;
  std::unordered_map<const gnomon_burst *, std::vector<gnomon_burst *>> weakenedBy_;
};

/// What is free where nothing is given is free in any case.
void keep(gnomon_fold_site &site) {
  constexpr uint32_t Given = 1U << GNOMON_PLAN_DECIDED | 1U << GNOMON_PLAN_DECIDED_SKIPPED;
  const bool isFree = site.flags & 1U << GNOMON_PLAN_PLAIN;
  site.flags = (site.flags & ~Given) | (isFree ? Given : 0);
  site.decided_phase = site.decided_skipped_phase = site.phase;
  site.decided_reason = site.decided_skipped_reason = NotGiven;
}

} // namespace

void runWhatPointsRestOn(gnomon_module &module,
                         const std::function<bool(const gnomon_point &)> &executed) {
  Running running(module);
  for (uint64_t i = 0; i < module.point_count; ++i) {
    const gnomon_point &point = *module.points[i];
    if (!executed(point))
      continue;
    for (uint32_t n = 0; n < point.rests_count; ++n)
      running.add(*point.rests[n]);
    for (uint32_t n = 0; n < point.site_count; ++n)
      keep(*module.fold_sites[point.sites[n]]);
  }
}

} // namespace gnomon::process::burst
