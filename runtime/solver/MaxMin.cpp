// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variables that come and go, and progressive filling over the components that changed.
#include "solver/MaxMin.h"

#include "support/Append.h"
#include "support/Check.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace gnomon::solver {

namespace {
/// Demands are sums kept up to date by adding and subtracting: their rounding must not make a link
/// tight.
constexpr double DemandTolerance = 1e-9;
/// A bound that equals a constraint's level but for rounding is not below it: on a fat pipe that
/// would decide what the others get.
constexpr double LevelTolerance = 1e-12;
/// Levels are compared across solves only with this much room for rounding.
constexpr double FreezeTolerance = 1e-9;
} // namespace

ConstraintIndex MaxMin::addConstraint(double capacity, Sharing sharing) {
  CHECK(capacity > 0 && capacity < Unbounded, "a finite capacity above zero");
  CHECK(constraints_.size() < size_t{1} << IndexBits, "as many constraints as uses can name");
  constraints_.push_back({.capacity = capacity});
  work_.atLeast(constraints_.size());
  users_.push_back(Nobody);
  guestsOf_.push_back(None);
  if (sharing == Sharing::FatPipe) {
    constraints_.back().fatPipe = static_cast<uint32_t>(fatPipes_.size());
    fatPipes_.emplace_back();
  }
  return static_cast<ConstraintIndex>(constraints_.size() - 1);
}

void MaxMin::setCapacity(ConstraintIndex constraint, double capacity) {
  CHECK(capacity > 0 && capacity < Unbounded, "a finite capacity above zero");
  // What uniform components know of a constraint's capacity they ask again when variables come.
  catchUp();
  leaveEpisode();
  if (!episodes_.isEmpty()) // what was said before holds no more
    episodes_.forget();
  CHECK(constraints_[constraint].count == 0 && users_[constraint] < FirstAlone,
        "a constraint without variables");
  constraints_[constraint].capacity = capacity;
}

std::span<const VariableIndex> MaxMin::changed() const { return changed_; }
std::span<const ConstraintIndex> MaxMin::changedLevels() const { return changedLevels_; }

bool MaxMin::exceeded(double demand, double capacity) {
  return demand > capacity * (1 + DemandTolerance);
}

[[gnu::noinline]] void MaxMin::addTouched(ConstraintIndex index) {
  constraints_[index].touched = true;
  touched_.push_back(index);
}

[[gnu::noinline]] VariableIndex MaxMin::newVariable() {
  CHECK(variables_.size() < size_t{1} << IndexBits, "as many variables as members can name");
  variables_.emplace_back();
  return static_cast<VariableIndex>(variables_.size() - 1);
}

/// For one more member; at first for one only, so that constraints that never have more, and are
/// used after each other, share cache lines. Like addToFatPipe(), out of line: enter() is among
/// what each message costs.
[[gnu::noinline]] void MaxMin::makeRoom(Constraint &constraint) {
  const uint32_t room = members_.roomAfter(constraint.room);
  constraint.firstMember = constraint.room == 0
                               ? members_.allocate(room)
                               : members_.grow(constraint.firstMember, constraint.room, room);
  constraint.room = room;
}

[[gnu::noinline]] void MaxMin::addToFatPipe(Constraint &constraint, double boundLevel,
                                            double share) {
  FatPipe &pipe = fatPipes_[constraint.fatPipe];
  pipe.highestBound = std::max(pipe.highestBound, boundLevel);
  pipe.highestShare = std::max(pipe.highestShare, share);
  constraint.demand = pipe.highestBound * pipe.highestShare;
}

inline MaxMin::Constraint &MaxMin::link(VariableIndex index, const Variable &variable,
                                        uint32_t elementIndex) {
  Element &element = elements_[elementIndex];
  Constraint &constraint = constraints_[element.constraint];
  if (constraint.count == constraint.room) [[unlikely]]
    makeRoom(constraint);
  users_[element.constraint] = Several;
  const double weight = weights_.at(element.weight, elementIndex);
  const uint32_t position = constraint.count++;
  element.position = position;
  members_[constraint.firstMember + position] = {
      .variable = index, .weight = element.weight, .element = elementIndex};
  if (constraint.fatPipe != None) [[unlikely]] {
    addToFatPipe(constraint, variable.boundLevel, weight * variable.inversePenalty);
  } else {
    constraint.demand += weight * variable.bound;
    constraint.share += weight * variable.inversePenalty;
  }
  constraint.tight = exceeded(constraint.demand, constraint.capacity);
  return constraint;
}

