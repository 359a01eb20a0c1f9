// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the parts of a platform were described, and what their zones were called there. Messages,
/// lints and drawings need it, simulations do not; it costs a few bytes per element of the file,
/// not per host.
#pragma once

#include "platform/topology/Topology.h"

#include <algorithm>

namespace gnomon::platform {

/// The element of a file that described something.
struct Origin {
  int line = 0;              ///< 0: unknown, as of a platform that is no file
  const char *element = "?"; ///< "link", "cluster"…
};

/// The origins of numbered things, kept as runs: the hosts of a cluster are one run.
class Origins {
public:
  /// Numbers come in growing order; \p element is a literal.
  void set(uint32_t number, Origin origin) {
    if (runs_.empty() || runs_.back().origin.line != origin.line ||
        runs_.back().origin.element != origin.element)
      runs_.push_back({number, origin});
  }
  Origin of(uint32_t number) const {
    auto after = std::upper_bound(runs_.begin(), runs_.end(), number,
                                  [](uint32_t n, const Run &run) { return n < run.first; });
    return after == runs_.begin() ? Origin{} : std::prev(after)->origin;
  }

private:
  struct Run {
    uint32_t first;
    Origin origin;
  };
  std::vector<Run> runs_;
};

struct Outline {
  struct Zone {
    std::string name;
    std::string routing;   ///< as written: "Full", "Floyd"; of a cluster "FLAT", "TORUS"…
    TopologySpec topology; ///< of a cluster that is not flat
    int line = 0;
  };
  std::string file;        ///< or the one-line built-in
  std::vector<Zone> zones; ///< by ZoneIndex
  Origins hosts, links;
};

} // namespace gnomon::platform
