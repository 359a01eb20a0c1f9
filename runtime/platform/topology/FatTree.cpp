// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The fat tree: parallel-ports generalised fat tree (Ohring et al., IPPS 1995; Zahavi, CCIT
/// report 776, 2010) of L levels with m_l children, w_l parents and p_l cables a pair.
///
/// A node of level l (hosts: 0) has L digits; its number in the level is their value, the first
/// digit fastest. Digits below l have base w, the others base m. A node of level l and one of
/// level l + 1 are joined when their digits agree except digit l. Cable j to the parent with
/// digit l = q of node n of level l has the number
///   first(l) + (n w_l + q) p_l + j.
///
/// Routes: D-mod-K. Up, from level l, while a digit from l on differs from the target's: port
/// (t / (w_0 … w_(l-1))) mod (w_l p_l) of target t: parent digit port mod w_l, cable port / w_l.
/// Down to level l: the child with the target's digit l, over the first cable j with
/// j m_l + digit >= scan. The scan begins at (source mod p_l) m_l and goes on one after the port
/// last taken, until there is none: then it begins anew for this level. (As SimGrid 4.1.1 does; by
/// the publications the cable down depends on the target only.) With limiters: that of each node
/// left upwards, that of each switch left downwards, and that of the target. O(L) a route.
#include "platform/topology/Cluster.h"

#include <fmt/format.h>

namespace gnomon::platform {

namespace {

class FatTree : public Topology {
public:
  FatTree(const TopologyLinks &links, const FatTreeSpec &spec);

  size_t levels() const { return spec_.children.size(); }
  /// Of \p level: hosts are level 0.
  uint32_t nodes(size_t level) const { return nodes_[level]; }
  uint32_t switches() const { return switchesBefore_.back() - nodes_[0]; }
  /// Of the node's digit \p digit, at \p level.
  uint32_t base(size_t level, size_t digit) const {
    return digit < level ? spec_.parents[digit] : spec_.children[digit];
  }
  uint32_t stride(size_t level, size_t digit) const {
    uint32_t result = 1;
    for (size_t d = 0; d < digit; ++d)
      result *= base(level, d);
    return result;
  }
  /// The parent with digit \p level = \p q of node \p node of \p level. Below digit `level` both
  /// count in the same bases; above it they do as well.
  uint32_t parent(size_t level, uint32_t node, uint32_t q) const {
    uint32_t low = stride(level, level), m = spec_.children[level], w = spec_.parents[level];
    return node % low + q * low + node / (low * m) * (low * w);
  }
  uint32_t child(size_t level, uint32_t node, uint32_t q) const {
    uint32_t low = stride(level, level), m = spec_.children[level], w = spec_.parents[level];
    return node % low + q * low + node / (low * w) * (low * m);
  }

private:
  void cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const override;
  uint64_t cable(size_t level, uint32_t node, uint32_t q, uint32_t j) const {
    return first_[level] + (uint64_t{node} * spec_.parents[level] + q) * spec_.cables[level] + j;
  }

  FatTreeSpec spec_;
  std::vector<uint32_t> nodes_;          ///< by level
  std::vector<uint32_t> switchesBefore_; ///< [l]: hosts and switches of lower levels than l
  std::vector<uint64_t> first_;          ///< [l]: first cable between levels l and l + 1
};

FatTree::FatTree(const TopologyLinks &links, const FatTreeSpec &spec)
    : Topology(links), spec_(spec) {
  uint32_t nodes = 1;
  for (uint32_t m : spec.children)
    nodes *= m;
  uint32_t before = 0;
  uint64_t cables = 0;
  for (size_t level = 0; level <= spec.children.size(); ++level) {
    nodes_.push_back(nodes);
    switchesBefore_.push_back(before);
    before += nodes;
    if (level == spec.children.size())
      break;
    first_.push_back(cables);
    cables += uint64_t{nodes} * spec.parents[level] * spec.cables[level];
    nodes = nodes / spec.children[level] * spec.parents[level];
  }
  switchesBefore_.push_back(before);
}

void FatTree::cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const {
  uint32_t at = from, up = to;
  // The digits from `level` on are the node's number without its lower ones.
  uint32_t low = 1, high = 1; // products of w and of m below the level
  size_t level = 0;
  for (; level == 0 || at / low != to / high; ++level) {
    const uint32_t w = spec_.parents[level];
    const auto port = static_cast<uint32_t>(up % (uint64_t{w} * spec_.cables[level]));
    limit(switchesBefore_[level] + uint64_t{at}, route);
    route.push_back(links_.up(cable(level, at, port % w, port / w)));
    at = parent(level, at, port % w);
    up /= w;
    low *= w;
    high *= spec_.children[level];
  }
  uint64_t scan = UINT32_MAX; // beyond every port: begin anew
  while (level > 0) {
    const size_t above = level--;
    const uint32_t m = spec_.children[level], w = spec_.parents[level];
    low /= w;
    high /= m;
    const uint32_t digit = to / high % m;
    auto portFrom = [&](uint64_t begin) {
      return digit >= begin ? digit : digit + (begin - digit + m - 1) / m * m;
    };
    uint64_t port = portFrom(scan);
    if (port >= uint64_t{m} * spec_.cables[level])
      port = portFrom(uint64_t{from % spec_.cables[level]} * m);
    scan = port + 1;
    const uint32_t switchDigit = at / low % w;
    const uint32_t lower = child(level, at, digit);
    route.push_back(links_.down(cable(level, lower, switchDigit, static_cast<uint32_t>(port / m))));
    limit(switchesBefore_[above] + uint64_t{at}, route);
    at = lower;
  }
  limit(to, route);
}

} // namespace

std::unique_ptr<Topology> makeFatTree(Draft &draft, const ClusterSpec &cluster,
                                      const FatTreeSpec &spec, TopologyLinks links) {
  // Names are SimGrid's: switches are numbered downwards from twice the hosts, cables upwards. Only
  // limiters begin higher where they would otherwise take the hosts' names.
  const FatTree shape(links, spec);
  const uint32_t hosts = shape.nodes(0);
  addSwitchLimiters(draft, cluster, links, hosts + std::max(hosts, shape.switches()) - 1,
                    shape.switches());
  const int64_t top = int64_t{2} * hosts - 1;
  links.network = static_cast<LinkIndex>(draft.links.size());
  uint32_t lowerSwitches = 0; // below `level`
  for (size_t level = 0; level < shape.levels(); ++level) {
    const uint32_t upperSwitches = level == 0 ? 0 : lowerSwitches + shape.nodes(level);
    for (uint32_t node = 0; node < shape.nodes(level); ++node)
      for (uint32_t q = 0; q < spec.parents[level]; ++q)
        for (uint32_t j = 0; j < spec.cables[level]; ++j) {
          int64_t child = level == 0 ? int64_t{node} : top - lowerSwitches - node;
          int64_t parent = top - upperSwitches - shape.parent(level, node, q);
          addCable(draft, cluster,
                   fmt::format("link_from_{}_{}_{}", child, parent, draft.fatTreeCables++), 1);
        }
    lowerSwitches = upperSwitches;
  }
  return std::make_unique<FatTree>(links, spec);
}

} // namespace gnomon::platform
