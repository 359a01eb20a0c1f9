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
/// higher. A smaller penalty thus gets a larger share: of one shared constraint,
///     x_v = C / (p_v × sum of w/p).
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
/// the last solve() touches, and of them only what lies above the first level that a change can
/// reach (freeze()).
///
/// Bottlenecks. The constraint that closed a variable is its bottleneck; the variables of one
/// bottleneck move together, x_v = level / p_v. So solve() reports the levels that changed and the
/// variables that changed their bottleneck, not every rate.
///
/// Uniform components. Where one shared constraint c is the first to be exhausted and closes all
/// its variables (many flows through a narrow backbone), its level is C_c / (sum of w/p), whatever
/// others do. It stays so until another constraint of its variables, or a bound, comes first: not
/// before one of them has a lower level, which for a constraint is at least C_d / (sum of w/p over
/// all its variables). The least of these is kept as the component's critical level. Below it, a
/// variable that comes or goes costs O(its uses) and a solve() O(1), however many variables there
/// are (Uniform.cpp). Variables that use other constraints of the component's, and not c, are its
/// *guests*: they are filled with what is left, which of each constraint is known as one sum
/// (Guests.cpp).
///
/// Alone. A variable all of whose constraints are unused has its bound, clipped to what they can
/// give, and is kept *alone*: of each constraint is only known whose it is, in a dense array beside
/// the constraints (users_), which are not looked at. It is entered among their members when another
/// variable comes to one of them, and not before; so a flow on an idle route costs two stores a
/// link. What is computed afterwards is the same, to the last bit.
///
/// Episodes. What went before in the same way, from the first variable on, is recalled and not solved
/// (Episodes.h). Variables are then known to nobody but their owners; where something else happens
/// than the last time, what was recalled of the present episode is done after all (Recalling.cpp).
///
/// Worked example: two variables, p = 1 and 3, without bounds on a link of 100: levels meet at
///     100 / (1/1 + 1/3) = 75, rates 75 and 25.
/// With a bound of 60 on the first, it stops there and the second gets 40.
#pragma once

#include "solver/BlockPool.h"
#include "solver/Episodes.h"
#include "solver/Levels.h"
#include "solver/Scratch.h"
#include "solver/Weights.h"
#include "support/Prefetch.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gnomon::solver {

using VariableIndex = uint32_t;

enum class Sharing : uint8_t { Shared, FatPipe };

/// A variable's use of a constraint.
struct Usage {
  ConstraintIndex constraint = 0;
  uint32_t weightNumber = Weights::Own; ///< its number in this solver's weights(), or Own
  double weight = 0;

  Usage() = default;
  Usage(ConstraintIndex constraint, double weight, uint32_t weightNumber = Weights::Own)
      : constraint(constraint), weightNumber(weightNumber), weight(weight) {}
};

/// \p bound, but no more than what each of \p usages can give; \p capacityOf: of a constraint.
template <class CapacityOf>
double clipped(double bound, std::span<const Usage> usages, CapacityOf capacityOf) {
  for (const Usage &usage : usages)
    if (bound * usage.weight > capacityOf(usage.constraint))
      bound = capacityOf(usage.constraint) / usage.weight;
  return bound;
}

/// What variables that are no more leave for the next solve().
struct Remains {
  std::vector<ConstraintIndex> touched =
      {};                 ///< the constraints that they left, in the order of leaving
  double lowestLevel = 0; ///< of those that left them
};

/// The bound of a variable that has none.
inline constexpr double Unbounded = __builtin_huge_val();

class MaxMin {
public:
  ConstraintIndex addConstraint(double capacity, Sharing sharing);
  /// Asks the processor for a constraint that a variable will soon use.
  void prefetch(ConstraintIndex constraint) const {
    fetchToWrite(&constraints_[constraint]);
    fetchToWrite(&users_[constraint]);
  }
  /// The same for a variable that will soon be removed.
  void prefetchVariable(VariableIndex variable) const { fetchToWrite(&variables_[variable]); }
  /// And for its uses, when it is at hand itself.
  void prefetchUses(VariableIndex variable) const {
    fetchToWrite(&elements_[variables_[variable].firstElement]);
  }
  /// And for the constraints, when the uses are at hand.
  void prefetchConstraints(VariableIndex variable) const {
    for (const Element &element : elements(variables_[variable]))
      prefetch(element.constraint);
  }
  /// No variable may use the constraint: who changes a capacity takes them out first.
  void setCapacity(ConstraintIndex constraint, double capacity);
  size_t constraintCount() const { return constraints_.size(); }
  /// The numbers of weights, for who adds many uses of the same ones.
  Weights &weights() { return weights_; }

