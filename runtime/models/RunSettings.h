// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Settings (`--set`, `<config>`) that are no parameter of a model: launch hands them to the rooms
/// above. They stand here because `gnomon check`, which knows no room above, reads them too.
#pragma once

#include "models/Parameters.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::models {

/// What was set; what was not is left to the room that it is for.
struct RunSettings {
  std::optional<double> spawnSeconds;      ///< gnomon/spawn-time
  std::optional<bool> growInjectedTimes;   ///< smpi/grow-injected-times
  std::optional<std::string> collSelector; ///< gnomon/coll-selector
  std::optional<bool> finalizeBarrier;     ///< smpi/barrier-finalization
};

/// The keys, for whoever mistypes one.
std::vector<std::string_view> runSettingKeys();

/// Takes \p setting into \p settings; false when its key is none of theirs. Throws InputError on a
/// bad value.
bool take(const Setting &setting, RunSettings &settings);

} // namespace gnomon::models
