// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Hosts and links that a profile switches off. MPI has no way to go on without a message or a
/// process: a failure ends the run, after launch has said who was hit.
#pragma once

#include "platform/Platform.h"
#include "support/Time.h"

#include <cstdint>
#include <string>

namespace gnomon::models {

struct Failure {
  enum class What : uint8_t { Link, Host };
  What what;
  std::string name;  ///< of the link or host
  std::string cause; ///< where its profile says so: "links.profile:12"
  SimTime date;
  platform::HostIndex source; ///< of the message; the host itself
  platform::HostIndex destination;
  uint64_t bytes; ///< of payload
};

/// Told about every host that is switched off, and about the first message that cannot go on. May
/// return when nobody is hit (no rank lives on the host).
using FailureHandler = void (*)(const Failure &failure);

} // namespace gnomon::models
