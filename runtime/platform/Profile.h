// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Profiles: what changes about links and hosts while time passes (SimGrid's traces). A profile is
/// data here; room models plays it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::platform {

/// What a profile's values mean.
enum class ProfileKind : uint8_t {
  Bandwidth, ///< of a link, bytes/s, above zero
  Latency,   ///< of a link, seconds
  LinkState, ///< 0: the link is off
  Speed,     ///< of a host, times its nominal speed
  HostState, ///< 0: the host is off
};

struct Profile {
  struct Step {
    double dateSeconds; ///< from the beginning of the lap
    double value;       ///< from this date on
    int line;           ///< where it stands in `file`
  };
  std::vector<Step> steps;  ///< in the order of their dates
  double periodSeconds = 0; ///< of a lap; 0: there is only one
  std::string file;
};

/// A profile at work.
struct ProfileUse {
  ProfileKind kind;
  uint32_t target;  ///< a link's or a host's index
  uint32_t profile; ///< in Platform::profiles()
};

/// Reads SimGrid's form of a profile:
///     # a comment, or an empty line
///     PERIODICITY 10      (a lap takes 10 s; or LOOPAFTER 2: a lap ends 2 s after its last step)
///     0.0 1.25e8          (date in seconds, value)
///     5.0 6e7
/// \p firstLine is the line of \p file at which \p text begins; \p periodSeconds counts when above
/// zero and the text says nothing. Throws InputError. Random profiles (STOCHASTIC) are refused:
/// they would make runs differ.
Profile parseProfile(const std::string &text, const std::string &file, int firstLine,
                     double periodSeconds);

} // namespace gnomon::platform
