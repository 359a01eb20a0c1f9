// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Networks whose routes follow from the hosts' numbers: torus, fat tree, dragonfly. Links are
/// numbered so that a route is arithmetic: nothing is kept per pair of hosts, nor per switch.
///
/// A *cable* is one link for both directions, or two (SPLITDUPLEX): up, and down. Cable number c
/// of a network has the links
///   up(c) = first + c, or first + 2 c;   down(c) = up(c), or up(c) + 1.
/// Each file states its numbering and its routes. Source: SimGrid 4.1.1, whose routes these are,
/// link by link; where these are not those of the publications, the file says so.
#pragma once

#include "platform/Platform.h"

#include <variant>

namespace gnomon::platform {

struct ClusterSpec;
struct Draft;

inline constexpr uint32_t NoIndex = UINT32_MAX;
/// More links than this are taken for a mistake: a torus of MaxHosts hosts in three dimensions has
/// six million.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr uint64_t MaxLinks = uint64_t{1} << 12;
#else
inline constexpr uint64_t MaxLinks = uint64_t{1} << 23;
#endif

/// Hosts on a grid that is closed in every dimension; the first dimension varies fastest.
struct TorusSpec {
  std::vector<uint32_t> sizes;
};

/// Levels of switches above the hosts; [l] is between level l and level l + 1, hosts are level 0.
struct FatTreeSpec {
  std::vector<uint32_t> children; ///< of a switch of level l + 1
  std::vector<uint32_t> parents;  ///< of a host or switch of level l
  std::vector<uint32_t> cables;   ///< between a child and each of its parents
};

/// Groups of chassis of blades (one router each) of hosts, joined pairwise at each of the three
/// levels; each pair of routers by one cable of a multiple of the bandwidth.
struct DragonflySpec {
  uint32_t groups = 0, blueCables = 1;   ///< multiple between groups
  uint32_t chassis = 0, blackCables = 1; ///< multiple between the chassis of a group
  uint32_t blades = 0, greenCables = 1;  ///< multiple between the blades of a chassis
  uint32_t nodes = 0;                    ///< hosts of a blade
};

/// Nothing: a flat cluster.
using TopologySpec = std::variant<std::monostate, TorusSpec, FatTreeSpec, DragonflySpec>;

/// What \p parameters mean for the topology \p name (FLAT, TORUS, FAT_TREE, DRAGONFLY), as
/// SimGrid's `topology` and `topo_parameters` write it. Throws NumberError.
TopologySpec parseTopology(std::string_view name, std::string_view parameters);

/// The hosts that \p spec asks for; throws NumberError when a number is zero, lists differ in
/// length, or the network cannot be built or has too many hosts or links. Not for a flat cluster.
uint64_t checkTopology(const TopologySpec &spec);

/// Where a network's links begin.
struct TopologyLinks {
  LinkIndex loopbacks = NoIndex; ///< one per host; NoIndex: none
  LinkIndex limiters = NoIndex;  ///< one per host, then one per switch; NoIndex: none
  LinkIndex network = 0;
  bool splitDuplex = true;

  LinkIndex up(uint64_t cable) const {
    return network + static_cast<LinkIndex>(splitDuplex ? cable * 2 : cable);
  }
  LinkIndex down(uint64_t cable) const { return up(cable) + (splitDuplex ? 1 : 0); }
};

class Topology {
public:
  explicit Topology(const TopologyLinks &links) : links_(links) {}
  virtual ~Topology() = default;
  Topology(const Topology &) = delete;
  Topology &operator=(const Topology &) = delete;

  /// Appends to \p route the links from host number \p from to host number \p to.
  void route(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const {
    if (from == to && links_.loopbacks != NoIndex)
      route.push_back(links_.loopbacks + from);
    else
      cross(from, to, route);
  }

protected:
  /// The route of two hosts, or of a host without loopback to itself.
  virtual void cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const = 0;

  /// Appends the limiter of the host or switch \p number, if there are limiters.
  void limit(uint64_t number, std::vector<LinkIndex> &route) const {
    if (links_.limiters != NoIndex)
      route.push_back(links_.limiters + static_cast<LinkIndex>(number));
  }

  TopologyLinks links_;
};

/// Each adds its links to the draft; the hosts exist already.
std::unique_ptr<Topology> makeTorus(Draft &draft, const ClusterSpec &cluster, const TorusSpec &spec,
                                    TopologyLinks links);
std::unique_ptr<Topology> makeFatTree(Draft &draft, const ClusterSpec &cluster,
                                      const FatTreeSpec &spec, TopologyLinks links);
std::unique_ptr<Topology> makeDragonfly(Draft &draft, const ClusterSpec &cluster,
                                        const DragonflySpec &spec, TopologyLinks links);

} // namespace gnomon::platform