  /// Adds a variable; the indices of removed variables are used again. \p usages names each
  /// constraint at most once and is not empty.
  VariableIndex add(double penalty, double bound, std::span<const Usage> usages) {
    return addClipped(
        penalty,
        clipped(bound, usages,
                [this](ConstraintIndex index) { return constraints_[index].capacity; }),
        usages);
  }
  /// The same, for who has clipped the bound to the capacities: it is the same for many.
  VariableIndex addClipped(double penalty, double bound, std::span<const Usage> usages,
                           uint64_t word = NoWord);
  /// The same, inline and without a check, of uses that have a size() and are numbered from 0 on. \p
  /// word stands for the penalty, the bound and the uses: what has the same word is equal in them.
  template <class Uses>
  VariableIndex addUses(double penalty, double bound, const Uses &uses, uint64_t word = NoWord);
  /// Of a variable whose like will hardly come again: no episode that has it is kept.
  static constexpr uint64_t NoWord = UINT64_MAX;
  void remove(VariableIndex variable);

  /// Whether the variables that \p bottleneck limits are \p count, are all of a uniform component,
  /// and cost less to remove together than one by one.
  bool isWhole(ConstraintIndex bottleneck, size_t count) const;
  /// Begins to remove all variables of such a component: what they share is set back once for each
  /// constraint, not once for each use. removeFromEmptied() must be called for each of them next, in
  /// the order of remove(), which leaves the same.
  void empty(ConstraintIndex bottleneck);
  void removeFromEmptied(VariableIndex variable);

  size_t variableCount() const { return variableCount_ - gone_; }
  bool idle() const { return variableCount() == 0; }
  // Variables that come together, have one bottleneck c and go together, all of them, can be passed
  // by: for who knows their level without the solver. What they would leave is left by passOver()
  // and pass().
  /// Whether \p count of them can: the solver is idle, keeps nothing of components that others
  /// limited, and they would be a uniform component.
  bool mayPass(ConstraintIndex bottleneck, size_t count) const;
  /// Whether \p count of them may be able to, whatever their bottleneck.
  bool mayPass(size_t count) const {
    return idle() && (count >= FewestVariables || uniforms_.size() > freeUniforms_.size());
  }
  /// Whether a uniform component of \p bottleneck is kept.
  bool isUniform(ConstraintIndex bottleneck) const {
    return constraints_[bottleneck].uniform != None;
  }
  /// Whether variables that together want \p demand of a shared constraint would make it tight.
  bool wouldBeTight(ConstraintIndex constraint, double demand) const;
  /// The component comes to own \p constraint. To be called for each tight constraint in the order of
  /// the variables and their uses: where the component is not kept yet, for those that are tight with
  /// all of them; otherwise for those that are tight when the variable comes.
  void passOver(ConstraintIndex bottleneck, ConstraintIndex constraint);
  /// \p count variables have been solved, with \p level, and have just been removed.
  void pass(ConstraintIndex bottleneck, size_t count, double level);
  /// Whether \p constraint belongs to the component of \p bottleneck.
  bool isOwned(ConstraintIndex constraint, ConstraintIndex bottleneck) const {
    return constraints_[constraint].owner == bottleneck;
  }
  // Variables that come together and go together, while there are no others, are solved and leave the
  // same each time, if those before them left the same. So they can be passed by, too, for who has
  // kept what it was.
  /// Whether nothing of earlier variables is left.
  bool isFresh() const { return idle() && !pending() && uniforms_.size() == freeUniforms_.size(); }
  /// Of variables that have been solved and removed, all of them; whether they leave no more than that.
  bool keepRemains(Remains &remains);
  /// Such variables have come, been solved with what was left before them, and have been removed.
  void pass(const Remains &remains);

  /// How many steps were recalled in episodes that were recalled to their ends (Episodes.h).
  uint64_t recalled() const { return recalled_; }

