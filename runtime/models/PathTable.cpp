// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Filling the table of paths from the platform's routes.
#include "models/PathTable.h"

#include "support/Check.h"

#include <algorithm>
#include <bit>

namespace gnomon::models {

using platform::HostIndex;

namespace {

constexpr size_t SmallestTable = 1 << 6;
constexpr size_t LargestTable = 1 << 16;
/// Partners that a host has in common patterns; the table grows when there are more.
constexpr size_t FirstPathsPerHost = 8;

} // namespace

PathTable::PathTable(const platform::Platform &platform, const Parameters &parameters,
                     solver::ConstraintIndex loopback, solver::Weights &weights)
    : platform_(platform), parameters_(parameters), loopback_(loopback), weights_(weights),
      figures_(platform.links()), stars_(platform), starKinds_(stars_.groups(), NoKind),
      paths_(stars_.coversAll()
                 ? SmallestTable
                 : std::clamp(std::bit_ceil(platform.hosts().size() * FirstPathsPerHost),
                              SmallestTable, LargestTable)),
      links_(paths_.size()) {}

const PathTable::Path &PathTable::miss(HostIndex source, HostIndex destination) {
  // A pair met once gains nothing from a larger table, whose pages cost as much as some routes.
  if (paths_[place(source, destination)].source != UINT32_MAX && ++conflicts_ > 2 * paths_.size() &&
      paths_.size() < LargestTable)
    grow();
  if (kinds_.size() > 2 * paths_.size()) // most of them are no path's any more
    forgetAll();
  Path &path = paths_[place(source, destination)];
  forgetRoute(path);
  path.source = source;
  path.destination = destination;
  compute(path);
  store(path);
  return path;
}

/// Finds out what the routes of a group have in common.
const PathTable::Path &PathTable::learn(uint32_t group) {
  compute(starPath_);
  if (!stars_.learn(group, starPath_.source, starPath_.destination, usages_))
    return find(starPath_.source, starPath_.destination);
  if (kinds_.size() > 2 * paths_.size())
    forgetAll();
  starKinds_[group] = starPath_.kind = kindNumber();
  return starPath_;
}

void PathTable::forgetAll() {
  std::for_each(paths_.begin(), paths_.end(), [this](Path &path) { forgetRoute(path); });
  kinds_.clear();
  std::ranges::fill(starKinds_, NoKind);
  starPath_.kind = NoKind;
}

void PathTable::forgetRoute(Path &path) {
  if (path.longRoute != UINT32_MAX)
    freeLongRoutes_.push_back(path.longRoute);
  path = {};
}

void PathTable::grow() {
  std::vector<Path> paths(std::min(paths_.size() * 4, LargestTable));
  std::vector<Links> links(paths.size());
  paths.swap(paths_);
  links.swap(links_);
  conflicts_ = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].source == UINT32_MAX)
      continue;
    size_t there = place(paths[i].source, paths[i].destination);
    forgetRoute(paths_[there]);
    paths_[there] = paths[i];
    links_[there] = links[i];
  }
}

/// Puts what a route is into kind_ and usages_.
void PathTable::compute(const Path &path) {
  usages_.clear();
  platform_.route(path.source, path.destination, route_);
  if (route_.links.empty() && route_.latencySeconds > 0) {
    kind_ = {.latencySeconds = route_.latencySeconds,
             .bound = solver::Unbounded,
             .weights = {},
             .weightNumbers = {}};
  } else if (route_.links.empty()) {
    CHECK(path.source == path.destination, "a route has links or a distance");
    loopbackRoute();
  } else {
    linkRoute(path);
  }
  kind_.leastBandwidth = kind_.bound;
  if (parameters_.tcpGammaBytes > 0 && kind_.latencySeconds > 0)
    kind_.bound = std::min(kind_.bound, parameters_.tcpGammaBytes / (2 * kind_.latencySeconds));
  kind_.clippedBound = solver::clipped(kind_.bound, usages_, [this](solver::ConstraintIndex link) {
    return link == loopback_ ? parameters_.loopbackBandwidth : figures_[link].bandwidth;
  });
  if (kind_.penalty <= 0)
    kind_.penalty = 1;
  kind_.weights.clear();
  kind_.weightNumbers.clear();
  for (solver::Usage &usage : usages_) {
    usage.weightNumber = weights_.numberOf(usage.weight);
    kind_.weights.push_back(usage.weight);
    kind_.weightNumbers.push_back(static_cast<uint8_t>(usage.weightNumber));
  }
}

