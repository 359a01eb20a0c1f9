// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a flow: latency, sharing, end.
#include "models/FlowModel.h"

#include "support/Check.h"

#include <algorithm>
#include <bit>

namespace gnomon::models {

using platform::HostIndex;

namespace {

constexpr size_t SmallestPathTable = 1 << 6;
constexpr size_t LargestPathTable = 1 << 16;
/// Partners that a host has in common patterns; the table grows when there are more.
constexpr size_t FirstPathsPerHost = 8;

/// What is left below this many bytes is rounding (SimGrid: work precision 1e-5 × timing precision
/// 1e-9).
constexpr double NothingLeftBytes = 1e-14;

size_t hashPair(HostIndex source, HostIndex destination) {
  uint64_t key = (uint64_t{source} << 32 | destination) * 0x9e3779b97f4a7c15u; // Fibonacci hashing
  return key >> 32;
}

solver::Sharing sharingOf(platform::Sharing sharing) {
  return sharing == platform::Sharing::FatPipe ? solver::Sharing::FatPipe : solver::Sharing::Shared;
}

} // namespace

FlowModel::FlowModel(kernel::Engine &engine, const platform::Platform &platform,
                     const Parameters &parameters)
    : engine_(engine), platform_(platform), parameters_(parameters),
      paths_(std::clamp(std::bit_ceil(platform.hosts().size() * FirstPathsPerHost),
                        SmallestPathTable, LargestPathTable)) {
  for (const platform::Link &link : platform.links())
    solver_.addConstraint(link.bandwidth, sharingOf(link.sharing));
  loopback_ = solver_.addConstraint(parameters.loopbackBandwidth, solver::Sharing::FatPipe);
}

void FlowModel::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                         kernel::Action done) {
  start(source, destination, bytes, done);
}

FlowModel::FlowIndex FlowModel::start(HostIndex source, HostIndex destination, uint64_t bytes,
                                      kernel::Action done) {
  const double size = static_cast<double>(bytes) + parameters_.envelopeBytes;
  lookUpFactors(size);
  const double latency = path(source, destination).latencySeconds * latencyFactor_;

  FlowIndex index;
  if (freeFlows_.empty()) {
    index = static_cast<FlowIndex>(flows_.size());
    flows_.emplace_back();
  } else {
    index = freeFlows_.back();
    freeFlows_.pop_back();
  }
  flows_[index] = {.done = done,
                   .remainingBytes = size,
                   .rate = 0,
                   .factor = bandwidthFactor_,
                   .lastUpdate = engine_.now(),
                   .event = 0,
                   .source = source,
                   .destination = destination,
                   .variable = 0,
                   .sharing = false,
                   .hadLatency = latency > 0};
  if (index < divisors_.size())
    divisors_[index] = 1;
  if (latency > 0)
    flows_[index].event = dates_.push(engine_.now() + latency, {nullptr, nullptr, index});
  else
    join(index);
  arm();
  return index;
}

void FlowModel::lookUpFactors(double size) {
  if (size == factorSize_)
    return;
  factorSize_ = size;
  bandwidthFactor_ = parameters_.bandwidthFactor(size);
  latencyFactor_ = parameters_.latencyFactor(size);
}

/// The latency is paid: the flow takes its share of the links.
void FlowModel::join(FlowIndex index) {
  Flow &flow = flows_[index];
  flow.sharing = true;
  flow.lastUpdate = engine_.now();
  flow.event = 0;
  share(index);
  requestSettle();
}

void FlowModel::share(FlowIndex index) {
  Flow &flow = flows_[index];
  const Path &way = path(flow.source, flow.destination);
  const double bound = index < divisors_.size() ? way.bound / divisors_[index] : way.bound;
  flow.variable = solver_.add(flow.hadLatency ? way.penalty : 1, bound, usages(way));
  if (flowOfVariable_.size() <= flow.variable)
    flowOfVariable_.resize(flow.variable + size_t{1});
  flowOfVariable_[flow.variable] = index;
  if (solver_.solved(flow.variable))
    setRate(index, solver_.rate(flow.variable));
}

void FlowModel::divideBound(FlowIndex index, double divisor) {
  if (divisors_.size() <= index)
    divisors_.resize(flows_.size(), 1);
  if (divisors_[index] == divisor)
    return;
  divisors_[index] = divisor;
  if (!flows_[index].sharing)
    return;
  solver_.remove(flows_[index].variable);
  share(index);
}

void FlowModel::finish(FlowIndex index) {
  Flow &flow = flows_[index];
  solver_.remove(flow.variable);
  finished_.push_back(flow.done);
  freeFlows_.push_back(index);
  requestSettle();
}

/// Counts what was moved so far and computes the end from the new rate.
void FlowModel::setRate(FlowIndex index, double solverRate) {
  Flow &flow = flows_[index];
  flow.remainingBytes -= flow.rate * (engine_.now() - flow.lastUpdate);
  if (flow.remainingBytes < NothingLeftBytes)
    flow.remainingBytes = 0;
  flow.lastUpdate = engine_.now();
  flow.rate = solverRate * flow.factor;
  SimTime end = engine_.now() + flow.remainingBytes / flow.rate;
  if (flow.event)
    dates_.reschedule(flow.event, end);
  else
    flow.event = dates_.push(end, {nullptr, nullptr, index});
}

/// Keeps the engine's one event at the earliest date of a flow.
void FlowModel::arm() {
  SimTime next = dates_.nextDate();
  if (next == armedDate_)
    return;
  armedDate_ = next;
  if (next == Never) {
    engine_.cancel(armed_);
    armed_ = 0;
  } else if (armed_) {
    engine_.reschedule(armed_, std::max(next, engine_.now()));
  } else {
    armed_ =
        engine_.at(std::max(next, engine_.now()), kernel::Action::of<&FlowModel::onDate>(this));
  }
}

