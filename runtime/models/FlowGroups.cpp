// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flows that come to a bottleneck and leave it, and the date of the first end.
#include "models/FlowGroups.h"

#include "support/Append.h"

#include <algorithm>

namespace gnomon::models {

[[gnu::always_inline]] inline FlowGroups::Index FlowGroups::make(solver::ConstraintIndex bottleneck,
                                                                 double level, SimTime date) {
  if (free_.empty()) {
    free_.push_back(static_cast<Index>(groups_.size()));
    groups_.emplace_back();
  }
  const Index index = free_.back();
  free_.pop_back();
  Group &fresh = groups_[index];
  fresh.bottleneck = bottleneck;
  fresh.level = level;
  fresh.amount = 0;
  fresh.lastUpdate = date;
  return index;
}

FlowGroups::Index FlowGroups::enter(FlowIndex flow, solver::ConstraintIndex bottleneck,
                                    double level, double amount, SimTime date) {
  Index &index = ofBottleneck_[bottleneck];
  if (index == None)
    index = make(bottleneck, level, date);
  Group &group = groups_[index];
  advance(group, date);
  push(flow, group.amount + amount, group);
  affect(index);
  return index;
}

void FlowGroups::enterWith(FlowIndex first, FlowIndex flow, Index group) {
  FinishHeap &flows = groups_[group].flows;
  push(flow, flows.at(positions_[first]).finish, groups_[group]);
}

[[gnu::always_inline]] inline void FlowGroups::push(FlowIndex flow, double finish, Group &group) {
  if (positions_.size() <= flow) [[unlikely]]
    positions_.resize(flow + size_t{1});
  group.flows.push(finish, flow, positions_);
}

double FlowGroups::leave(FlowIndex flow, Index index, SimTime date) {
  Group &group = groups_[index];
  advance(group, date);
  const double left = group.flows.at(positions_[flow]).finish - group.amount;
  group.flows.remove(flow, positions_);
  affect(index);
  return left;
}

void FlowGroups::setLevel(solver::ConstraintIndex bottleneck, double level, SimTime date) {
  const Index index = ofBottleneck_[bottleneck];
  if (index == None)
    return;
  advance(groups_[index], date);
  groups_[index].level = level;
  affect(index);
}

inline void FlowGroups::advance(Group &group, SimTime date) {
  group.amount += group.level * (date - group.lastUpdate);
  group.lastUpdate = date;
}

[[gnu::always_inline]] inline void FlowGroups::affect(Index group) {
  if (groups_[group].affected)
    return;
  groups_[group].affected = true;
  append(affected_, group);
}

[[gnu::noinline]] bool FlowGroups::putOff(uint64_t event, SimTime limit) {
  Group &group = groups_[static_cast<Index>(event)];
  if (group.end <= std::max(group.armed, limit))
    return false;
  group.armed = group.end;
  group.event = dates_.push(group.end, event);
  return true;
}

void FlowGroups::takeDue(Index index, SimTime limit, std::vector<uint64_t> &due) {
  Group &group = groups_[index];
  group.event = 0;
  advance(group, engine_.now());
  while (!group.flows.empty()) {
    const FinishHeap::Entry &first = group.flows.first();
    const SimTime end = engine_.now() + (first.finish - group.amount) / group.level;
    if (end >= limit && end > engine_.now())
      break;
    due.push_back(first.flow);
    group.flows.popFirst(positions_);
  }
  affect(index);
}

[[gnu::noinline]] void FlowGroups::arm(SimTime date) {
  for (const Index index : affected_) {
    Group &group = groups_[index];
    group.affected = false;
    if (group.flows.empty()) {
      if (group.event)
        dates_.cancel(group.event);
      group.event = 0;
      ofBottleneck_[group.bottleneck] = None;
      free_.push_back(index);
      continue;
    }
    advance(group, date);
    const double left = std::max(0.0, group.flows.first().finish - group.amount);
    group.end = date + left / group.level;
    if (group.event && group.armed <= group.end)
      continue; // putOff() looks after it
    group.armed = group.end;
    if (group.event)
      dates_.reschedule(group.event, group.end);
    else
      group.event = dates_.push(group.end, Event | index);
  }
  affected_.clear();
}

} // namespace gnomon::models
