// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variables that pass the solver by (MaxMin::pass()), while nobody else is there: those of which it
/// is known what they left the last time, and those that all have one bottleneck. What the latter leave is what a uniform component keeps when all its variables are
/// removed (Uniform.cpp): the constraints that it owns, in the order in which it came to own them,
/// for later solves go through them in it; how many variables it had; and that it has changed. Its
/// critical level is only an estimate, and 0 is one.
#include "solver/MaxMin.h"

#include "support/Check.h"

#include <algorithm>

namespace gnomon::solver {

bool MaxMin::mayPass(ConstraintIndex index, size_t count) const {
  const bool kept = isUniform(index);
  return idle() && uniforms_.size() - freeUniforms_.size() == (kept ? 1U : 0U) &&
         (kept || count >= FewestVariables);
}

bool MaxMin::wouldBeTight(ConstraintIndex index, double demand) const {
  return exceeded(demand, constraints_[index].capacity);
}

void MaxMin::passOver(ConstraintIndex bottleneck, ConstraintIndex index) {
  if (!isUniform(bottleneck)) {
    const uint32_t uniform = newUniform();
    constraints_[bottleneck].uniform = uniform;
    uniforms_[uniform].critical = 0;
    uniforms_[uniform].countWhenSummed = 0;
  }
  if (constraints_[index].owner != None)
    return;
  own(index, bottleneck);
  users_[index] = Several;
}

void MaxMin::pass(ConstraintIndex index, size_t count, double itsLevel) {
  CHECK(mayPass(index, count) && isUniform(index), "a component without variables");
  Constraint &bottleneck = constraints_[index];
  Uniform &uniform = uniforms_[bottleneck.uniform];
  bottleneck.level = itsLevel;
  uniform.critical = 0;
  const auto variables = static_cast<uint32_t>(count);
  if (variables < uniform.countWhenSummed / 2) // they would have been summed up anew
    uniform.countWhenSummed = variables;
  uniform.countWhenSummed = std::max(uniform.countWhenSummed, variables);
  if (uniform.owned.size() <= MostOwned * count) // they would have been removed as a whole
    lowestRemoved_ = std::min(lowestRemoved_, itsLevel);
  touch(index);
}

bool MaxMin::keepRemains(Remains &remains) {
  catchUp();
  CHECK(idle(), "no variables");
  if (uniforms_.size() > freeUniforms_.size())
    return false;
  remains = {touched_, lowestRemoved_};
  return true;
}

void MaxMin::pass(const Remains &remains) {
  CHECK(idle() && uniforms_.size() == freeUniforms_.size(), "no variables, and no components");
  for (const ConstraintIndex index : touched_)
    constraints_[index].touched = false;
  touched_.clear();
  for (const ConstraintIndex index : remains.touched)
    touchItself(index);
  lowestRemoved_ = remains.lowestLevel;
}

} // namespace gnomon::solver