  /// Changes whenever a constraint may belong to its component no more.
  uint32_t dissolved() const { return dissolved_; }

  /// Whether rates may be out of date.
  bool pending() const {
    return mode_ == Mode::Recalled ? episodes_[moment_].waits : !touched_.empty();
  }
  /// Brings all rates up to date.
  void solve();
  /// Whether the rate of a variable is known (a new variable on a tight constraint waits for
  /// solve()).
  bool solved(VariableIndex variable) const { return variables_[variable].bottleneck != Unsolved; }
  /// The constraint that limits a variable, or NoBottleneck for one that has its bound.
  ConstraintIndex bottleneck(VariableIndex variable) const {
    return variables_[variable].bottleneck;
  }
  /// x p of all variables of a bottleneck.
  double level(ConstraintIndex bottleneck) const { return constraints_[bottleneck].level; }
  double inversePenalty(VariableIndex variable) const {
    return variables_[variable].inversePenalty;
  }
  double rate(VariableIndex variable) const { return rate(variables_[variable]); }
  double bound(VariableIndex variable) const { return variables_[variable].bound; }
  /// What a variable's owner keeps with it, in the rest of its cache line; the solver does not look at
  /// it. All zero when the variable is added.
  struct [[gnu::packed, gnu::aligned(4)]] Attached {
    uint32_t owner = 0;
    double date = 0;
    uint64_t event = 0;
  };
  Attached &attached(VariableIndex variable) { return variables_[variable].attached; }
  /// The variables that the last solve() gave another bottleneck (or none), in a fixed order.
  std::span<const VariableIndex> changed() const;
  /// The constraints whose levels the last solve() changed, in a fixed order.
  std::span<const ConstraintIndex> changedLevels() const;

  static constexpr ConstraintIndex NoBottleneck = UINT32_MAX;

private:
  static constexpr uint32_t None = UINT32_MAX;
  /// Smaller components are solved faster than they are looked after as uniform ones.
  static constexpr size_t FewestVariables = 16;
  /// A component that owns more constraints a variable is not emptied as a whole: most are unused.
  static constexpr size_t MostOwned = 8;
  static constexpr ConstraintIndex Unsolved = UINT32_MAX - 1; ///< in place of a bottleneck

  // There are as many of these as uses: half of what the solver keeps, were they twice as large. The
  // field that is written again and again, and the one that leads to the other, are whole words.
  static constexpr uint32_t IndexBits = 32 - Weights::Bits; ///< of constraints and variables
  struct Element {                                          ///< a use, with its variable
    ConstraintIndex constraint : IndexBits;
    uint32_t weight : Weights::Bits; ///< its number
    uint32_t position;               ///< among the constraint's members
  };
  struct Member { ///< the same use, with its constraint
    VariableIndex variable : IndexBits;
    uint32_t weight : Weights::Bits;
    uint32_t element;
  };
  static_assert(sizeof(Element) == 8 && sizeof(Member) == 8);
  struct alignas(64) Constraint { ///< a cache line
    double capacity;
    double level = 0; ///< when it last was a bottleneck
    // Side by side as a variable's bound and inverse penalty are: one instruction adds to both.
    double demand = 0; ///< sum of weight × bound; fat pipe: least capacity that limits nobody
    double share = 0;  ///< shared: sum of weight / penalty
    uint32_t firstMember = None;
    uint32_t count = 0;
    uint32_t grouped = 0;         ///< variables whose bottleneck it is
    ConstraintIndex owner = None; ///< the bottleneck of the uniform component it belongs to
    uint32_t uniform = None;      ///< in uniforms_, if it is such a bottleneck
    uint32_t fatPipe = None;      ///< in fatPipes_
    uint32_t room = 0;            ///< places of the members' block; 0: no block
    bool touched = false;
    bool gained = false; ///< a variable, while tight
    bool tight = false;  ///< whether its demand exceeds its capacity: kept, for it is asked often
  };
  struct Work { ///< of a constraint, while solving
    double remaining;
    double share;       ///< sum (fat pipe: maximum) of weight / penalty over open variables
    double lowestBound; ///< no bound × penalty of its variables is lower
    uint32_t open;
    uint32_t visited; ///< the solve that last collected it
  };
  struct FatPipe {           ///< since it was last unused
    double highestBound = 0; ///< of bound × penalty
    double highestShare = 0; ///< of weight / penalty
  };
  struct Uniform {
    double critical = 0;                ///< below this level the bottleneck is the only one
    uint32_t countWhenSummed = 0;       ///< members when the bottleneck's share was last summed up
    std::vector<ConstraintIndex> owned; ///< all their variables use the bottleneck
    std::vector<VariableIndex> added;   ///< on tight constraints, since the last solve()
    std::vector<ConstraintIndex> withGuests; ///< of `owned`: those that have a list of guests
    size_t guests = 0;                       ///< in these lists
  };
  /// Of a constraint that a uniform component owns.
  struct Guests {
    double share = 0;  ///< sum of weight / penalty
    double demand = 0; ///< sum of weight × bound
    bool tight = true; ///< whether what was left for them was less when their component changed
    std::vector<Member> members;
  };
  struct alignas(64) Variable {
    double bound;
    double inversePenalty;
    double boundLevel; ///< bound × penalty
    ConstraintIndex bottleneck;
    uint32_t firstElement;
    uint32_t visited;
    uint16_t elementCount;
    uint16_t guestOf; ///< constraints that have it in their lists of guests
    bool open;
    bool alone;         ///< no member of its constraints
    uint16_t inEpisode; ///< its place among those that have come in the episode
    Attached attached;
  };
  static_assert(sizeof(Variable) == 64);

