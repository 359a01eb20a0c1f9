// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Guests of uniform components (Uniform.cpp): variables that use constraints which a component
/// owns, and not its bottleneck c. They are not limited with the component's variables, and limit
/// none of them, for c is exhausted first whatever guests do; so the component's level comes first,
/// and guests share by filling what is left of an owned constraint d,
///     C_d - level_c × (sum of w/p over the component's variables on d),
/// where that sum is d's sum over all less the one over its guests. Each owned constraint has a
/// list of its guests, so that the component's variables are not looked at: to fill what a change of
/// the component reaches costs O(uses of the guests), however many variables the component has.
///
/// What holds:
///   1. a variable is in the list of each owned constraint that it uses, or of none of them: then
///      it is of the component;
///   2. a component that has guests is limited by its bottleneck, after each solve();
///   3. when its level changes, or a variable of it comes or goes, all constraints are touched that
///      limit guests, or did.
///
/// Worked example: 20 variables on c = 100 and, one each, on d1 to d20 = 15 have level 5. Another
/// one, on d1 alone, gets 15 - 5 = 10, and when one of the 20 goes, 15 - 100/19.
#include "solver/MaxMin.h"

#include "support/Check.h"

#include <algorithm>
#include <utility>

namespace gnomon::solver {

namespace {
/// As MaxMin.cpp has it: rounding must not make a constraint limit guests.
constexpr double DemandTolerance = 1e-9;
} // namespace

/// Whether a component's bottleneck limits all its variables, or will once they are solved.
bool MaxMin::limits(ConstraintIndex index) const {
  const Constraint &bottleneck = constraints_[index];
  return bottleneck.tight &&
         bottleneck.grouped + uniforms_[bottleneck.uniform].added.size() == bottleneck.count;
}

/// A new variable uses constraints of uniform components, and none of their bottlenecks.
[[gnu::noinline]] void MaxMin::joinAsGuest(VariableIndex index) {
  const Variable &variable = variables_[index];
  for (uint32_t i = 0; i < variable.elementCount; ++i) {
    const Element &element = elements_[variable.firstElement + i];
    const ConstraintIndex owner = constraints_[element.constraint].owner;
    if (owner == None)
      continue;
    if (!limits(owner)) {
      dissolve(owner);
      continue;
    }
    addGuest(element.constraint,
             {.variable = index, .weight = element.weight, .element = variable.firstElement + i});
    const Constraint &constraint = constraints_[element.constraint];
    Uniform &uniform = uniforms_[constraints_[owner].uniform];
    uniform.critical = std::min(uniform.critical, constraint.capacity / constraint.share);
    if (constraints_[owner].level >= uniform.critical)
      touchItself(owner); // solveUniform() sees whether it still comes first
  }
  bool limited = false;
  for (const Element &element : elements(variable))
    if (couples(element.constraint)) {
      if (guestsOf_[element.constraint] != None)
        guests_[guestsOf_[element.constraint]].tight = true;
      touchItself(element.constraint);
      limited = true;
    }
  if (!limited)
    variables_[index].bottleneck = NoBottleneck;
}

bool MaxMin::exceededByGuests(ConstraintIndex index) const {
  if (guestsOf_[index] == None)
    return false;
  return guests_[guestsOf_[index]].demand >
         (constraints_[index].capacity - takenByOwner(index)) * (1 + DemandTolerance);
}

void MaxMin::addGuest(ConstraintIndex index, const Member &member) {
  Uniform &uniform = uniforms_[constraints_[constraints_[index].owner].uniform];
  if (guestsOf_[index] == None) {
    if (freeGuests_.empty()) {
      freeGuests_.push_back(static_cast<uint32_t>(guests_.size()));
      guests_.emplace_back();
    }
    guestsOf_[index] = freeGuests_.back();
    guests_[guestsOf_[index]].tight = true;
    freeGuests_.pop_back();
    uniform.withGuests.push_back(index);
  }
  Guests &guests = guests_[guestsOf_[index]];
  guests.members.push_back(member);
  guests.share += weight(member) * variables_[member.variable].inversePenalty;
  guests.demand += weight(member) * variables_[member.variable].bound;
  ++uniform.guests;
  ++variables_[member.variable].guestOf;
}

/// Whether that may let others have more.
bool MaxMin::removeGuest(ConstraintIndex index, VariableIndex variable) {
  Guests &guests = guests_[guestsOf_[index]];
  const auto guest = std::ranges::find_if(
      guests.members, [variable](const Member &member) { return member.variable == variable; });
  CHECK(guest != guests.members.end(), "a guest in the list of each owned constraint that it uses");
  guests.share -= weight(*guest) * variables_[variable].inversePenalty;
  guests.demand -= weight(*guest) * variables_[variable].bound;
  *guest = guests.members.back();
  guests.members.pop_back();
  if (guests.members.empty())
    guests.share = guests.demand = 0; // no residue of rounding outlives the last guest
  --uniforms_[constraints_[constraints_[index].owner].uniform].guests;
  --variables_[variable].guestOf;
  return guests.tight;
}

/// Makes guests of the variables of a constraint that is owned from now on, but for those of its
/// owner's component. Other components that they are of are dissolved.
void MaxMin::hostOthers(ConstraintIndex index) {
  const ConstraintIndex owner = constraints_[index].owner;
  for (const Member &member : members(constraints_[index])) {
    const ConstraintIndex home = homeOf(variables_[member.variable]);
    if (home == owner)
      continue;
    if (home != None)
      dissolve(home);
    addGuest(index, member);
  }
}

/// Nobody is a guest of the constraint any more.
void MaxMin::sendAway(ConstraintIndex index) {
  if (guestsOf_[index] == None)
    return;
  Guests &guests = guests_[guestsOf_[index]];
  for (const Member &member : guests.members)
    --variables_[member.variable].guestOf;
  guests.members.clear();
  guests.share = guests.demand = 0;
  freeGuests_.push_back(guestsOf_[index]);
  guestsOf_[index] = None;
}

/// Where less or more is left for guests: the first level at which that can matter. They exhaust
/// the constraint at no lower one than with all of them open, and did at its level if it closed any.
double MaxMin::firstLevelOf(ConstraintIndex index) const {
  const Constraint &constraint = constraints_[index];
  const double left = constraint.capacity - takenByOwner(index);
  const double level = left / guests_[guestsOf_[index]].share;
  return constraint.grouped > 0 ? std::min(level, constraint.level) : level;
}

/// Of a component that has changed.
void MaxMin::touchGuests(ConstraintIndex bottleneck) {
  Uniform &uniform = uniforms_[constraints_[bottleneck].uniform];
  if (uniform.withGuests.empty())
    return;
  size_t kept = 0;
  for (const ConstraintIndex index : uniform.withGuests) {
    Guests &guests = guests_[guestsOf_[index]];
    if (guests.members.empty()) {
      sendAway(index);
      continue;
    }
    uniform.withGuests[kept++] = index;
    if (const bool before = std::exchange(guests.tight, couples(index)); !before && !guests.tight)
      continue;
    touchItself(index);
    lowestRemoved_ = std::min(lowestRemoved_, firstLevelOf(index));
  }
  uniform.withGuests.resize(kept);
}

/// Constraints that have become tight beneath variables of uniform components.
void MaxMin::adoptTouched() {
  if (uniforms_.size() == freeUniforms_.size())
    return;
  for (size_t i = 0; i < touched_.size(); ++i) // dissolve() appends
    if (constraints_[touched_[i]].tight && constraints_[touched_[i]].owner == None)
      adopt(touched_[i]);
}

void MaxMin::adopt(ConstraintIndex index) {
  const Constraint &constraint = constraints_[index];
  ConstraintIndex owner = None;
  for (const Member &member : members(constraint)) {
    const ConstraintIndex home = homeOf(variables_[member.variable]);
    if (home == None || home == owner)
      continue;
    if (owner != None || constraint.fatPipe != None || !limits(home))
      dissolve(home);
    else
      owner = home;
  }
  if (owner == None)
    return;
  own(index, owner);
  hostOthers(index);
  Uniform &uniform = uniforms_[constraints_[owner].uniform];
  uniform.critical = std::min(uniform.critical, constraint.capacity / constraint.share);
  if (holds(owner))
    return;
  touchItself(owner); // and so all that it owns
  dissolve(owner);
}

} // namespace gnomon::solver
