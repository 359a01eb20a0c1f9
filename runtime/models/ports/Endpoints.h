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
  explicit Endpoints(const platform::Platform &platform) : taken_(platform.hosts().size(), 0) {
    hosts_.reserve(taken_.size());
    for (platform::HostIndex host = 0; host < taken_.size(); ++host)
      hosts_.push_back(host);
  }

  /// For a rank more on \p host.
  platform::HostIndex add(platform::HostIndex host) {
    if (taken_[host] == 0) {
      taken_[host] = 1;
      return host;
    }
    hosts_.push_back(host);
    return static_cast<platform::HostIndex>(hosts_.size() - 1);
  }
  platform::HostIndex host(platform::HostIndex endpoint) const { return hosts_[endpoint]; }

private:
  std::vector<platform::HostIndex> hosts_; ///< by endpoint
  std::vector<char> taken_;                ///< by host: whether it stands for a rank
};

} // namespace gnomon::models
