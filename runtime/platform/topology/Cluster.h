// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Clusters: equal hosts, with an optional limiter and loopback each. A flat cluster joins each to
/// a centre by a link, with an optional backbone at the centre; the others are in Topology.h.
/// Source: SimGrid's `<cluster>` (DTD 4.1).
#pragma once

#include "platform/Draft.h"

namespace gnomon::platform {

struct ClusterSpec {
  TopologySpec topology; ///< other than flat: has no backbone and no router
  std::string id, prefix, suffix;
  std::vector<uint64_t> numbers; ///< host i is named prefix + numbers[i] + suffix
  double speedFlops = 0;
  uint32_t cores = 1;
  double bandwidth = 0;
  double latencySeconds = 0;
  bool splitDuplex = true;           ///< a link for each direction; false: one link for both
  Sharing sharing = Sharing::Shared; ///< of the hosts' links
  double backboneBandwidth = 0;      ///< 0: no backbone
  double backboneLatencySeconds = 0;
  Sharing backboneSharing = Sharing::Shared;
  double limiterBandwidth = 0;  ///< 0: none; both directions of a host's traffic together
  double loopbackBandwidth = 0; ///< 0: messages of a host to itself use its own link up and down
  double loopbackLatencySeconds = 0;
  /// All hosts have one loopback, which is a fat pipe: it gives each message what a pipe of the host's own would, and
  /// takes no memory of a host. Of a flat cluster, where nobody names the hosts' links.
  bool oneLoopback = false;
  std::string routerName; ///< where other zones enter; empty: prefix + id + "_router" + suffix
};

/// For topologies: adds a cable of \p multiple times the cluster's bandwidth.
void addCable(Draft &draft, const ClusterSpec &cluster, const std::string &name, uint32_t multiple);
/// For topologies: adds the limiters of \p count switches, named by numbers from \p top down, after
/// those of the hosts, if there are any.
void addSwitchLimiters(Draft &draft, const ClusterSpec &cluster, const TopologyLinks &links,
                       uint32_t top, uint32_t count);

/// Adds a cluster as a zone inside \p parent (NoIndex: as the root). A cluster with a topology has
/// as many hosts as checkTopology says.
ZoneIndex addCluster(Draft &draft, ZoneIndex parent, const ClusterSpec &spec);

} // namespace gnomon::platform
