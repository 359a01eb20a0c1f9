// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/Survey.h"

#include "platform/ZoneTree.h"
#include "support/Error.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace gnomon::check {
namespace {

using namespace platform;

struct Figures {
  double latencySeconds = 0, bandwidth = 0;
};

class Walk {
public:
  explicit Walk(const Platform &platform) : platform_(platform) {}
  Survey all();
  Survey sample();

private:
  std::optional<Figures> figures(HostIndex from, HostIndex to);
  void pair(HostIndex from, HostIndex to, std::vector<bool> &joined);
  void compare(HostIndex from, HostIndex to, const Figures &there, const Figures &back);
  void count(HostIndex from, HostIndex to, const Figures &figures);
  bool sameTopology(HostIndex from, HostIndex to) const;
  void useWrittenLinks();
  void checkByZones();

  const Platform &platform_;
  Survey survey_;
  Route route_;
  uint64_t steps_ = 0;
};

/// Of the route; nothing when there is none.
std::optional<Figures> Walk::figures(HostIndex from, HostIndex to) {
  try {
    platform_.route(from, to, route_);
  } catch (const InputError &error) {
    if (survey_.missing.empty())
      survey_.missing = error.what();
    return std::nullopt;
  }
  constexpr uint64_t OfSearch = 16; // what finding a short route costs, in steps
  steps_ += OfSearch + route_.links.size();
  Figures result{route_.latencySeconds, __builtin_huge_val()};
  for (LinkIndex link : route_.links) {
    (from == to ? survey_.uses[link].loopback : survey_.uses[link].betweenHosts) = true;
    result.bandwidth = std::min(result.bandwidth, platform_.links()[link].bandwidth);
  }
  return result;
}

bool Walk::sameTopology(HostIndex from, HostIndex to) const {
  const ZoneTree &zones = *platform_.zones();
  ZoneIndex zone = zones.zoneOf(zones.pointOfHost(from));
  return zones.routing(zone) == Routing::Computed && zone == zones.zoneOf(zones.pointOfHost(to));
}

void Walk::count(HostIndex from, HostIndex to, const Figures &figures) {
  ++survey_.pairs;
  survey_.diameter = std::max(survey_.diameter, route_.links.size());
  survey_.latencySeconds.add(figures.latencySeconds);
  if (!route_.links.empty())
    survey_.bandwidth.add(figures.bandwidth);
  if (figures.latencySeconds > MostLatencySeconds)
    survey_.slow.add(from, to);
  if (figures.latencySeconds == 0 && !route_.links.empty())
    survey_.noLatency.add(from, to);
}

void Walk::compare(HostIndex from, HostIndex to, const Figures &there, const Figures &back) {
  // Sums of the same latencies in another order.
  constexpr double Rounding = 1e-9;
  auto differ = [](double a, double b) { return std::abs(a - b) > Rounding * std::max(a, b); };
  if (differ(there.latencySeconds, back.latencySeconds))
    (sameTopology(from, to) ? survey_.topologyDiffers : survey_.latencyDiffers).add(from, to);
  else if (there.bandwidth != back.bandwidth)
    survey_.bandwidthDiffers.add(from, to);
}

void Walk::pair(HostIndex from, HostIndex to, std::vector<bool> &joined) {
  std::optional<Figures> there = figures(from, to);
  there ? count(from, to, *there) : survey_.unreachable.add(from, to);
  std::optional<Figures> back = figures(to, from);
  back ? count(to, from, *back) : survey_.unreachable.add(to, from);
  if (there || back)
    joined[from] = joined[to] = true;
  if (there && back)
    compare(from, to, *there, *back);
}

Survey Walk::all() {
  const auto hosts = static_cast<HostIndex>(platform_.hosts().size());
  survey_.uses.resize(platform_.links().size());
  std::vector<bool> joined(hosts);
  for (HostIndex from = 0; from < hosts; ++from) {
    figures(from, from); // for its loopback
    for (HostIndex to = from + 1; to < hosts; ++to)
      if (steps_ < MostSteps)
        pair(from, to, joined);
  }
  if (steps_ >= MostSteps) {
    checkByZones();
    return std::move(survey_);
  }
  for (HostIndex host = 0; host < hosts && hosts > 1; ++host)
    if (!joined[host])
      survey_.isolated.push_back(host);
  return std::move(survey_);
}

/// A link is in use when some route, star or topology names it: which routes hosts take is not
/// asked.
void Walk::useWrittenLinks() {
  const ZoneTree &zones = *platform_.zones();
  auto use = [this](std::span<const LinkIndex> links, bool Survey::Use::*by) {
    for (LinkIndex link : links)
      survey_.uses[link].*by = true;
  };
  bool computed = false;
  for (ZoneIndex zone = 0; zone < zones.zoneCount(); ++zone) {
    computed |= zones.routing(zone) == Routing::Computed;
    for (const ZoneTree::RouteView &route : zones.writtenRoutes(zone))
      use(route.links,
          route.from == route.to ? &Survey::Use::loopback : &Survey::Use::betweenHosts);
    if (zones.routing(zone) == Routing::Star)
      for (PointIndex point : zones.points(zone)) {
        use(zones.star(point).up, &Survey::Use::betweenHosts);
        use(zones.star(point).down, &Survey::Use::betweenHosts);
        use(zones.star(point).loopback, &Survey::Use::loopback);
      }
  }
  if (computed) // whose links are not listed
    for (Survey::Use &use : survey_.uses)
      use.betweenHosts |= !use.loopback;
}

/// What a walk over some pairs leaves open.
void Walk::checkByZones() {
  survey_.allPairs = false;
  useWrittenLinks();
  std::vector<HostIndex> every(platform_.hosts().size());
  std::iota(every.begin(), every.end(), 0u);
  try {
    platform_.checkReachable(every);
  } catch (const InputError &error) {
    survey_.missing = error.what();
  }
}

Survey Walk::sample() {
  const size_t hosts = platform_.hosts().size();
  survey_.uses.resize(platform_.links().size());
  std::vector<bool> joined(hosts);
  auto spread = [hosts](size_t i) {
    return static_cast<HostIndex>(i * (hosts - 1) / (SampledHosts - 1));
  };
  // Far pairs first, so that a walk that ends early has met them.
  for (size_t distance = SampledHosts; --distance > 0;)
    for (size_t i = 0; i + distance < SampledHosts && steps_ < MostSteps; ++i)
      pair(spread(i), spread(i + distance), joined);
  checkByZones();
  return std::move(survey_);
}

} // namespace

Survey survey(const Platform &platform) {
  Walk walk(platform);
  return platform.hosts().size() <= AllPairsHosts ? walk.all() : walk.sample();
}

} // namespace gnomon::check
