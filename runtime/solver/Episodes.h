// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What happened in earlier episodes of a solver, and what it said. An episode begins with the first
/// variable that comes while nothing of earlier ones is left, and ends when nothing is left again. In
/// it variables come and go and are solved, one *step* after the other. All that the solver says is
/// a function of the steps since the beginning, to the last bit: it knows no time. So an episode that
/// begins as an earlier one did needs no solver, as long as it goes on as that one did.
///
/// Episodes that begin alike share their beginnings: they are the ways down one tree, whose nodes are
/// *moments*, each reached by one step from the one before.
///
/// Worked example: A comes, B comes, solve, A goes, solve, B goes, solve. The next time A and B are
/// together for longer or shorter, but the seven steps are the same, and so are all rates.
///
/// Cost: a step O(1), some 50 bytes for each moment and at most 16 for each rate or level that is new
/// there. When there are MostMoments, or MostParts of the latter, all are forgotten.
#pragma once

#include "solver/Levels.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::solver {

/// What happens to the variables of an episode.
struct Step {
  enum class Kind : uint32_t { None, Come, Go, Solve };
  /// Come: the caller's word for the variable's penalty, bound and uses; Go: which variable of the
  /// episode, in the order of their coming.
  uint64_t what = 0;
  Kind kind = Kind::None;
  bool operator==(const Step &) const = default;
};

class Episodes {
public:
  using Index = uint32_t;
  static constexpr Index Start = 0; ///< nothing has come yet
  static constexpr Index None = 0;  ///< no step leads to the start
  static constexpr size_t MostMoments = size_t{1} << 16;
  static constexpr size_t MostParts = 4 * MostMoments; ///< rates and levels
  static constexpr size_t MostCome = 500;              ///< variables in one episode

  /// The level of a constraint.
  struct Level {
    double level;
    ConstraintIndex constraint;
  };
  /// What limits a variable of the episode from now on.
  struct Limit {
    uint32_t variable;
    ConstraintIndex bottleneck;
  };
  struct Moment {
    Step step;             ///< that led here
    Index latest = None;   ///< where the last step from here led to
    uint32_t outcome = 0;  ///< of Kind::Solve: its place
    bool waits = false;    ///< whether rates may be out of date
    bool unsolved = false; ///< of Kind::Come: whether the variable waits for the next solve
    bool ends = false;     ///< whether nothing is left
  };

  const Moment &operator[](Index moment) const { return moments_[moment]; }
  bool isEmpty() const { return moments_.empty(); }

  /// Where \p step leads from \p moment; None: not known.
  Index next(Index moment, const Step &step) {
    const Index latest = moments_[moment].latest;
    return moments_[latest].step == step ? latest : look(moment, step);
  }
  /// Adds such a moment; None: there is no room for it.
  Index add(Index moment, const Moment &next);
  /// What a solve is to be known by.
  uint32_t addOutcome(std::span<const Level> levels, std::span<const Limit> limits);
  std::span<const Level> levels(uint32_t outcome) const {
    return {levels_.data() + outcomes_[outcome].level,
            levels_.data() + outcomes_[outcome + 1].level};
  }
  std::span<const Limit> limits(uint32_t outcome) const {
    return {limits_.data() + outcomes_[outcome].limit,
            limits_.data() + outcomes_[outcome + 1].limit};
  }
  bool isFull() const {
    return moments_.size() >= MostMoments || levels_.size() + limits_.size() >= MostParts;
  }
  /// Forgets all moments but the start.
  void forget();

private:
  struct Place { ///< where the parts of an outcome begin
    uint32_t level = 0, limit = 0;
  };
  Index look(Index moment, const Step &step);
  size_t placeOf(Index moment, const Step &step) const;
  void enlarge();

  std::vector<Moment> moments_;
  std::vector<Index> before_; ///< of the moments: where their steps come from
  std::vector<Index> table_;  ///< of moments by hash; a power of two, at most half full
  std::vector<Place> outcomes_;
  std::vector<Level> levels_;
  std::vector<Limit> limits_;
};

} // namespace gnomon::solver
