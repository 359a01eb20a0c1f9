// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Weighted max-min fair sharing of constraints among variables, solved incrementally.
///
/// The problem. A variable v has a penalty p_v > 0, a bound b_v > 0 and uses constraint c with
/// weight w_cv > 0. Its rate x_v is to be as large as it can be while
///     x_v <= b_v,
///     sum over v of w_cv x_v <= C_c    (a shared constraint of capacity C_c),
///     max over v of w_cv x_v <= C_c    (a fat pipe),
/// and max-min fair in p_v x_v, the level: no level can grow without shrinking one that is not
/// higher. A smaller penalty thus gets a larger share (of one shared constraint, x_v = C / (p_v sum
/// of w/p)).
///
/// The algorithm is progressive filling (Bertsekas & Gallager, Data Networks, 6.5.2): all levels
/// rise together; the constraint that is exhausted first, at level remaining / (sum of w/p over its
/// open variables), closes its variables there, except those whose bound comes first. On a fat pipe
/// the level is C / max(w/p), and it closes all its variables there: that is SimGrid's rule (SMPI's
/// numbers depend on it), under which flows of unequal penalty on a fat pipe influence each other.
/// It costs O(E log n) for n constraints and E uses.
///
/// What is solved. The demand of a shared constraint is the sum of w_cv b_v. While it does not
/// exceed the capacity, the constraint cannot limit anybody (it is slack) and couples nobody: such
/// a constraint is left out of every system. (A fat pipe is slack while its level C / max(w/p) lies
/// above all b_v p_v.) A variable on slack constraints only gets its bound at once. The others are
/// joined into components by tight constraints; solve() visits only components that a change since
/// the last solve() touches.
///
/// Worked example: two variables, p = 1 and 3, without bounds on a link of 100: levels meet at 100
/// / (1/1 + 1/3) = 75, rates 75 and 25. With a bound of 60 on the first, it stops there and the
/// second gets 40.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::solver {

using ConstraintIndex = uint32_t;
using VariableIndex = uint32_t;

enum class Sharing : uint8_t { Shared, FatPipe };

/// A variable's use of a constraint.
struct Usage {
  ConstraintIndex constraint;
  double weight;
};

/// The bound of a variable that has none.
inline constexpr double Unbounded = __builtin_huge_val();

class MaxMin {
public:
  ConstraintIndex addConstraint(double capacity, Sharing sharing);
  /// No variable may use the constraint: who changes a capacity takes them out first.
  void setCapacity(ConstraintIndex constraint, double capacity);
  size_t constraintCount() const { return constraints_.size(); }

  /// Adds a variable; the indices of removed variables are used again. \p usages names each
  /// constraint at most once and is not empty.
  VariableIndex add(double penalty, double bound, std::span<const Usage> usages);
  void remove(VariableIndex variable);

  /// Whether rates may be out of date.
  bool pending() const { return !touched_.empty(); }
  /// Brings all rates up to date.
  void solve();
  /// Whether the rate of a variable is known (a new variable on a tight constraint waits for
  /// solve()).
  bool solved(VariableIndex variable) const { return variables_[variable].rate >= 0; }
  double rate(VariableIndex variable) const { return variables_[variable].rate; }
  /// The variables whose rates the last solve() changed, in a fixed order.
  std::span<const VariableIndex> changed() const { return changed_; }

private:
  static constexpr uint32_t None = UINT32_MAX;
  static constexpr double Unsolved = -1;

  struct Element { ///< one use, linked into its constraint's list
    ConstraintIndex constraint;
    VariableIndex variable;
    uint32_t previous;
    uint32_t next;
    double weight;
  };
  struct Constraint {
    double capacity;
    double demand = 0; ///< shared: sum of weight × bound
    uint32_t first = None;
    uint32_t count = 0;
    Sharing sharing;
    bool touched = false;
    double highestBound = 0; ///< fat pipe: of bound × penalty, since it was last unused
    double highestShare = 0; ///< fat pipe: of weight / penalty, since it was last unused
    uint32_t visited = 0;    ///< the solve that last collected it
    uint32_t open = 0;       ///< the rest: while solving
    double remaining = 0;
    double share = 0; ///< sum (fat pipe: maximum) of weight / penalty over open variables
  };
  struct Variable {
    double penalty;
    double inversePenalty;
    double bound;
    double rate;
    uint32_t firstElement;
    uint16_t elementCount;
    uint8_t sizeClass;
    bool open = false;
    uint32_t visited = 0;
  };
  struct Level {
    double level;
    ConstraintIndex constraint;
    bool operator<(const Level &other) const { // std::push_heap keeps the greatest in front
      return level != other.level ? level > other.level : constraint > other.constraint;
    }
  };

  bool tight(const Constraint &constraint) const;
  void touch(ConstraintIndex index);
  void link(uint32_t element);
  void unlink(uint32_t element);
  uint32_t allocateElements(uint8_t sizeClass);
  std::span<Element> elements(const Variable &variable) {
    return {elements_.data() + variable.firstElement, variable.elementCount};
  }

  void solveAround(VariableIndex variable);
  bool collect(VariableIndex variable);
  void visit(VariableIndex variable);
  void visitConstraint(ConstraintIndex index);
  void fill();
  void close(VariableIndex variable, double rate);
  bool closeBounded(Constraint &constraint, double level);
  void closeAll(Constraint &constraint, double level);
  double level(Constraint &constraint);
  void setRate(VariableIndex index, double rate);

  std::vector<Constraint> constraints_;
  std::vector<Variable> variables_;
  std::vector<Element> elements_;
  std::vector<VariableIndex> freeVariables_;
  std::vector<std::vector<uint32_t>> freeElements_; ///< by size class (powers of two)
  std::vector<ConstraintIndex> touched_;
  std::vector<VariableIndex> changed_;
  uint32_t epoch_ = 0;
  std::vector<VariableIndex> componentVariables_;
  std::vector<ConstraintIndex> componentConstraints_;
  std::vector<Level> levels_;
};

} // namespace gnomon::solver
