// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Episodes (Episodes.h) that are recalled and learned.
///
/// What holds while an episode is recalled: constraints, their members and components are as they
/// were at its beginning, as if nothing had come; variables have their bottlenecks, and constraints
/// the levels of these, as they would have them. A variable that has gone keeps its place until the
/// end, so that all steps can be done after all (catchUp()).
///
/// An episode that has a uniform component is not known beyond the step that made it: such a component
/// may stay when all its variables have gone, and costs little to solve.
#include "solver/MaxMin.h"

#include "support/Append.h"
#include "support/Check.h"

#include <algorithm>

namespace gnomon::solver {

namespace {
/// Where steps do not come again, it is not tried again for some time.
constexpr int64_t MostLost = int64_t{1} << 13;
constexpr uint32_t EpisodesOfRest = 1U << 11;
} // namespace

/// A variable that has been written and is in no list yet.
[[gnu::noinline]] void MaxMin::comeInEpisode(VariableIndex index, uint64_t word) {
  const Step step{word, Step::Kind::Come};
  if (word == NoWord || (mode_ == Mode::Apart && !beginEpisode())) {
    catchUp();
    leaveEpisode();
    return becomeMember(index);
  }
  variables_[index].inEpisode = static_cast<uint16_t>(come_.size());
  if (mode_ == Mode::Recalled && recall(step)) {
    append(come_, index);
    if (episodes_[moment_].unsolved)
      variables_[index].bottleneck = Unsolved;
    return;
  }
  append(come_, index);
  becomeMember(index);
  if (mode_ == Mode::Learned)
    learn(step, variables_[index].bottleneck == Unsolved, 0);
}

/// A variable goes.
[[gnu::noinline]] void MaxMin::goInEpisode(VariableIndex index) {
  const Step step{variables_[index].inEpisode, Step::Kind::Go};
  if (mode_ == Mode::Recalled && recall(step)) {
    ++gone_;
    if (episodes_[moment_].ends)
      endEpisode();
    return;
  }
  removeNow(index);
  giveBack(index);
  if (mode_ == Mode::Learned)
    learn(step, false, 0);
}

[[gnu::noinline]] void MaxMin::solveInEpisode() {
  const Step step{0, Step::Kind::Solve};
  if (mode_ == Mode::Recalled && recall(step)) {
    tellOutcome(episodes_[moment_].outcome);
    if (episodes_[moment_].ends)
      endEpisode();
    return;
  }
  solveNow();
  if (mode_ == Mode::Learned)
    learn(step, false, keepOutcome());
}

/// Whether the variable that has just been written may be the first of an episode.
bool MaxMin::beginEpisode() {
  if (!touched_.empty() || uniforms_.size() != freeUniforms_.size())
    return false;
  if (resting_ > 0) {
    --resting_;
    return false;
  }
  if (gained_ < -MostLost) {
    gained_ = 0;
    resting_ = EpisodesOfRest;
    return false;
  }
  if (episodes_.isEmpty() || episodes_.isFull())
    episodes_.forget();
  mode_ = Mode::Recalled;
  moment_ = Episodes::Start;
  return true;
}

/// Whether \p step came next in an earlier episode. Otherwise all steps before it are done after all,
/// and from here on the episode is learned.
bool MaxMin::recall(const Step &step) {
  const Episodes::Index next = episodes_.next(moment_, step);
  if (next == Episodes::None) {
    catchUp();
    return false;
  }
  moment_ = next;
  append(steps_, step);
  return true;
}

/// The solver has done \p step; what it says now is kept.
void MaxMin::learn(const Step &step, bool unsolved, uint32_t outcome) {
  --gained_;
  const bool ends = isFresh();
  const bool goesOn = uniforms_.size() == freeUniforms_.size() && come_.size() < Episodes::MostCome;
  if (goesOn)
    moment_ = episodes_.add(moment_, {.step = step,
                                      .outcome = outcome,
                                      .waits = !touched_.empty(),
                                      .unsolved = unsolved,
                                      .ends = ends});
  if (!goesOn || ends || moment_ == Episodes::None)
    leaveEpisode();
}

/// What follows is neither recalled nor learned.
void MaxMin::leaveEpisode() {
  mode_ = Mode::Apart;
  come_.clear();
}

uint32_t MaxMin::keepOutcome() {
  levelsTold_.clear();
  limitsTold_.clear();
  for (const ConstraintIndex index : changedLevels_)
    levelsTold_.push_back({constraints_[index].level, index});
  for (const VariableIndex index : changed_) {
    const Variable &variable = variables_[index];
    limitsTold_.push_back({variable.inEpisode, variable.bottleneck});
    // Its level may be as it was, from before the episode.
    if (variable.bottleneck < Unsolved &&
        (levelsTold_.empty() || levelsTold_.back().constraint != variable.bottleneck))
      levelsTold_.push_back({constraints_[variable.bottleneck].level, variable.bottleneck});
  }
  gained_ -= static_cast<int64_t>(limitsTold_.size()); // each takes about as long as a step
  return episodes_.addOutcome(levelsTold_, limitsTold_);
}

/// As solveNow() would.
void MaxMin::tellOutcome(uint32_t outcome) {
  changed_.clear();
  changedLevels_.clear();
  for (const Episodes::Level &level : episodes_.levels(outcome))
    setLevel(level.constraint, level.level);
  for (const Episodes::Limit &limit : episodes_.limits(outcome)) {
    const VariableIndex index = come_[limit.variable];
    variables_[index].bottleneck = limit.bottleneck;
    append(changed_, index);
  }
}

/// Does what was recalled of the present episode, which is learned from here on.
[[gnu::noinline]] void MaxMin::catchUp() {
  if (mode_ != Mode::Recalled)
    return;
  mode_ = Mode::Learned;
  gained_ -= static_cast<int64_t>(steps_.size());
  for (const VariableIndex index : come_)
    variables_[index].bottleneck = NoBottleneck;
  size_t come = 0;
  for (const Step &step : steps_) {
    if (step.kind == Step::Kind::Come)
      becomeMember(come_[come++]);
    else if (step.kind == Step::Kind::Go)
      removeNow(come_[step.what]);
    else
      solveNow();
  }
  for (const Step &step : steps_)
    if (step.kind == Step::Kind::Go)
      giveBack(come_[step.what]);
  gone_ = 0;
  steps_.clear();
}

/// Nothing is left of a recalled episode.
void MaxMin::endEpisode() {
  constexpr int64_t MostGained = MostLost;
  gained_ = std::min(gained_ + static_cast<int64_t>(steps_.size()), MostGained);
  recalled_ += steps_.size();
  for (const VariableIndex index : come_)
    giveBack(index);
  gone_ = 0;
  steps_.clear();
  leaveEpisode();
}

/// The variable is entered among the users of its constraints.
void MaxMin::becomeMember(VariableIndex index) {
  Variable &variable = variables_[index];
  uint32_t most = Nobody;
  for (const Element &element : elements(variable))
    most = std::max(most, users_[element.constraint]);
  variable.alone = most == Nobody;
  if (most != Nobody)
    addAmongOthers(index, most >= FirstAlone);
  else
    for (const Element &element : elements(variable))
      users_[element.constraint] = FirstAlone + index;
}

} // namespace gnomon::solver
