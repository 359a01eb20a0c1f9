// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The flows of each bottleneck of the solver (MaxMin.h): they all move at rates that are fixed
/// multiples of its level, so that they have one event, for the first of them that ends.
///
/// Of a group, A(t) is the integral of the level since its first flow came. A flow of s bytes with
/// penalty p and factor f that comes at t ends when A reaches A(t) + s p / f: its *amount*. When the
/// level changes, only the date of the group's first end does; and the event for it is moved only
/// when that date comes nearer. An event that comes before its group's first end is set anew, and
/// nothing happens then.
///
/// Worked example: the level is 100 for 2 s, then 50. A flow that came at 1 s with an amount of 150
/// ends when A = 100 + 150, which is 200 + 50 (t - 2): at 3 s.
#pragma once

#include "kernel/Engine.h"
#include "models/FinishHeap.h"
#include "solver/MaxMin.h"

#include <cstdint>
#include <vector>

namespace gnomon::models {

using FlowIndex = uint32_t;
/// Of flows and of groups.
using FlowDates = kernel::DateQueue<uint64_t>;

class FlowGroups {
public:
  using Index = uint32_t;
  static constexpr Index None = UINT32_MAX;
  /// Marks a group in the argument of an event that is otherwise a flow's.
  static constexpr uint64_t Event = uint64_t{1} << 32;

  /// \p constraints: how many the solver has.
  FlowGroups(kernel::Engine &engine, FlowDates &dates, size_t constraints)
      : engine_(engine), dates_(dates), ofBottleneck_(constraints, None) {}

  // What changes at a date: the present one, or one since which nothing has changed (enterWave()).
  /// A flow comes to \p bottleneck, whose level is \p level if it had none before.
  Index enter(FlowIndex flow, solver::ConstraintIndex bottleneck, double level, double amount,
              SimTime date);
  /// Another one that came with \p first and ends with it.
  void enterWith(FlowIndex first, FlowIndex flow, Index group);
  void setLevel(solver::ConstraintIndex bottleneck, double level, SimTime date);
  /// Sets the events of the groups that have changed; those that are empty are no more.
  void arm(SimTime date);
  /// Whether arm() is to be called.
  bool changed() const { return !affected_.empty(); }

  /// A flow goes before its end; the amount that is left.
  double leave(FlowIndex flow, Index group, SimTime date);

  bool empty(Index group) const { return groups_[group].flows.empty(); }
  solver::ConstraintIndex bottleneck(Index group) const { return groups_[group].bottleneck; }

  /// Sets the event of a group anew whose first end has moved behind \p limit; whether it has.
  bool putOff(uint64_t event, SimTime limit);
  /// The event of a group has come: appends its flows that end before \p limit, or now, to \p due.
  void takeDue(Index group, SimTime limit, std::vector<uint64_t> &due);

private:
  struct Group {
    solver::ConstraintIndex bottleneck;
    bool affected; ///< in affected_
    double level;  ///< of the bottleneck since lastUpdate
    double amount; ///< integral of the level up to lastUpdate, since the first flow came
    SimTime lastUpdate;
    SimTime end;           ///< of the first flow that ends
    kernel::EventId event; ///< for it, or 0
    SimTime armed;         ///< when the event comes: not after `end`
    FinishHeap flows;      ///< by the amount at which they end
  };

  Index make(solver::ConstraintIndex bottleneck, double level, SimTime date);
  void push(FlowIndex flow, double finish, Group &group);
  static void advance(Group &group, SimTime date);
  void affect(Index group);

  kernel::Engine &engine_;
  FlowDates &dates_;
  std::vector<Group> groups_;
  std::vector<Index> free_;
  std::vector<Index> ofBottleneck_;
  FinishHeap::Positions positions_; ///< of flows in the heaps of their groups
  std::vector<Index> affected_;     ///< groups whose first end is to be computed again
};

} // namespace gnomon::models