/// The last member takes the place that becomes free.
inline void MaxMin::unlink(const Variable &variable, const Element &element,
                           Constraint &constraint) {
  if (element.position != --constraint.count) {
    const Member &last = members_[constraint.firstMember + constraint.count];
    elements_[last.element].position = element.position;
    members_[constraint.firstMember + element.position] = last;
  }
  if (constraint.fatPipe == None) {
    const double weight = this->weight(element);
    constraint.demand -= weight * variable.bound;
    constraint.share -= weight * variable.inversePenalty;
  }
  if (constraint.tight) // what goes never makes one so
    constraint.tight = exceeded(constraint.demand, constraint.capacity);
  if (constraint.count > 0)
    return;
  if (constraint.owner == None)
    users_[element.constraint] = Nobody;
  constraint.demand = 0; // no residue of rounding outlives the last variable
  constraint.share = 0;
  constraint.tight = false;
  if (constraint.fatPipe != None)
    fatPipes_[constraint.fatPipe] = {};
}

VariableIndex MaxMin::addClipped(double penalty, double bound, std::span<const Usage> usages,
                                 uint64_t word) {
  CHECK(penalty > 0 && bound > 0 && !usages.empty(), "a penalty, a bound and a use");
  return addUses(penalty, bound, usages, word);
}

[[gnu::noinline]] VariableIndex MaxMin::addAmongOthers(VariableIndex index, bool ofAlone) {
  if (ofAlone)
    joinAlone(elements(variables_[index]));
  enter(index);
  return index;
}

/// Enters the variables that were alone on constraints which another one is going to use.
[[gnu::noinline]] void MaxMin::joinAlone(std::span<const Element> uses) {
  for (const Element &use : uses) {
    if (users_[use.constraint] < FirstAlone)
      continue;
    const VariableIndex index = users_[use.constraint] - FirstAlone;
    Variable &variable = variables_[index];
    variable.alone = false;
    for (uint32_t i = 0; i < variable.elementCount; ++i)
      link(index, variable,
           variable.firstElement + i); // not tight with one, whose bound is clipped
  }
}

/// Makes a variable a member of its constraints. Where many share a backbone, a uniform component
/// owns all of them: then its critical level (joinUniform()) is found on the same way through them.
inline void MaxMin::enter(VariableIndex index) {
  Variable &variable = variables_[index];
  const uint32_t end = variable.firstElement + variable.elementCount;
  const ConstraintIndex home = constraints_[elements_[variable.firstElement].constraint].owner;
  // Without a home it stays 0, below which nothing is.
  double critical = 0;
  if (home != None)
    critical = std::min(uniforms_[constraints_[home].uniform].critical, variable.boundLevel);
  bool limited = false;
  ConstraintIndex otherOwners = 0; // bits in which they differ from home
  uint32_t uniform = None;         // of no constraint so far
  for (uint32_t element = variable.firstElement; element < end; ++element) {
    Constraint &constraint = link(index, variable, element);
    constraint.gained |= constraint.tight;
    limited |= constraint.tight;
    otherOwners |= constraint.owner ^ home;
    uniform &= constraint.uniform;
    if (constraint.uniform == None) // a fat pipe has no share, and a level without end
      critical = std::min(critical, constraint.capacity / constraint.share);
  }
  if (limited)
    variable.bottleneck = Unsolved;
  if (home == None && otherOwners == 0) {
    if (limited)
      touchTight(variable);
    return;
  }
  if (otherOwners != 0 || uniform == None) [[unlikely]]
    return joinOwners(index, limited);
  Uniform &itsUniform = uniforms_[uniform];
  itsUniform.critical = critical;
  if (!limited)
    return;
  append(itsUniform.added, index);
  touch(home);
}