void FlowModel::onDate(uint64_t) {
  armed_ = 0;
  armedDate_ = Never;
  // All that is due is taken first: what follows from it comes in a later round, even if nearer
  // than the precision.
  const SimTime limit = engine_.now() + parameters_.timingPrecisionSeconds;
  while (dates_.nextDate() < limit || dates_.nextDate() <= engine_.now())
    due_.push_back(static_cast<FlowIndex>(dates_.pop().argument));
  for (FlowIndex index : due_)
    if (flows_[index].sharing)
      finish(index);
    else
      join(index);
  due_.clear();
  for (size_t i = 0; i < finished_.size(); ++i) {
    kernel::Action done = finished_[i];
    done(); // may start transfers, which finish no flow
  }
  finished_.clear();
  arm();
}

void FlowModel::requestSettle() {
  if (solver_.pending())
    askToSettle();
}

void FlowModel::askToSettle() {
  if (settleRequested_)
    return;
  settleRequested_ = true;
  engine_.settle(kernel::Action::of<&FlowModel::onSettle>(this));
}

void FlowModel::onSettle(uint64_t) {
  settleRequested_ = false;
  beforeSolving();
  solver_.solve();
  for (solver::VariableIndex variable : solver_.changed())
    setRate(flowOfVariable_[variable], solver_.rate(variable));
  arm();
}

FlowModel::Path &FlowModel::path(HostIndex source, HostIndex destination) {
  Path &path = paths_[hashPair(source, destination) & (paths_.size() - 1)];
  if (path.source == source && path.destination == destination)
    return path;
  if (path.source != UINT32_MAX && ++pathConflicts_ > paths_.size() &&
      paths_.size() < LargestPathTable) {
    growPaths();
    return this->path(source, destination);
  }
  path.source = source;
  path.destination = destination;
  fillPath(path);
  return path;
}

void FlowModel::growPaths() {
  std::vector<Path> old(paths_.size() * 4);
  old.swap(paths_);
  pathConflicts_ = 0;
  for (Path &path : old)
    if (path.source != UINT32_MAX)
      paths_[hashPair(path.source, path.destination) & (paths_.size() - 1)] = path;
}

void FlowModel::fillPath(Path &path) {
  usages_.clear();
  platform_.route(path.source, path.destination, forward_);
  if (forward_.links.empty()) {
    CHECK(path.source == path.destination, "a route between different hosts has links");
    path.latencySeconds = parameters_.loopbackLatencySeconds;
    path.bound = parameters_.loopbackBandwidth;
    path.penalty = path.latencySeconds + parameters_.weightS / path.bound;
    addUsage(usages_, loopback_, 1);
  } else {
    path.latencySeconds = forward_.latencySeconds;
    path.penalty = path.latencySeconds;
    path.bound = solver::Unbounded;
    for (platform::LinkIndex link : forward_.links) {
      double bandwidth = platform_.links()[link].bandwidth;
      path.bound = std::min(path.bound, bandwidth);
      path.penalty += parameters_.weightS / bandwidth;
      addUsage(usages_, link, 1);
    }
    if (parameters_.crossTraffic) {
      platform_.route(path.destination, path.source, backward_);
      for (platform::LinkIndex link : backward_.links)
        addUsage(usages_, link, parameters_.crossTrafficShare);
    }
  }
  if (parameters_.tcpGammaBytes > 0 && path.latencySeconds > 0)
    path.bound = std::min(path.bound, parameters_.tcpGammaBytes / (2 * path.latencySeconds));
  if (path.penalty <= 0)
    path.penalty = 1;
  storeUsages(path);
}

void FlowModel::storeUsages(Path &path) {
  path.usageCount = static_cast<uint32_t>(usages_.size());
  if (path.usageCount > Path::MostInside) {
    if (path.outside == UINT32_MAX) {
      path.outside = static_cast<uint32_t>(longRoutes_.size());
      longRoutes_.emplace_back();
    }
    longRoutes_[path.outside].assign(usages_.begin(), usages_.end());
    return;
  }
  for (uint32_t i = 0; i < path.usageCount; ++i) {
    path.constraints[i] = usages_[i].constraint;
    path.weights[i] = weightNumber(usages_[i].weight);
  }
}

/// The uses of \p path; valid until the next call.
std::span<const solver::Usage> FlowModel::usages(const Path &path) {
  if (path.usageCount > Path::MostInside)
    return longRoutes_[path.outside];
  usages_.resize(path.usageCount);
  for (uint32_t i = 0; i < path.usageCount; ++i)
    usages_[i] = {path.constraints[i], weights_[path.weights[i]]};
  return usages_;
}

uint8_t FlowModel::weightNumber(double weight) {
  auto found = std::find(weights_.begin(), weights_.end(), weight);
  auto number = static_cast<size_t>(found - weights_.begin());
  if (found == weights_.end())
    weights_.push_back(weight);
  // A weight is m + 0.05 n for a link that a short route crosses m times there and n times back.
  CHECK(number <= UINT8_MAX, "few different weights");
  return static_cast<uint8_t>(number);
}

/// A link met again adds to its use, on a fat pipe the greater use counts.
void FlowModel::addUsage(std::vector<solver::Usage> &usages, solver::ConstraintIndex link,
                         double weight) const {
  for (solver::Usage &usage : usages) {
    if (usage.constraint != link)
      continue;
    bool fat = link == loopback_ || platform_.links()[link].sharing == platform::Sharing::FatPipe;
    usage.weight = fat ? std::max(usage.weight, weight) : usage.weight + weight;
    return;
  }
  usages.push_back({link, weight});
}

} // namespace gnomon::models
