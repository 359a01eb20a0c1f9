// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Uniform components: one shared constraint, the bottleneck, closes all its variables before any
/// other of their constraints is exhausted.
///
/// What holds while a component is uniform with bottleneck c:
///   1. all variables of c are of the component; those of the constraints that it owns, but for
///      these, are its guests (Guests.cpp);
///   2. a tight constraint that a variable of c uses is owned, or was touched since the last
///      solve(), which then adopts it (adopt()).
///   3. a variable in `added` has tight constraints, all of them owned: c is touched, and the next
///      solve() takes it out again.
///   4. no variable of c uses what another component owns.
/// So its level is C_c / (sum of w/p) while that is below the critical level: the least of its
/// variables' bound levels and, over the constraints d that it owns, C_d / (sum of w/p), guests
/// included. A variable that goes raises the latter, so the kept value stays a lower estimate.
#include "solver/MaxMin.h"

#include "support/Append.h"
#include "support/Check.h"

#include <algorithm>

namespace gnomon::solver {

namespace {
/// Room for rounding between a level and the critical one.
constexpr double Tolerance = 1e-9;
/// Of many that are looked at in turn, how far ahead one is asked for.
constexpr size_t FetchedAhead = 8;
} // namespace

uint32_t MaxMin::newUniform() {
  if (freeUniforms_.empty()) {
    freeUniforms_.push_back(static_cast<uint32_t>(uniforms_.size()));
    uniforms_.emplace_back();
  }
  const uint32_t uniform = freeUniforms_.back();
  freeUniforms_.pop_back();
  return uniform;
}

/// Makes a uniform component of the variables of the lowest level, and closes them, if they are most
/// of those that are collected.
void MaxMin::makeUniform() {
  if (componentSize_ < FewestVariables)
    return;
  const ConstraintIndex index = lowestOfMost();
  if (index == None)
    return;
  const double level = work_[index].remaining / work_[index].share;
  const double critical = firstCritical(index);
  if (level >= critical * (1 - Tolerance))
    return;
  const uint32_t uniform = newUniform();
  if (work_[index].open < openVariables_) {
    closeAll(index, level);
  } else {
    setLevel(index, level);
    for (const Member &member : members(constraints_[index]))
      setBottleneck(member.variable, index);
    openVariables_ = 0;
  }
  constraints_[index].uniform = uniform;
  claim(index);
  sumUp(index);
  uniforms_[uniform].critical = critical;
}

/// The constraint of the lowest level, if it may be a bottleneck of most variables that are
/// collected; None: it may not.
ConstraintIndex MaxMin::lowestOfMost() const {
  Level lowest = levels_.all().front();
  for (const Level &level : levels_.all())
    if (level.level < lowest.level)
      lowest = level;
  const Constraint &constraint = constraints_[lowest.constraint];
  const size_t open = work_[lowest.constraint].open;
  const bool most =
      open >= FewestVariables && 2 * open > componentSize_ && open == constraint.count;
  return most && constraint.fatPipe == None && constraint.owner == None ? lowest.constraint : None;
}

/// The critical level of a component that is not made yet; 0 if it cannot be made.
double MaxMin::firstCritical(ConstraintIndex index) const {
  double critical = work_[index].lowestBound;
  for (const Member &member : members(constraints_[index]))
    for (const Element &element : elements(variables_[member.variable])) {
      const Constraint &constraint = constraints_[element.constraint];
      if (constraint.owner != None || (constraint.tight && constraint.fatPipe != None))
        return 0;
      if (constraint.tight && element.constraint != index)
        critical = std::min(critical, constraint.capacity / constraint.share);
    }
  return critical;
}

/// Has a new component own all tight constraints of its variables, whose other variables become
/// guests.
void MaxMin::claim(ConstraintIndex bottleneck) {
  for (const Member &member : members(constraints_[bottleneck]))
    for (const Element &element : elements(variables_[member.variable]))
      if (constraints_[element.constraint].tight && constraints_[element.constraint].owner == None)
        own(element.constraint, bottleneck);
  for (const ConstraintIndex owned : uniforms_[constraints_[bottleneck].uniform].owned)
    hostOthers(owned);
}

void MaxMin::own(ConstraintIndex index, ConstraintIndex bottleneck) {
  constraints_[index].owner = bottleneck;
  uniforms_[constraints_[bottleneck].uniform].owned.push_back(index);
}

void MaxMin::disown(ConstraintIndex index) {
  sendAway(index);
  constraints_[index].owner = None;
  if (constraints_[index].count == 0)
    users_[index] = Nobody;
}

void MaxMin::sumUp(ConstraintIndex index) {
  Constraint &constraint = constraints_[index];
  constraint.share = 0;
  for (const Member &member : members(constraint))
    constraint.share += weight(member) * variables_[member.variable].inversePenalty;
  uniforms_[constraint.uniform].countWhenSummed = constraint.count;
}

/// What was touched in the component is from now on touched by itself.
[[gnu::noinline]] void MaxMin::dissolve(ConstraintIndex index) {
  Constraint &bottleneck = constraints_[index];
  Uniform &uniform = uniforms_[bottleneck.uniform];
  ++dissolved_;
  for (ConstraintIndex owned : uniform.owned)
    disown(owned);
  if (bottleneck.touched) {
    lowestRemoved_ = std::min(lowestRemoved_, bottleneck.level);
    for (ConstraintIndex owned : uniform.owned)
      touch(owned);
  }
  uniform.owned.clear();
  uniform.added.clear();
  uniform.withGuests.clear();
  uniform.guests = 0;
  freeUniforms_.push_back(bottleneck.uniform);
  bottleneck.uniform = None;
}

/// The bottleneck of the uniform component that a variable is of; None: it is of none.
ConstraintIndex MaxMin::homeOf(const Variable &variable) const {
  if (variable.bottleneck < Unsolved)
    return constraints_[variable.bottleneck].uniform != None ? variable.bottleneck : None;
  return homeAmong(elements(variable));
}

ConstraintIndex MaxMin::homeAmong(std::span<const Element> uses) const {
  ConstraintIndex home = None;
  for (const Element &element : uses)
    if (constraints_[element.constraint].uniform != None)
      home = element.constraint;
  return home;
}

/// Before a new variable becomes a part of the component of \p home.
[[gnu::noinline]] void MaxMin::dissolveOthers(const Variable &variable, ConstraintIndex home) {
  for (const Element &element : elements(variable)) {
    const ConstraintIndex owner = constraints_[element.constraint].owner;
    if (owner != None && owner != home)
      dissolve(owner);
  }
}

/// A new variable becomes a part of the component of \p home, the only one whose constraints it
/// uses. False when the component had to be dissolved.
bool MaxMin::joinUniform(VariableIndex index, ConstraintIndex home) {
  const Variable &variable = variables_[index];
  Uniform &uniform = uniforms_[constraints_[home].uniform];
  if (variable.bottleneck == Unsolved)
    append(uniform.added, index);
  double critical = std::min(uniform.critical, variable.boundLevel);
  for (const Element &element : elements(variable)) {
    const Constraint &constraint = constraints_[element.constraint];
    if (constraint.owner != home) {
      if (!constraint.tight || constraint.owner != None) [[likely]]
        continue;
      if (constraint.fatPipe != None) {
        dissolve(home);
        return false;
      }
      own(element.constraint, home);
      hostOthers(element.constraint);
    }
    if (element.constraint != home && critical * constraint.share > constraint.capacity)
      critical = constraint.capacity / constraint.share;
  }
  uniform.critical = critical;
  return true;
}

/// A variable goes before it was solved.
void MaxMin::leaveUniform(VariableIndex index) {
  for (const Element &element : elements(variables_[index]))
    if (constraints_[element.constraint].uniform != None)
      std::erase(uniforms_[constraints_[element.constraint].uniform].added, index);
}

bool MaxMin::isWhole(ConstraintIndex index, size_t count) const {
  const Constraint &bottleneck = constraints_[index];
  return bottleneck.count == count && bottleneck.grouped == count && bottleneck.uniform != None &&
         uniforms_[bottleneck.uniform].guests == 0 &&
         uniforms_[bottleneck.uniform].owned.size() <= MostOwned * count;
}

/// All members of the component's constraints are its variables, which have one level.
void MaxMin::empty(ConstraintIndex index) {
  Constraint &bottleneck = constraints_[index];
  bool anyTight = false;
  const std::span<const ConstraintIndex> owned = uniforms_[bottleneck.uniform].owned;
  for (size_t i = 0; i < owned.size(); ++i) {
    if (i + FetchedAhead < owned.size())
      fetchToWrite(&constraints_[owned[i + FetchedAhead]]);
    Constraint &constraint = constraints_[owned[i]];
    anyTight |= constraint.tight;
    constraint.count = 0;
    constraint.demand = 0;
    constraint.share = 0;
    constraint.tight = false;
  }
  bottleneck.grouped = 0;
  if (!anyTight)
    return;
  lowestRemoved_ = std::min(lowestRemoved_, bottleneck.level);
  touch(index);
}

/// Brings the levels of touched uniform components up to date; those that are no longer uniform are
/// dissolved and left to the filling.
void MaxMin::solveUniform() {
  size_t kept = 0;
  for (size_t i = 0; i < touched_.size(); ++i) { // dissolve() appends
    ConstraintIndex index = touched_[i];
    Constraint &bottleneck = constraints_[index];
    if (bottleneck.uniform != None && solveUniform(index)) {
      bottleneck.touched = false;
      touchGuests(index);
      continue;
    }
    if (bottleneck.uniform != None)
      dissolve(index);
    touched_[kept++] = index;
  }
  touched_.resize(kept);
}

bool MaxMin::solveUniform(ConstraintIndex index) {
  const Constraint &bottleneck = constraints_[index];
  if (bottleneck.count == 0) // it limits nobody, and lets guests have what is there
    return uniforms_[bottleneck.uniform].guests == 0;
  Uniform &uniform = uniforms_[bottleneck.uniform];
  if (bottleneck.count < uniform.countWhenSummed / 2) // rounding weighs more in a smaller sum
    sumUp(index);
  if (!holds(index))
    return false;
  setLevel(index, bottleneck.capacity / bottleneck.share);
  const std::span<const VariableIndex> added = uniform.added;
  for (size_t i = 0; i < added.size(); ++i) {
    if (i + FetchedAhead < added.size())
      prefetchVariable(added[i + FetchedAhead]);
    setBottleneck(added[i], index);
  }
  if (bottleneck.grouped < bottleneck.count) // some came while there was room to spare
    for (const Member &member : members(bottleneck))
      setBottleneck(member.variable, index);
  uniform.added.clear();
  uniform.countWhenSummed = std::max(uniform.countWhenSummed, bottleneck.count);
  return true;
}

/// Whether the bottleneck is exhausted before all else; one that has room for everybody is not, for
/// its level exceeds the lowest bound.
bool MaxMin::holds(ConstraintIndex index) {
  const Constraint &bottleneck = constraints_[index];
  Uniform &uniform = uniforms_[bottleneck.uniform];
  const double level = bottleneck.capacity / bottleneck.share;
  if (level < uniform.critical * (1 - Tolerance))
    return true;
  uniform.critical = criticalLevel(index);
  return level < uniform.critical * (1 - Tolerance);
}

double MaxMin::criticalLevel(ConstraintIndex index) const {
  const Constraint &bottleneck = constraints_[index];
  double critical = Unbounded;
  const std::span<const Member> all = members(bottleneck);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i + FetchedAhead < all.size())
      prefetchVariable(all[i + FetchedAhead].variable);
    critical = std::min(critical, variables_[all[i].variable].boundLevel);
  }
  const std::span<const ConstraintIndex> owned = uniforms_[bottleneck.uniform].owned;
  for (size_t i = 0; i < owned.size(); ++i) {
    if (i + FetchedAhead < owned.size())
      fetchToRead(&constraints_[owned[i + FetchedAhead]]);
    if (const Constraint &each = constraints_[owned[i]]; owned[i] != index && each.count > 0)
      critical = std::min(critical, each.capacity / each.share);
  }
  return critical;
}

} // namespace gnomon::solver