/// The rest of enter() where not one component owns all constraints.
[[gnu::noinline]] void MaxMin::joinOwners(VariableIndex index, bool limited) {
  const Variable &variable = variables_[index];
  // None is all ones, so that it is the greatest owner, and the next one is none.
  ConstraintIndex owner = None, pastOwners = 0;
  uint32_t uniform = None;
  for (const Element &element : elements(variable)) {
    const Constraint &constraint = constraints_[element.constraint];
    owner = std::min(owner, constraint.owner);
    pastOwners = std::max(pastOwners, constraint.owner + 1);
    uniform &= constraint.uniform;
  }
  if (owner != None && (owner + 1 != pastOwners || uniform == None)) [[unlikely]] {
    owner = homeAmong(elements(variable));
    if (owner == None)
      return joinAsGuest(index);
    dissolveOthers(variable, owner);
  }
  if (owner != None && joinUniform(index, owner)) {
    if (limited)
      touch(owner); // it owns all that are tight
  } else if (limited) {
    touchTight(variable);
  }
}

void MaxMin::touchTight(const Variable &variable) {
  for (const Element &element : elements(variable))
    if (constraints_[element.constraint].tight)
      touch(element.constraint);
}

void MaxMin::remove(VariableIndex index) {
  if (mode_ != Mode::Apart)
    return goInEpisode(index);
  removeNow(index);
  giveBack(index);
}

/// Its constraints forget it.
void MaxMin::removeNow(VariableIndex index) {
  const Variable &variable = variables_[index];
  if (!variable.alone)
    return leave(index);
#pragma clang loop unroll(disable)
  for (const Element &element : elements(variable))
    users_[element.constraint] = Nobody;
}

void MaxMin::giveBack(VariableIndex index) {
  const Variable &variable = variables_[index];
  elements_.release(variable.firstElement, variable.elementCount);
  variables_[index].firstElement = freeVariable_;
  freeVariable_ = index;
  --variableCount_;
}

inline void MaxMin::leaveOne(const Variable &variable, const Element &element,
                             Constraint &constraint, double itsLevel) {
  if (constraint.tight) {
    touch(element.constraint);
    lowestRemoved_ = std::min(lowestRemoved_, itsLevel);
  }
  unlink(variable, element, constraint);
}

[[gnu::noinline]] void MaxMin::leave(VariableIndex index) {
  const Variable &variable = variables_[index];
  if (variable.guestOf > 0) [[unlikely]]
    return leaveAsGuest(index);
  if (variable.bottleneck == Unsolved)
    leaveUniform(index);
  else if (variable.bottleneck != NoBottleneck)
    --constraints_[variable.bottleneck].grouped;
  // What a component makes of it is found by its own level: touchGuests(), dissolve().
  const double itsLevel = isSettled(variable) ? Unbounded : level(variable);
  Constraint *const constraints = constraints_.data();
  for (const Element &element : elements(variable))
    leaveOne(variable, element, constraints[element.constraint], itsLevel);
}

/// The rest of leave() for a guest.
[[gnu::noinline]] void MaxMin::leaveAsGuest(VariableIndex index) {
  const Variable &variable = variables_[index];
  if (variable.bottleneck < Unsolved)
    --constraints_[variable.bottleneck].grouped;
  const double itsLevel = level(variable);
  for (const Element &element : elements(variable)) {
    Constraint &constraint = constraints_[element.constraint];
    if (constraint.owner == None ? constraint.tight : removeGuest(element.constraint, index)) {
      touchItself(element.constraint);
      lowestRemoved_ = std::min(lowestRemoved_, itsLevel);
    }
    unlink(variable, element, constraint);
  }
}

void MaxMin::removeFromEmptied(VariableIndex index) {
  const Variable &variable = variables_[index];
  Constraint *const constraints = constraints_.data();
#pragma clang loop unroll(disable)
  for (const Element &element : elements(variable))
    if (Constraint &constraint = constraints[element.constraint]; constraint.owner == None)
        [[unlikely]]
      leaveOne(variable, element, constraint, level(variable));
  giveBack(index);
}

void MaxMin::solve() {
  if (mode_ != Mode::Apart)
    solveInEpisode();
  else
    solveNow();
}

