// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What launch tells of bursts.
#pragma once

#include "process/burst/Decisions.h"
#include "process/burst/Profile.h"
#include "process/burst/Rates.h"
#include "process/burst/SamplePolicy.h"
#include "process/fold/FoldedMemory.h"
#include "process/ranks/Skipping.h"

#include <memory>
#include <optional>
#include <vector>

namespace gnomon::process::burst {

struct Settings {
  SamplePolicy sample;
  /// Somebody reads the figures: the summary's last line, the JSON, the table.
  bool reported = false;
  /// Where computation is measured, the core's speed is looked at when bursts begin (ranks/CoreSpeed.h).
  bool lookedAt = false;
  bool record = false; ///< --record-profile
  bool traced = false; ///< --trace: each burst is told what it computed
  /// Relative standard deviation of what the host takes for the same work in different runs.
  double hostDrift = 0;
  /// How memory is folded; nothing: none is.
  std::optional<fold::Settings> folding;
  std::shared_ptr<const Profile> profile; ///< --compute=profile=FILE
  std::shared_ptr<Decisions> decisions;   ///< null: neither recorded nor given
  std::vector<EarlierRate> earlier;       ///< what earlier runs of the same program found
};

/// Makes the bursts of a world, for process::Settings; none where they are left alone.
SkippingMaker skipping(Settings settings);

} // namespace gnomon::process::burst