void PathTable::loopbackRoute() {
  kind_.latencySeconds = parameters_.loopbackLatencySeconds;
  kind_.bound = parameters_.loopbackBandwidth;
  kind_.penalty = kind_.latencySeconds + parameters_.weightS / kind_.bound;
  addUsage(loopback_, 1);
}

void PathTable::linkRoute(const Path &path) {
  kind_.latencySeconds = nominal_ ? route_.latencySeconds : route_.distanceSeconds;
  if (!nominal_)
    for (platform::LinkIndex link : route_.links)
      kind_.latencySeconds += figures_[link].latencySeconds;
  kind_.penalty = kind_.latencySeconds;
  kind_.bound = solver::Unbounded;
  for (platform::LinkIndex link : route_.links) {
    double bandwidth = figures_[link].bandwidth;
    kind_.bound = std::min(kind_.bound, bandwidth);
    kind_.penalty += parameters_.weightS / bandwidth;
    addUsage(link, 1);
  }
  if (!parameters_.crossTraffic)
    return;
  platform_.route(path.destination, path.source, route_);
  for (platform::LinkIndex link : route_.links)
    addUsage(link, parameters_.crossTrafficShare);
}

/// A link met again adds to its use, on a fat pipe the greater use counts.
void PathTable::addUsage(solver::ConstraintIndex link, double weight) {
  for (solver::Usage &usage : usages_) {
    if (usage.constraint != link)
      continue;
    bool fat = link == loopback_ || platform_.links()[link].sharing == platform::Sharing::FatPipe;
    usage.weight = fat ? std::max(usage.weight, weight) : usage.weight + weight;
    return;
  }
  usages_.push_back({link, weight});
}

/// Puts kind_ and usages_ into \p path.
void PathTable::store(Path &path) {
  path.kind = kindNumber();
  solver::ConstraintIndex *constraints = links_[&path - paths_.data()].constraints.data();
  if (usages_.size() > Links{}.constraints.size()) {
    if (freeLongRoutes_.empty()) {
      freeLongRoutes_.push_back(static_cast<uint32_t>(longRoutes_.size()));
      longRoutes_.emplace_back();
    }
    path.longRoute = freeLongRoutes_.back();
    freeLongRoutes_.pop_back();
    longRoutes_[path.longRoute].resize(usages_.size());
    constraints = longRoutes_[path.longRoute].data();
  }
  for (size_t i = 0; i < usages_.size(); ++i)
    constraints[i] = usages_[i].constraint;
}

/// The number of kind_.
uint32_t PathTable::kindNumber() {
  uint64_t hash = usages_.size();
  for (double figure : {kind_.latencySeconds, kind_.penalty, kind_.bound})
    hash = spread(hash ^ std::bit_cast<uint64_t>(figure));
  uint32_t &recent = recentKinds_[hash >> 58];
  if (recent < kinds_.size() && kinds_[recent] == kind_)
    return recent;
  recent = static_cast<uint32_t>(kinds_.size());
  kinds_.push_back(kind_);
  return recent;
}

std::span<const solver::Usage> PathTable::usagesAtHand(HostIndex source, HostIndex destination) {
  const uint32_t group = stars_.groupOf(source, destination);
  if (group != StarRoutes::None) {
    if (starKinds_[group] == NoKind)
      return {};
    return starUsages(group, source, destination);
  }
  const Path &path = paths_[place(source, destination)];
  if (path.source != source || path.destination != destination)
    return {};
  return usages(path);
}

std::span<const solver::Usage> PathTable::tableUsages(const Path &path) {
  const std::vector<double> &weights = kinds_[path.kind].weights;
  const std::vector<uint8_t> &numbers = kinds_[path.kind].weightNumbers;
  const solver::ConstraintIndex *constraints =
      path.longRoute == UINT32_MAX ? links_[&path - paths_.data()].constraints.data()
                                   : longRoutes_[path.longRoute].data();
  usages_.resize(weights.size());
  for (size_t i = 0; i < weights.size(); ++i)
    usages_[i] = {constraints[i], weights[i], numbers[i]};
  return usages_;
}

} // namespace gnomon::models
