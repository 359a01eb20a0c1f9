// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What profiles do to flows. Everything here runs only on platforms that have profiles.
#include "models/FlowModel.h"

#include "support/Check.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::models {

using platform::HostIndex;
using platform::LinkIndex;

/// Notes what later changes start from; whether the flow can start at all.
bool FlowModel::startCourse(FlowIndex index, uint64_t bytes) {
  const Flow &flow = flows_[index];
  const PathTable::Path &path = pathOf(index);
  const PathTable::Kind &kind = paths_.kind(path);
  for (const solver::Usage &usage : paths_.usages(path))
    if (usage.constraint < offBecause_.size() && !offBecause_[usage.constraint].empty()) {
      const HostIndex source = flow.source, destination = flow.destination;
      freeFlow(index);
      fail(usage.constraint, source, destination, bytes);
      return false;
    }
  if (courses_.size() <= index)
    courses_.resize(index + size_t{1});
  courses_[index] = {kind.leastBandwidth, kind.latencySeconds, kind.penalty, bytes,
                     flow.hadLatency};
  return true;
}

void FlowModel::fail(LinkIndex link, HostIndex source, HostIndex destination, uint64_t bytes) {
  CHECK(failed_, "someone to tell that a link is off");
  failed_({Failure::What::Link, links_[link].name, offBecause_[link], engine_.now(), source,
           destination, bytes});
}

/// The flows under way that cross \p link or, with cross-traffic, come back over it.
std::vector<FlowModel::FlowIndex> FlowModel::flowsOn(LinkIndex link) {
  std::vector<FlowIndex> found;
  for (FlowIndex index = 0; index < flows_.size(); ++index) {
    if (flows_[index].source == UINT32_MAX)
      continue;
    std::span<const solver::Usage> uses = paths_.usages(pathOf(index));
    if (std::any_of(uses.begin(), uses.end(),
                    [link](const solver::Usage &use) { return use.constraint == link; }))
      found.push_back(index);
  }
  return found;
}

/// Counts what flows have moved, and takes them out of the solver.
void FlowModel::takeOut(const std::vector<FlowIndex> &flows) {
  for (FlowIndex index : flows)
    if (flows_[index].sharing) {
      leaveGroup(index, engine_.now());
      solver_.remove(flows_[index].variable);
    }
}

void FlowModel::putBack(const std::vector<FlowIndex> &flows) {
  paths_.forgetAll();
  for (FlowIndex index : flows)
    if (flows_[index].sharing)
      addVariable(index, pathOf(index), engine_.now());
  requestSettle();
  if (!settleRequested_) // otherwise onSettle() does it
    groups_.arm(engine_.now());
  arm();
}

void FlowModel::profileChanged(const platform::ProfileUse &use,
                               const platform::Profile::Step &step) {
  switch (use.kind) {
  case platform::ProfileKind::Bandwidth:
    return changeBandwidth(use.target, step.value);
  case platform::ProfileKind::Latency:
    return changeLatency(use.target, step.value);
  default:
    return changeState(use, step);
  }
}

void FlowModel::changeBandwidth(LinkIndex link, double value) {
  const double grown = parameters_.weightS / value - parameters_.weightS / links_[link].bandwidth;
  const std::vector<FlowIndex> flows = flowsOn(link);
  for (FlowIndex index : flows) {
    courses_[index].penalty += grown;
    courses_[index].weighted = true;
  }
  takeOut(flows);
  links_[link].bandwidth = value;
  solver_.setCapacity(link, value);
  putBack(flows);
}

void FlowModel::changeLatency(LinkIndex link, double value) {
  const double grown = value - links_[link].latencySeconds;
  const std::vector<FlowIndex> flows = flowsOn(link);
  for (FlowIndex index : flows) {
    courses_[index].penalty += grown;
    courses_[index].latencySeconds += grown;
    courses_[index].weighted = true;
  }
  takeOut(flows);
  links_[link].latencySeconds = value;
  putBack(flows);
}

void FlowModel::changeState(const platform::ProfileUse &use, const platform::Profile::Step &step) {
  const LinkIndex link = use.target;
  if (step.value > 0) {
    offBecause_[link].clear();
    return;
  }
  offBecause_[link] = fmt::format("{}:{}", platform_.profiles()[use.profile].file, step.line);
  const std::vector<FlowIndex> flows = flowsOn(link);
  if (!flows.empty())
    fail(link, flows_[flows.front()].source, flows_[flows.front()].destination,
         courses_[flows.front()].bytes);
}

} // namespace gnomon::models