void MaxMin::solveNow() {
  changed_.clear();
  changedLevels_.clear();
  if (++epoch_ == 0) { // after 2^32 solves: forget all marks
    for (Variable &variable : variables_)
      variable.visited = 0;
    work_.clear();
    epoch_ = 1;
  }
  solveUniform();
  adoptTouched();
  freeze();
  for (ConstraintIndex index : touched_) {
    constraints_[index].touched = false;
    for (const Member &member : filledMembers(index)) {
      const Variable &variable = variables_[member.variable];
      if (variable.visited != epoch_ && !frozen(variable) && !isSettled(variable))
        solveAround(member.variable);
    }
  }
  touched_.clear();
  lowestRemoved_ = Unbounded;
}

/// Finds the level up to which the filling goes as it went before. What was removed closed at its
/// level, and its absence lets constraints be exhausted later than before, never earlier. What was
/// added closes nobody before a constraint of its own is exhausted, and that is not before the
/// level at which all its variables open would exhaust it.
void MaxMin::freeze() {
  double lowest = lowestRemoved_;
  for (ConstraintIndex index : touched_) {
    Constraint &constraint = constraints_[index];
    double share = constraint.fatPipe == None ? constraint.share * (1 + FreezeTolerance)
                                              : fatPipes_[constraint.fatPipe].highestShare;
    if (constraint.gained && constraint.tight)
      lowest = std::min(lowest, constraint.capacity / share);
    constraint.gained = false;
  }
  frozenBelow_ = std::min(lowest, std::numeric_limits<double>::max()) * (1 - FreezeTolerance);
}

/// Solves the component of \p variable.
void MaxMin::solveAround(VariableIndex variable) {
  componentConstraints_.clear();
  component_.resize(variables_.size() + 1); // visitConstraint() writes before it knows
  component_[0] = variable;
  componentSize_ = 1;
  variables_[variable].visited = epoch_;
  variables_[variable].open = true;
  // The list grows while it is walked: breadth first.
  for (size_t i = 0; i < componentSize_; ++i)
    for (const Element &element : elements(variables_[component_[i]]))
      if (work_[element.constraint].visited != epoch_ && couples(element.constraint))
        visitConstraint(element.constraint);
  if (componentConstraints_.empty())
    setBottleneck(variable, NoBottleneck);
  else
    fill();
}

/// Adds up what its frozen variables, and those of the uniform component that owns it, leave of a
/// constraint, and collects the open ones. Whether a variable is open, and met for the first time,
/// is a coin toss: no branch hangs on it.
void MaxMin::visitConstraint(ConstraintIndex index) {
  const Constraint &constraint = constraints_[index];
  static constexpr double IfTrue[] = {0, 1};
  double taken = takenByOwner(index), sum = 0, highest = 0, lowestBound = Unbounded;
  uint32_t count = 0;
  size_t size = componentSize_;
  const double frozenBelow = frozenBelow_;
  const uint32_t epoch = epoch_;
  for (const Member &member : filledMembers(index)) {
    Variable &variable = variables_[member.variable];
    const double itsLevel = level(variable);
    const bool open = itsLevel >= frozenBelow;
    const double share = weight(member) * variable.inversePenalty;
    const double openShare = share * IfTrue[open];
    taken += share * (std::min(itsLevel, frozenBelow) * IfTrue[!open]);
    sum += openShare;
    highest = std::max(highest, openShare);
    lowestBound = std::min(lowestBound, variable.boundLevel);
    count += open;
    component_[size] = member.variable;
    size += open & (variable.visited != epoch);
    variable.visited = open ? epoch : variable.visited;
    variable.open = open;
  }
  componentSize_ = size;
  const bool fat = constraint.fatPipe != None;
  work_[index] = {.remaining = constraint.capacity - (fat ? 0 : taken),
                  .share = fat ? highest : sum,
                  .lowestBound = lowestBound,
                  .open = count,
                  .visited = epoch_};
  if (count > 0)
    componentConstraints_.push_back(index);
}

/// Where the first of many constraints closes most variables, few others have any left: these need
/// not be put in order.
[[gnu::noinline]] void MaxMin::closeMost() {
  const Level first = levels_.findLowest();
  if (2 * work_[first.constraint].open > openVariables_ &&
      !closeBounded(first.constraint, first.level))
    closeAll(first.constraint, first.level);
  levels_.removeIf([this](const Level &level) { return work_[level.constraint].open == 0; });
}

