// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The torus. Host h has the coordinates x_d = h / (k_0 … k_(d-1)) mod k_d. Cable h D + d joins
/// host h (its up end) to the next one in dimension d, modulo k_d; D is the number of dimensions.
///
/// Routes: dimension by dimension from the first (Dally and Seitz, IEEE Trans. Computers C-36(5),
/// 1987), each the shorter way round; `forward` says which of two ways of equal length. A step
/// forward from h crosses up of h's cable in d, a step back to h crosses down of it. With limiters:
/// that of each host left, and that of the target. O(dimensions + steps).
#include "platform/topology/Cluster.h"

#include <fmt/format.h>

namespace gnomon::platform {

namespace {

class Torus : public Topology {
public:
  Torus(const TopologyLinks &links, std::vector<uint32_t> sizes)
      : Topology(links), sizes_(std::move(sizes)) {}

private:
  void cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const override;

  std::vector<uint32_t> sizes_;
};

/// Whether the way from coordinate \p a to \p b in a ring of \p size goes towards larger
/// coordinates. Exactly half way round it does, but back from a = size / 2 to 0.
bool forward(uint32_t a, uint32_t b, uint32_t size) {
  const uint32_t half = size / 2;
  return (b > a && b - a <= half) || (a > half && b <= (a + half) % size);
}

void Torus::cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const {
  const uint64_t dimensions = sizes_.size();
  uint32_t at = from, stride = 1;
  for (size_t d = 0; d < sizes_.size(); stride *= sizes_[d], ++d) {
    const uint32_t size = sizes_[d], target = to / stride % size;
    const uint32_t wrap = stride * (size - 1);
    const bool up = forward(at / stride % size, target, size);
    for (uint32_t x = at / stride % size; x != target; x = at / stride % size) {
      limit(at, route);
      if (up) {
        route.push_back(links_.up(at * dimensions + d));
        at = x == size - 1 ? at - wrap : at + stride;
      } else {
        at = x == 0 ? at + wrap : at - stride;
        route.push_back(links_.down(at * dimensions + d));
      }
    }
  }
  limit(to, route);
}

} // namespace

std::unique_ptr<Topology> makeTorus(Draft &draft, const ClusterSpec &cluster, const TorusSpec &spec,
                                    TopologyLinks links) {
  links.network = static_cast<LinkIndex>(draft.links.size());
  const auto hosts = static_cast<uint32_t>(cluster.numbers.size());
  for (uint32_t host = 0; host < hosts; ++host) {
    uint32_t stride = 1;
    for (uint32_t size : spec.sizes) {
      uint32_t next = host / stride % size == size - 1 ? host - (size - 1) * stride : host + stride;
      addCable(draft, cluster, fmt::format("{}_link_from_{}_to_{}", cluster.id, host, next), 1);
      stride *= size;
    }
  }
  return std::make_unique<Torus>(links, spec.sizes);
}

} // namespace gnomon::platform