  // Whose a constraint is (users_): nobody's, that of a variable that is alone, or that of its
  // members or of the component that owns it.
  static constexpr uint32_t Nobody = 0, Several = 1, FirstAlone = 2; ///< FirstAlone + its index

  static bool exceeded(double demand, double capacity);
  double rate(const Variable &variable) const;
  double level(const Variable &variable) const;
  double weight(const Member &member) const { return weights_.at(member.weight, member.element); }
  /// \p element is one of elements_.
  double weight(const Element &element) const {
    return weights_.at(element.weight, static_cast<uint32_t>(&element - &elements_[0]));
  }
  std::span<const Element> elements(const Variable &variable) const {
    return {&elements_[variable.firstElement], variable.elementCount};
  }
  std::span<const Member> members(const Constraint &constraint) const {
    if (constraint.count == 0)
      return {};
    return {&members_[constraint.firstMember], constraint.count};
  }

  /// The members whose levels filling finds: of a constraint that a uniform component owns, its
  /// guests.
  std::span<const Member> filledMembers(ConstraintIndex index) const {
    if (constraints_[index].owner == None)
      return members(constraints_[index]);
    if (guestsOf_[index] == None)
      return {};
    return guests_[guestsOf_[index]].members;
  }

  void touch(ConstraintIndex index);
  void touchItself(ConstraintIndex index) {
    if (!constraints_[index].touched)
      addTouched(index);
  }
  void addTouched(ConstraintIndex index);
  VariableIndex allocateVariable() {
    ++variableCount_;
    if (freeVariable_ == None) [[unlikely]]
      return newVariable();
    const VariableIndex index = freeVariable_;
    freeVariable_ = variables_[index].firstElement;
    if (freeVariable_ != None)
      fetchToWrite(&variables_[freeVariable_]); // the next one looks there
    return index;
  }
  VariableIndex newVariable();
  Constraint &link(VariableIndex index, const Variable &variable, uint32_t element);
  VariableIndex addAmongOthers(VariableIndex variable, bool ofAlone);
  void enter(VariableIndex variable);
  void joinOwners(VariableIndex variable, bool limited);
  void touchTight(const Variable &variable);
  void leave(VariableIndex variable);
  void leaveOne(const Variable &variable, const Element &element, Constraint &constraint,
                double itsLevel);
  void giveBack(VariableIndex variable);
  void solveNow();
  // Recalling.cpp.
  /// Whether the variable that has just been written may begin an episode.
  bool mayBegin(uint64_t word) const { return word != NoWord && variableCount() == 1; }
  void comeInEpisode(VariableIndex variable, uint64_t word);
  void goInEpisode(VariableIndex variable);
  void solveInEpisode();
  bool beginEpisode();
  bool recall(const Step &step);
  void learn(const Step &step, bool unsolved, uint32_t outcome);
  uint32_t keepOutcome();
  void tellOutcome(uint32_t outcome);
  void catchUp();
  void endEpisode();
  void leaveEpisode();
  void becomeMember(VariableIndex variable);
  void removeNow(VariableIndex variable);
  void joinAlone(std::span<const Element> uses);
  void makeRoom(Constraint &constraint);
  void addToFatPipe(Constraint &constraint, double boundLevel, double share);
  void unlink(const Variable &variable, const Element &element, Constraint &constraint);

