// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Platforms in one line: `cluster:n=64,bw=10Gbps,lat=2us`, `torus:dims=4x4x4,…`,
/// `fattree:down=4x4,up=1x4,…`, `dragonfly:groups=3,chassis=2,blades=4,nodes=2,…`. The keys stand
/// in docs/models.md, section 1.
#pragma once

#include "platform/Platform.h"

#include <optional>

namespace gnomon::platform {

/// The platform that \p text describes; nothing when it does not begin with a built-in's name and a
/// colon. Throws InputError.
std::optional<Platform> loadBuiltIn(const std::string &text);

} // namespace gnomon::platform
