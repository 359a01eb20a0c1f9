// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The life of a flow: latency, sharing, end.
#include "models/FlowModel.h"

#include <algorithm>

namespace gnomon::models {

using platform::HostIndex;

namespace {

/// What is left below this many bytes is rounding (SimGrid: work precision 1e-5 × timing precision
/// 1e-9).
constexpr double NothingLeftBytes = 1e-14;

solver::Sharing sharingOf(platform::Sharing sharing) {
  return sharing == platform::Sharing::FatPipe ? solver::Sharing::FatPipe : solver::Sharing::Shared;
}

} // namespace

FlowModel::FlowModel(kernel::Engine &engine, const platform::Platform &platform,
                     const Parameters &parameters)
    : engine_(engine), platform_(platform), parameters_(parameters),
      paths_(platform, parameters_, addConstraints()) {}

/// A constraint for each link, and one for the loopback, whose index is returned.
solver::ConstraintIndex FlowModel::addConstraints() {
  for (const platform::Link &link : platform_.links())
    solver_.addConstraint(link.bandwidth, sharingOf(link.sharing));
  return solver_.addConstraint(parameters_.loopbackBandwidth, solver::Sharing::FatPipe);
}

void FlowModel::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                         kernel::Action done) {
  const double size = static_cast<double>(bytes) + parameters_.envelopeBytes;
  lookUpFactors(size);
  const double latency =
      paths_.kind(paths_.find(source, destination)).latencySeconds * latencyFactor_;

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
                   .number = messages_++,
                   .source = source,
                   .destination = destination,
                   .variable = 0,
                   .sharing = false,
                   .hadLatency = latency > 0};
  if (latency > 0)
    flows_[index].event = dates_.push(engine_.now() + latency, ticket(index));
  else
    join(index);
  arm();
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
  const PathTable::Path &path = paths_.find(flow.source, flow.destination);
  const PathTable::Kind &kind = paths_.kind(path);
  flow.sharing = true;
  flow.lastUpdate = engine_.now();
  flow.event = 0;
  flow.variable = solver_.add(flow.hadLatency ? kind.penalty : 1, kind.bound, paths_.usages(path));
  if (flowOfVariable_.size() <= flow.variable)
    flowOfVariable_.resize(flow.variable + size_t{1});
  flowOfVariable_[flow.variable] = index;
  if (solver_.solved(flow.variable))
    setRate(index, solver_.rate(flow.variable));
  requestSettle();
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
    flow.event = dates_.push(end, ticket(index));
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

/// Asks the processor for what flows need that come a little after the one at \p due.
void FlowModel::prefetch(size_t due) const {
  constexpr size_t Near = 4, Far = 8;
  if (due + Far < due_.size())
    __builtin_prefetch(&flows_[dueFlow(due + Far)]);
  if (due + Near < due_.size() && !flows_[dueFlow(due + Near)].sharing)
    paths_.prefetch(flows_[dueFlow(due + Near)].source, flows_[dueFlow(due + Near)].destination);
}

void FlowModel::onDate(uint64_t) {
  armed_ = 0;
  armedDate_ = Never;
  // All that is due is taken first: what follows from it comes in a later round, even if nearer
  // than the precision.
  const SimTime limit = engine_.now() + parameters_.timingPrecisionSeconds;
  while (dates_.nextDate() < limit || dates_.nextDate() <= engine_.now())
    due_.push_back(dates_.pop().argument);
  std::sort(due_.begin(), due_.end());
  for (size_t i = 0; i < due_.size(); ++i) {
    prefetch(i);
    if (flows_[dueFlow(i)].sharing)
      finish(dueFlow(i));
    else
      join(dueFlow(i));
  }
  due_.clear();
  for (size_t i = 0; i < finished_.size(); ++i) {
    kernel::Action done = finished_[i];
    done(); // may start transfers, which finish no flow
  }
  finished_.clear();
  arm();
}

void FlowModel::requestSettle() {
  if (settleRequested_ || !solver_.pending())
    return;
  settleRequested_ = true;
  engine_.settle(kernel::Action::of<&FlowModel::onSettle>(this));
}

void FlowModel::onSettle(uint64_t) {
  settleRequested_ = false;
  solver_.solve();
  for (solver::VariableIndex variable : solver_.changed())
    setRate(flowOfVariable_[variable], solver_.rate(variable));
  arm();
}

} // namespace gnomon::models
