// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whether skipping has become the rule: hardly anything is executed any more of what may be skipped.
#pragma once

#include "process/burst/Sampler.h"
#include "process/burst/Tuning.h"

#include <algorithm>

namespace gnomon::process::burst {

class Prevalence {
public:
  /// Asked at each skipped instance: whether it is time for another look, which goes through all kinds.
  bool isDue(const Sampler &sampler) {
    if (++skips_ < next_ || sampler.watching())
      return false;
    next_ = skips_ + std::max<uint64_t>(SkipsBetweenLooks, sampler.slots().size());
    return true;
  }

  /// At a look: what has been skipped and executed by \p now.
  bool prevails(const Sampler::Sums &now) {
    const double skipped = now.skipped - since_.skipped, executed = now.executed - since_.executed;
    if (executed > PrevailingShare * std::max(skipped, PrevailingSeconds)) {
      since_ = now;
      return false;
    }
    return skipped >= PrevailingSeconds;
  }

private:
  uint64_t skips_ = 0, next_ = SkipsBetweenLooks;
  Sampler::Sums since_; ///< at the look from which on hardly anything was executed
};

} // namespace gnomon::process::burst
