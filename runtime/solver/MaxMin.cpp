// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Progressive filling over the components that changed.
#include "solver/MaxMin.h"

#include "support/Check.h"

#include <algorithm>
#include <bit>

namespace gnomon::solver {

namespace {
/// Demands are sums kept up to date by adding and subtracting: their rounding must not make a link
/// tight.
constexpr double DemandTolerance = 1e-9;
/// A bound that equals a constraint's level but for rounding is not below it: on a fat pipe that
/// would decide what the others get.
constexpr double LevelTolerance = 1e-12;
} // namespace

ConstraintIndex MaxMin::addConstraint(double capacity, Sharing sharing) {
  CHECK(capacity > 0 && capacity < Unbounded, "a finite capacity above zero");
  constraints_.push_back({.capacity = capacity, .sharing = sharing});
  return static_cast<ConstraintIndex>(constraints_.size() - 1);
}

void MaxMin::setCapacity(ConstraintIndex constraint, double capacity) {
  CHECK(capacity > 0 && capacity < Unbounded, "a finite capacity above zero");
  CHECK(constraints_[constraint].count == 0, "a constraint without variables");
  constraints_[constraint].capacity = capacity;
}

bool MaxMin::tight(const Constraint &constraint) const {
  double demand = constraint.sharing == Sharing::Shared
                      ? constraint.demand
                      : constraint.highestBound * constraint.highestShare;
  return demand > constraint.capacity * (1 + DemandTolerance);
}

void MaxMin::touch(ConstraintIndex index) {
  Constraint &constraint = constraints_[index];
  if (constraint.touched)
    return;
  constraint.touched = true;
  touched_.push_back(index);
}

uint32_t MaxMin::allocateElements(uint8_t sizeClass) {
  if (freeElements_.size() <= sizeClass)
    freeElements_.resize(sizeClass + size_t{1});
  std::vector<uint32_t> &free = freeElements_[sizeClass];
  if (!free.empty()) {
    uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  auto first = static_cast<uint32_t>(elements_.size());
  elements_.resize(elements_.size() + (size_t{1} << sizeClass));
  return first;
}

VariableIndex MaxMin::add(double penalty, double bound, std::span<const Usage> usages) {
  CHECK(penalty > 0 && bound > 0 && !usages.empty(), "a penalty, a bound and a use");
  for (const Usage &usage : usages)
    bound = std::min(bound, constraints_[usage.constraint].capacity / usage.weight);

  auto sizeClass = static_cast<uint8_t>(std::bit_width(usages.size() - 1));
  Variable variable{.penalty = penalty,
                    .inversePenalty = 1 / penalty,
                    .bound = bound,
                    .rate = Unsolved,
                    .firstElement = allocateElements(sizeClass),
                    .elementCount = static_cast<uint16_t>(usages.size()),
                    .sizeClass = sizeClass};
  VariableIndex index;
  if (freeVariables_.empty()) {
    index = static_cast<VariableIndex>(variables_.size());
    variables_.push_back(variable);
  } else {
    index = freeVariables_.back();
    freeVariables_.pop_back();
    variables_[index] = variable;
  }

  bool limited = false;
  uint32_t element = variable.firstElement;
  for (const Usage &usage : usages) {
    elements_[element] = {usage.constraint, index, None, None, usage.weight};
    link(element++);
    if (tight(constraints_[usage.constraint])) {
      touch(usage.constraint);
      limited = true;
    }
  }
  if (!limited)
    variables_[index].rate = bound;
  return index;
}

void MaxMin::remove(VariableIndex index) {
  Variable &variable = variables_[index];
  for (uint32_t i = 0; i < variable.elementCount; ++i) {
    uint32_t element = variable.firstElement + i;
    ConstraintIndex constraint = elements_[element].constraint;
    if (tight(constraints_[constraint]))
      touch(constraint);
    unlink(element);
  }
  freeElements_[variable.sizeClass].push_back(variable.firstElement);
  freeVariables_.push_back(index);
}

void MaxMin::link(uint32_t index) {
  Element &element = elements_[index];
  Constraint &constraint = constraints_[element.constraint];
  const Variable &variable = variables_[element.variable];
  element.next = constraint.first;
  if (constraint.first != None)
    elements_[constraint.first].previous = index;
  constraint.first = index;
  if (constraint.sharing == Sharing::FatPipe) {
    constraint.highestBound = std::max(constraint.highestBound, variable.bound * variable.penalty);
    constraint.highestShare =
        std::max(constraint.highestShare, element.weight * variable.inversePenalty);
  } else {
    constraint.demand += element.weight * variable.bound;
  }
  ++constraint.count;
}

void MaxMin::unlink(uint32_t index) {
  const Element &element = elements_[index];
  Constraint &constraint = constraints_[element.constraint];
  if (element.previous != None)
    elements_[element.previous].next = element.next;
  else
    constraint.first = element.next;
  if (element.next != None)
    elements_[element.next].previous = element.previous;
  constraint.demand -= element.weight * variables_[element.variable].bound;
  if (--constraint.count == 0) { // no residue of rounding outlives the last variable
    constraint.demand = 0;
    constraint.highestBound = 0;
    constraint.highestShare = 0;
  }
}

void MaxMin::solve() {
  changed_.clear();
  if (++epoch_ == 0) { // after 2^32 solves: forget all marks
    for (Variable &variable : variables_)
      variable.visited = 0;
    for (Constraint &constraint : constraints_)
      constraint.visited = 0;
    epoch_ = 1;
  }
  for (ConstraintIndex index : touched_) {
    constraints_[index].touched = false;
    for (uint32_t e = constraints_[index].first; e != None; e = elements_[e].next)
      if (variables_[elements_[e].variable].visited != epoch_)
        solveAround(elements_[e].variable);
  }
  touched_.clear();
}

/// Solves the component of \p variable.
void MaxMin::solveAround(VariableIndex variable) {
  componentVariables_.clear();
  componentConstraints_.clear();
  visit(variable);
  // The list grows while it is walked: breadth first.
  for (size_t i = 0; i < componentVariables_.size(); ++i) {
    const Variable &member = variables_[componentVariables_[i]];
    for (uint32_t e = 0; e < member.elementCount; ++e) {
      ConstraintIndex constraint = elements_[member.firstElement + e].constraint;
      if (constraints_[constraint].visited != epoch_ && tight(constraints_[constraint]))
        visitConstraint(constraint);
    }
  }
  if (componentConstraints_.empty())
    setRate(variable, variables_[variable].bound);
  else
    fill();
}

void MaxMin::visit(VariableIndex index) {
  variables_[index].visited = epoch_;
  variables_[index].open = true;
  componentVariables_.push_back(index);
}

void MaxMin::visitConstraint(ConstraintIndex index) {
  Constraint &constraint = constraints_[index];
  constraint.visited = epoch_;
  constraint.remaining = constraint.capacity;
  constraint.share = 0;
  constraint.open = constraint.count;
  for (uint32_t e = constraint.first; e != None; e = elements_[e].next) {
    const Element &element = elements_[e];
    const Variable &variable = variables_[element.variable];
    double share = element.weight * variable.inversePenalty;
    if (constraint.sharing == Sharing::Shared)
      constraint.share += share;
    else
      constraint.share = std::max(constraint.share, share);
    if (variable.visited != epoch_)
      visit(element.variable);
  }
  componentConstraints_.push_back(index);
}

/// Raises the level over the collected component until every variable is closed. A constraint's
/// level only grows while others close, so the heap's entries are lower estimates, corrected when
/// they come up.
void MaxMin::fill() {
  levels_.clear();
  for (ConstraintIndex index : componentConstraints_)
    levels_.push_back({constraints_[index].remaining / constraints_[index].share, index});
  std::make_heap(levels_.begin(), levels_.end());
  while (!levels_.empty()) {
    Level lowest = levels_.front();
    std::pop_heap(levels_.begin(), levels_.end());
    levels_.pop_back();
    Constraint &constraint = constraints_[lowest.constraint];
    if (constraint.open == 0)
      continue;
    // Rounding may leave an estimate behind the level already reached; a rate of zero would never
    // end.
    double now = std::max(level(constraint), lowest.level);
    bool stale = now > lowest.level && !levels_.empty() && now > levels_.front().level;
    if (stale || closeBounded(constraint, now)) {
      if (constraint.open == 0)
        continue;
      levels_.push_back({std::max(level(constraint), lowest.level), lowest.constraint});
      std::push_heap(levels_.begin(), levels_.end());
    } else {
      closeAll(constraint, now);
    }
  }
}

/// The level at which \p constraint would be exhausted.
double MaxMin::level(Constraint &constraint) {
  if (constraint.sharing == Sharing::FatPipe) {
    constraint.share = 0;
    for (uint32_t e = constraint.first; e != None; e = elements_[e].next) {
      const Variable &variable = variables_[elements_[e].variable];
      if (variable.open)
        constraint.share =
            std::max(constraint.share, elements_[e].weight * variable.inversePenalty);
    }
  }
  return constraint.share > 0 ? constraint.remaining / constraint.share : 0;
}

/// Closes the open variables of \p constraint whose bounds lie below \p level; whether there was
/// one.
bool MaxMin::closeBounded(Constraint &constraint, double level) {
  bool any = false;
  for (uint32_t e = constraint.first; e != None; e = elements_[e].next) {
    const Variable &variable = variables_[elements_[e].variable];
    if (!variable.open || variable.bound * variable.penalty >= level * (1 - LevelTolerance))
      continue;
    close(elements_[e].variable, variable.bound);
    any = true;
  }
  return any;
}

void MaxMin::closeAll(Constraint &constraint, double level) {
  for (uint32_t e = constraint.first; e != None; e = elements_[e].next) {
    const Variable &variable = variables_[elements_[e].variable];
    if (variable.open)
      close(elements_[e].variable, std::min(level * variable.inversePenalty, variable.bound));
  }
}

void MaxMin::close(VariableIndex index, double rate) {
  Variable &variable = variables_[index];
  variable.open = false;
  for (const Element &element : elements(variable)) {
    Constraint &constraint = constraints_[element.constraint];
    if (constraint.visited != epoch_)
      continue;
    --constraint.open;
    if (constraint.sharing == Sharing::FatPipe)
      continue;
    constraint.remaining = std::max(0.0, constraint.remaining - element.weight * rate);
    constraint.share -= element.weight * variable.inversePenalty;
  }
  setRate(index, rate);
}

void MaxMin::setRate(VariableIndex index, double rate) {
  Variable &variable = variables_[index];
  variable.open = false;
  if (variable.rate == rate)
    return;
  variable.rate = rate;
  changed_.push_back(index);
}

} // namespace gnomon::solver
