// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who talks to whom on connections: a host stands for its first rank, each further rank on it has
/// a number of its own. So two ranks of one host send on two connections, as processes do, and
/// neither waits behind all that the other sends; they meet in the host's ports.
#pragma once

#include "platform/Platform.h"

#include <vector>

namespace gnomon::models {

class Endpoints {
public:
  explicit Endpoints(const platform::Platform &platform)
      : hosts_(static_cast<platform::HostIndex>(platform.hosts().size())), taken_(hosts_, 0) {}

  /// For a rank more on \p host.
  platform::HostIndex add(platform::HostIndex host) {
    if (taken_[host] == 0) {
      taken_[host] = 1;
      return host;
    }
    others_.push_back(host);
    return hosts_ + static_cast<platform::HostIndex>(others_.size() - 1);
  }
  platform::HostIndex host(platform::HostIndex endpoint) const {
    return endpoint < hosts_ ? endpoint : others_[endpoint - hosts_];
  }

private:
  platform::HostIndex hosts_;               ///< how many
  std::vector<char> taken_;                 ///< by host: whether it stands for a rank
  std::vector<platform::HostIndex> others_; ///< of the endpoints beyond all hosts
};

} // namespace gnomon::models
