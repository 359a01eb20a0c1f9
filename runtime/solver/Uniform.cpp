// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Uniform components: one shared constraint, the bottleneck, closes every variable.
///
/// What holds while a component is uniform with bottleneck c:
///   1. all variables of the constraints that it owns use c;
///   2. a tight constraint that a variable of c uses is owned, or was touched since the last
///      solve(), which then dissolves the component: all that its variables use is left to the
///      filling, whether c itself is tight or not (leaveToFilling()).
///   3. a variable in `added` has tight constraints, all of them owned: c is touched, and the next
///      solve() takes it out again.
/// So its level is C_c / (sum of w/p) while that is below the critical level: the least of its
/// variables' bound levels and, over the constraints d that it owns, C_d / (sum of w/p). A variable
/// that goes raises the latter, so the kept value stays a lower estimate.
#include "solver/MaxMin.h"

#include "support/Append.h"
#include "support/Check.h"

#include <algorithm>

namespace gnomon::solver {

namespace {
/// Smaller components are solved faster than they are looked after.
constexpr size_t FewestVariables = 16;
/// A constraint with more members is not asked whether they all use a bottleneck.
constexpr uint32_t MostMembersAsked = 16;
/// A component that owns more constraints a variable is not emptied as a whole: most are unused.
constexpr size_t MostOwned = 8;
/// Room for rounding between a level and the critical one.
constexpr double Tolerance = 1e-9;
} // namespace

/// Makes the collected component uniform if its lowest level closes all its variables.
bool MaxMin::makeUniform() {
  if (componentSize_ < FewestVariables)
    return false;
  Level lowest = levels_.all().front();
  double second = Unbounded;
  for (const Level &level : std::span(levels_.all()).subspan(1)) {
    second = std::min(second, std::max(lowest.level, level.level));
    if (level.level < lowest.level)
      lowest = level;
  }
  const Work &work = work_[lowest.constraint];
  const double critical = std::min(second, work.lowestBound);
  if (work.open != openVariables_ || lowest.level >= critical * (1 - Tolerance))
    return false;
  for (ConstraintIndex index : componentConstraints_)
    if (constraints_[index].fatPipe != None || work_[index].open != constraints_[index].count)
      return false;

  if (freeUniforms_.empty()) {
    freeUniforms_.push_back(static_cast<uint32_t>(uniforms_.size()));
    uniforms_.emplace_back();
  }
  Constraint &bottleneck = constraints_[lowest.constraint];
  bottleneck.uniform = freeUniforms_.back();
  freeUniforms_.pop_back();
  for (ConstraintIndex index : componentConstraints_)
    own(index, lowest.constraint);
  sumUp(lowest.constraint);
  uniforms_[bottleneck.uniform].critical = critical;
  setLevel(lowest.constraint, lowest.level);
  for (const Member &member : members(bottleneck))
    setBottleneck(member.variable, lowest.constraint);
  return true;
}

void MaxMin::own(ConstraintIndex index, ConstraintIndex bottleneck) {
  constraints_[index].owner = bottleneck;
  uniforms_[constraints_[bottleneck].uniform].owned.push_back(index);
}

void MaxMin::disown(ConstraintIndex index) {
  constraints_[index].owner = None;
  if (constraints_[index].count == 0)
    users_[index] = Nobody;
}

void MaxMin::sumUp(ConstraintIndex index) {
  Constraint &constraint = constraints_[index];
  constraint.share = 0;
  for (const Member &member : members(constraint))
    constraint.share += member.weight * variables_[member.variable].inversePenalty;
  uniforms_[constraint.uniform].countWhenSummed = constraint.count;
}

/// What was touched in the component is from now on touched by itself.
[[gnu::noinline]] void MaxMin::dissolve(ConstraintIndex index) {
  Constraint &bottleneck = constraints_[index];
  Uniform &uniform = uniforms_[bottleneck.uniform];
  for (ConstraintIndex owned : uniform.owned)
    disown(owned);
  if (bottleneck.touched)
    for (ConstraintIndex owned : uniform.owned)
      touch(owned);
  uniform.owned.clear();
  uniform.added.clear();
  freeUniforms_.push_back(bottleneck.uniform);
  bottleneck.uniform = None;
}

/// A new variable that uses constraints of uniform components becomes a part of one whose bottleneck
/// it uses, which is returned; the others are dissolved.
[[gnu::noinline]] ConstraintIndex MaxMin::dissolveOthers(const Variable &variable) {
  ConstraintIndex home = None;
  for (const Element &element : elements(variable))
    if (constraints_[element.constraint].uniform != None)
      home = element.constraint;
  for (const Element &element : elements(variable)) {
    const ConstraintIndex owner = constraints_[element.constraint].owner;
    if (owner != None && owner != home)
      dissolve(owner);
  }
  return home;
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
      if (!allUse(element.constraint, home)) {
        dissolve(home);
        return false;
      }
      own(element.constraint, home);
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
         uniforms_[bottleneck.uniform].owned.size() <= MostOwned * count;
}

/// All members of the component's constraints are its variables, which have one level.
void MaxMin::empty(ConstraintIndex index) {
  Constraint &bottleneck = constraints_[index];
  bool anyTight = false;
  for (ConstraintIndex owned : uniforms_[bottleneck.uniform].owned) {
    Constraint &constraint = constraints_[owned];
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

/// A tight constraint that a component does not own couples \p variable to others: what the
/// component's bottleneck does from now on, or will do once it is tight again, is their affair too.
void MaxMin::leaveToFilling(const Variable &variable) {
  for (const Element &element : elements(variable))
    if (const ConstraintIndex owner = constraints_[element.constraint].owner; owner != None)
      dissolve(owner);
}

/// Whether all variables of a constraint use \p bottleneck, as far as that is soon seen.
[[gnu::noinline]] bool MaxMin::allUse(ConstraintIndex index, ConstraintIndex bottleneck) const {
  const Constraint &constraint = constraints_[index];
  if (constraint.fatPipe != None || constraint.count > MostMembersAsked)
    return false;
  return std::all_of(members(constraint).begin(), members(constraint).end(), [&](const Member &m) {
    auto uses = elements(variables_[m.variable]);
    return std::any_of(uses.begin(), uses.end(),
                       [&](const Element &e) { return e.constraint == bottleneck; });
  });
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
  if (bottleneck.count == 0)
    return true;
  Uniform &uniform = uniforms_[bottleneck.uniform];
  if (bottleneck.count < uniform.countWhenSummed / 2) // rounding weighs more in a smaller sum
    sumUp(index);
  // Of a bottleneck that has room for everybody this exceeds the lowest bound.
  const double level = bottleneck.capacity / bottleneck.share;
  if (level >= uniform.critical * (1 - Tolerance)) {
    uniform.critical = criticalLevel(index);
    if (level >= uniform.critical * (1 - Tolerance))
      return false;
  }
  setLevel(index, level);
  for (VariableIndex variable : uniform.added)
    setBottleneck(variable, index);
  if (bottleneck.grouped < bottleneck.count) // some came while there was room to spare
    for (const Member &member : members(bottleneck))
      setBottleneck(member.variable, index);
  uniform.added.clear();
  uniform.countWhenSummed = std::max(uniform.countWhenSummed, bottleneck.count);
  return true;
}

double MaxMin::criticalLevel(ConstraintIndex index) const {
  const Constraint &bottleneck = constraints_[index];
  double critical = Unbounded;
  for (const Member &member : members(bottleneck))
    critical = std::min(critical, variables_[member.variable].boundLevel);
  for (ConstraintIndex owned : uniforms_[bottleneck.uniform].owned)
    if (owned != index && constraints_[owned].count > 0)
      critical = std::min(critical, constraints_[owned].capacity / constraints_[owned].share);
  return critical;
}

} // namespace gnomon::solver
