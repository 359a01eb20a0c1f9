// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Routes in closed form: between hosts that hang on one centre by links of equal figures, as the
/// hosts of a flat cluster do. Two such routes differ in nothing but in which links they cross, and
/// those stand with the two hosts; so nothing is kept per pair, and there is nothing to compute
/// when a pair is new.
///
/// Hosts of a star are *alike* when their lists of links have the same pattern and, place by place,
/// either name the same link (a backbone) or each a link of its own with equal figures. Where all
/// hosts of a zone are alike, they have a group. A group learns its pattern of uses from the uses
/// of any one of its pairs: use k is the link at place p of the source, or of the destination.
///
/// Worked example: up and down links u, d and a backbone b. Places are (u, b, d); the uses of 1 → 2
/// are u1 b d2, and u2 d1 for the way back, so the pattern is source 0, source 1, destination 2,
/// destination 0, source 2, and the uses of 7 → 5 are u7 b d5 u5 d7.
#pragma once

#include "platform/Platform.h"
#include "solver/MaxMin.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace gnomon::platform {
class ZoneTree;
}

namespace gnomon::models {

class StarRoutes {
public:
  static constexpr uint32_t None = UINT32_MAX;

  explicit StarRoutes(const platform::Platform &platform);

  /// The group that both hosts are in; None when there is no such, and from a host to itself.
  uint32_t groupOf(platform::HostIndex source, platform::HostIndex destination) const {
    const uint32_t group = ends_[source].group;
    if (group != ends_[destination].group || source == destination) [[unlikely]]
      return None;
    return group;
  }
  size_t groups() const { return patterns_.size(); }
  /// Takes the pattern of \p group from the uses of one of its pairs. Whether it can be: not when a
  /// use is of a link that is neither host's; then the group is given up.
  bool learn(uint32_t group, platform::HostIndex source, platform::HostIndex destination,
             std::span<const solver::Usage> usages);
  static constexpr size_t Places = 7, MostUses = 2 * Places;
  class Uses;
  /// A pair's uses, in their order. learn() must have taken the group's pattern.
  Uses uses(uint32_t group, platform::HostIndex source, platform::HostIndex destination) const;
  /// The links that stand at one place of the hosts of a group.
  struct PlaceOfLinks {
    size_t place;
    platform::LinkIndex link; ///< of one of the hosts
    bool isCommon;            ///< all have that one
    double ofSource;          ///< weight with which a flow uses that of its source
    double ofDestination;     ///< and of its destination; of a common one both are in ofSource
  };
  /// Whether all routes of \p group cross one link that its flows share.
  bool hasCommonLink(uint32_t group) const { return patterns_[group].hasCommonLink; }
  /// \p visit each place of \p group whose links are used. learn() must have taken the pattern.
  template <class Visit> void forEachPlace(uint32_t group, Visit visit) const;
  /// Whether \p holds of each link of \p host.
  template <class Holds> bool allLinks(platform::HostIndex host, Holds holds) const {
    const auto &links = ends_[host].links;
    return std::all_of(links.begin(), links.end(), [&](platform::LinkIndex link) {
      return link == None || holds(link); // Shape leaves the rest so
    });
  }
  void prefetch(platform::HostIndex host) const { fetchToRead(&ends_[host]); }
  bool coversAll() const { return covered_ == ends_.size(); }
  /// From here on no hosts are alike.
  void forgetAll();

private:
  /// A host's links, each once: those up to the centre, then those down. Half a cache line.
  struct alignas(32) End {
    uint32_t group = None;
    std::array<platform::LinkIndex, Places> links;
  };
  struct Use {
    double weight;
    uint8_t weightNumber; ///< solver::Weights'
    uint8_t end;          ///< 0: the source's link, 1: the destination's
    uint8_t place;
  };
  struct Pattern {
    size_t count = 0;
    platform::HostIndex example[2] = {}; ///< two hosts of the group
    bool hasCommonLink = false;          ///< among the uses, and it is shared
    std::array<Use, MostUses> uses;
  };
  /// How a host's lists name its places: the figures of alike hosts' shapes are equal.
  struct Shape {
    std::vector<uint8_t> up, down; ///< places
    std::array<platform::LinkIndex, Places> links;
    size_t places = 0;
    bool read(const platform::ZoneTree &zones, platform::HostIndex host);
  };

public:
  /// They are computed as they are asked for, so that who enters them into the solver writes them
  /// once.
  class Uses {
  public:
    Uses(const Pattern &pattern, const End &source, const End &destination)
        : pattern_(pattern), links_{source.links.data(), destination.links.data()} {}
    size_t size() const { return pattern_.count; }
    size_t place(size_t i) const { return pattern_.uses[i].place; }
    /// Whether use i is of a link of the destination.
    bool ofDestination(size_t i) const { return pattern_.uses[i].end != 0; }
    solver::Usage operator[](size_t i) const {
      const Use &use = pattern_.uses[i];
      return {links_[use.end][use.place], use.weight, use.weightNumber};
    }

  private:
    const Pattern &pattern_;
    const platform::LinkIndex *links_[2];
  };

private:
  void addZone(const platform::ZoneTree &zones, std::span<const platform::HostIndex> hosts);
  bool alike(const Shape &first, const Shape &other) const;
  bool ownLinks(std::span<const platform::HostIndex> hosts, size_t places) const;

  const platform::Platform &platform_;
  std::vector<End> ends_; ///< by host
  std::vector<Pattern> patterns_;
  size_t covered_ = 0; ///< hosts in groups
};

inline StarRoutes::Uses StarRoutes::uses(uint32_t group, platform::HostIndex source,
                                         platform::HostIndex destination) const {
  return {patterns_[group], ends_[source], ends_[destination]};
}

template <class Visit> void StarRoutes::forEachPlace(uint32_t group, Visit visit) const {
  const Pattern &pattern = patterns_[group];
  const End &one = ends_[pattern.example[0]], &other = ends_[pattern.example[1]];
  for (uint8_t place = 0; place < Places; ++place) {
    double weights[2] = {0, 0};
    for (size_t i = 0; i < pattern.count; ++i)
      if (pattern.uses[i].place == place)
        weights[pattern.uses[i].end] += pattern.uses[i].weight;
    if (weights[0] + weights[1] > 0)
      visit(PlaceOfLinks{place, one.links[place], one.links[place] == other.links[place],
                         weights[0], weights[1]});
  }
}

} // namespace gnomon::models