/// Closes variables of the constraint that is exhausted first, or finds that it is not.
[[gnu::always_inline]] inline void MaxMin::closeLowest() {
  CHECK(!levels_.empty(), "a tight constraint for every open variable");
  const Level lowest = levels_.takeLowest();
  const Work &work = work_[lowest.constraint];
  if (work.open == 0)
    return;
  // Rounding may leave an estimate behind the level already reached; a rate of zero would never end.
  const double now = std::max(remainingLevel(lowest.constraint), lowest.level);
  const bool stale = now > lowest.level && !levels_.empty() && now > levels_.lowest();
  if (!stale && !closeBounded(lowest.constraint, now))
    closeAll(lowest.constraint, now);
  else if (work.open > 0)
    levels_.insert({std::max(remainingLevel(lowest.constraint), lowest.level), lowest.constraint});
}

/// Raises the level over the collected component until every variable is closed. A constraint's
/// level only grows while others close, so the heap's entries are lower estimates, corrected when
/// they come up.
void MaxMin::fill() {
  openVariables_ = componentSize_;
  levels_.clear();
  for (ConstraintIndex index : componentConstraints_)
    levels_.add({std::max(0.0, work_[index].remaining) / work_[index].share, index});
  makeUniform();
  if (openVariables_ == 0)
    return;
  if (levels_.areMany())
    closeMost();
  levels_.order();
  while (openVariables_ > 0)
    closeLowest();
}

/// The level at which a constraint would be exhausted.
double MaxMin::remainingLevel(ConstraintIndex index) {
  Work &work = work_[index];
  if (constraints_[index].fatPipe != None) {
    work.share = 0;
    for (const Member &member : members(constraints_[index])) {
      const Variable &variable = variables_[member.variable];
      if (variable.open)
        work.share = std::max(work.share, weight(member) * variable.inversePenalty);
    }
  }
  return work.share > 0 ? std::max(0.0, work.remaining) / work.share : 0;
}

/// Closes the open variables of a constraint whose bounds lie below \p level; whether there was
/// one.
bool MaxMin::closeBounded(ConstraintIndex index, double level) {
  const double limit = level * (1 - LevelTolerance);
  if (work_[index].lowestBound >= limit)
    return false;
  bool any = false;
  for (const Member &member : filledMembers(index)) {
    const Variable &variable = variables_[member.variable];
    if (!variable.open || variable.boundLevel >= limit)
      continue;
    close(member.variable, NoBottleneck, variable.bound);
    any = true;
  }
  return any;
}

void MaxMin::closeAll(ConstraintIndex index, double level) {
  setLevel(index, level);
  work_[index].open = 0;
  work_[index].visited = 0; // close() need not look after it any more
  for (const Member &member : filledMembers(index)) {
    const Variable &variable = variables_[member.variable];
    if (!variable.open)
      continue;
    double rate = level * variable.inversePenalty;
    if (rate <= variable.bound)
      close(member.variable, index, rate);
    else
      close(member.variable, NoBottleneck, variable.bound);
  }
}

void MaxMin::close(VariableIndex index, ConstraintIndex bottleneck, double rate) {
  Variable &variable = variables_[index];
  variable.open = false;
  --openVariables_;
  for (const Element &element : elements(variable)) {
    Work &work = work_[element.constraint];
    if (work.visited != epoch_)
      continue;
    --work.open;
    if (constraints_[element.constraint].fatPipe != None)
      continue;
    const double weight = this->weight(element);
    work.remaining -= weight * rate;
    work.share -= weight * variable.inversePenalty;
  }
  setBottleneck(index, bottleneck);
}

void MaxMin::setLevel(ConstraintIndex index, double level) {
  if (constraints_[index].level == level)
    return;
  constraints_[index].level = level;
  changedLevels_.push_back(index);
}

void MaxMin::setBottleneck(VariableIndex index, ConstraintIndex bottleneck) {
  Variable &variable = variables_[index];
  variable.open = false;
  if (variable.bottleneck == bottleneck)
    return;
  if (variable.bottleneck < Unsolved)
    --constraints_[variable.bottleneck].grouped;
  if (bottleneck != NoBottleneck)
    ++constraints_[bottleneck].grouped;
  variable.bottleneck = bottleneck;
  append(changed_, index);
}

} // namespace gnomon::solver