  bool frozen(const Variable &variable) const { return level(variable) < frozenBelow_; }
  /// Whether a uniform component has settled its level.
  bool isSettled(const Variable &variable) const {
    return variable.bottleneck < Unsolved && constraints_[variable.bottleneck].uniform != None;
  }
  /// Whether a constraint couples the variables that filling looks at: of one that is owned, guests
  /// whose bounds together exceed what is left for them.
  bool couples(ConstraintIndex index) const {
    const Constraint &constraint = constraints_[index];
    return constraint.tight && (constraint.owner == None || exceededByGuests(index));
  }
  bool exceededByGuests(ConstraintIndex index) const;
  /// What the variables of a uniform component use of a constraint that it owns.
  double takenByOwner(ConstraintIndex index) const {
    const Constraint &constraint = constraints_[index];
    if (constraint.owner == None)
      return 0;
    const double guests = guestsOf_[index] == None ? 0 : guests_[guestsOf_[index]].share;
    return (constraint.share - guests) * constraints_[constraint.owner].level;
  }
  void freeze();
  void solveAround(VariableIndex variable);
  void visitConstraint(ConstraintIndex index);
  void fill();
  void closeMost();
  void closeLowest();
  void close(VariableIndex variable, ConstraintIndex bottleneck, double rate);
  bool closeBounded(ConstraintIndex index, double level);
  void closeAll(ConstraintIndex index, double level);
  double remainingLevel(ConstraintIndex index);
  void setLevel(ConstraintIndex index, double level);
  void setBottleneck(VariableIndex index, ConstraintIndex bottleneck);

  bool joinUniform(VariableIndex index, ConstraintIndex home);
  ConstraintIndex homeOf(const Variable &variable) const;
  ConstraintIndex homeAmong(std::span<const Element> uses) const;
  void dissolveOthers(const Variable &variable, ConstraintIndex home);
  void leaveUniform(VariableIndex index);
  void own(ConstraintIndex index, ConstraintIndex bottleneck);
  void disown(ConstraintIndex index);
  uint32_t newUniform();
  void makeUniform();
  ConstraintIndex lowestOfMost() const;
  double firstCritical(ConstraintIndex bottleneck) const;
  void claim(ConstraintIndex bottleneck);
  void dissolve(ConstraintIndex bottleneck);
  void solveUniform();
  bool solveUniform(ConstraintIndex bottleneck);
  void sumUp(ConstraintIndex bottleneck);
  double criticalLevel(ConstraintIndex bottleneck) const;
  bool holds(ConstraintIndex bottleneck);

  bool limits(ConstraintIndex bottleneck) const;
  void joinAsGuest(VariableIndex index);
  void leaveAsGuest(VariableIndex index);
  void addGuest(ConstraintIndex index, const Member &member);
  bool removeGuest(ConstraintIndex index, VariableIndex variable);
  void hostOthers(ConstraintIndex index);
  void sendAway(ConstraintIndex index);
  double firstLevelOf(ConstraintIndex index) const;
  void touchGuests(ConstraintIndex bottleneck);
  void adopt(ConstraintIndex index);
  void adoptTouched();

  std::vector<Constraint> constraints_;
  std::vector<uint32_t> users_; ///< of the constraints
  Scratch<Work> work_;          ///< of the constraints
  std::vector<FatPipe> fatPipes_;
  std::vector<Uniform> uniforms_;
  std::vector<uint32_t> freeUniforms_;
  uint32_t dissolved_ = 0;         ///< components so far, modulo 2^32
  std::vector<uint32_t> guestsOf_; ///< of the constraints: in guests_, or None
  std::vector<Guests> guests_;
  std::vector<uint32_t> freeGuests_;
  std::vector<Variable> variables_;
  VariableIndex freeVariable_ = None; ///< the last removed; its firstElement is the one before
  size_t variableCount_ = 0;
  Weights weights_;
  BlockPool<Element> elements_;
  BlockPool<Member> members_;

  std::vector<ConstraintIndex> touched_;
  double lowestRemoved_ = Unbounded; ///< level since the last solve()
  double frozenBelow_ = 0;           ///< variables with lower levels keep their rates
  std::vector<VariableIndex> changed_;
  std::vector<ConstraintIndex> changedLevels_;
  uint32_t epoch_ = 0;
  std::vector<VariableIndex> component_; ///< its first componentSize_
  size_t componentSize_ = 0;
  std::vector<ConstraintIndex> componentConstraints_;
  Levels levels_;
  size_t openVariables_ = 0; ///< of the component

  enum class Mode : uint8_t {
    Apart,    ///< from episodes: nothing is recalled or learned
    Recalled, ///< what happens happened before: all else but variables and levels knows nothing of it
    Learned, ///< what happens is kept
  };
  Mode mode_ = Mode::Apart;
  Episodes::Index moment_ = Episodes::Start;
  size_t gone_ = 0;                 ///< variables of a recalled episode that have gone
  std::vector<VariableIndex> come_; ///< the variables of the episode, in the order of their coming
  std::vector<Step> steps_;         ///< of a recalled episode
  std::vector<Episodes::Level> levelsTold_; ///< of the last solve, to be kept
  std::vector<Episodes::Limit> limitsTold_;
  int64_t gained_ = 0; ///< steps that were recalled, less those that were learned or caught up with
  uint64_t recalled_ = 0;
  uint32_t resting_ = 0; ///< episodes that pass before one is looked at again
  Episodes episodes_;
};

inline double MaxMin::rate(const Variable &variable) const {
  if (variable.bottleneck == NoBottleneck)
    return variable.bound;
  return variable.bottleneck == Unsolved
             ? -1
             : constraints_[variable.bottleneck].level * variable.inversePenalty;
}

template <class Uses>
[[gnu::always_inline]] inline VariableIndex MaxMin::addUses(double penalty, double bound,
                                                            const Uses &uses, uint64_t word) {
  const size_t count = uses.size();
  const VariableIndex index = allocateVariable();
  const uint32_t firstElement = elements_.allocate(static_cast<uint32_t>(count));
  Element *const element = &elements_[firstElement];
  uint32_t *const users = users_.data();
  uint32_t most = Nobody;
#pragma clang loop unroll(disable) // there are a handful
  for (size_t i = 0; i < count; ++i) {
    const Usage usage = uses[i];
    most = std::max(most, users[usage.constraint]);
    element[i] = {.constraint = usage.constraint,
                  .weight = weights_.enter(firstElement + static_cast<uint32_t>(i), usage.weight,
                                           usage.weightNumber),
                  .position = 0};
  }
  variables_[index] = {.bound = bound,
                       .inversePenalty = 1 / penalty,
                       .boundLevel = bound * penalty,
                       .bottleneck = NoBottleneck,
                       .firstElement = firstElement,
                       .visited = 0,
                       .elementCount = static_cast<uint16_t>(count),
                       .guestOf = 0,
                       .open = false,
                       .alone = most == Nobody,
                       .inEpisode = 0,
                       .attached = {}};
  if (mode_ != Mode::Apart || mayBegin(word)) {
    comeInEpisode(index, word);
    return index;
  }
  if (most != Nobody)
    return addAmongOthers(index, most >= FirstAlone);
#pragma clang loop unroll(disable)
  for (size_t i = 0; i < count; ++i)
    users[element[i].constraint] = FirstAlone + index;
  return index;
}

/// A uniform component is touched as a whole.
inline void MaxMin::touch(ConstraintIndex index) {
  if (constraints_[index].owner != None)
    index = constraints_[index].owner;
  touchItself(index);
}

/// The level at which a variable was closed.
inline double MaxMin::level(const Variable &variable) const {
  if (variable.bottleneck == NoBottleneck)
    return variable.boundLevel;
  return variable.bottleneck == Unsolved ? Unbounded : constraints_[variable.bottleneck].level;
}

} // namespace gnomon::solver
