// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: to remove all variables of a uniform component together leaves the same as to remove them
// one by one: rates, indices, and what a solve reports, to the last bit, also in all that follows.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

using namespace gnomon::solver;

namespace {

constexpr ConstraintIndex Hosts = 24;
constexpr ConstraintIndex Backbone = 2 * Hosts;

/// Hosts with a link of 100 up and one down, behind a backbone of 300, twice: in one system what
/// goes together is removed together, in the other one by one.
class Twins {
public:
  Twins() {
    for (MaxMin *system : {&together_, &oneByOne_})
      for (ConstraintIndex link = 0; link <= Backbone; ++link)
        system->addConstraint(link == Backbone ? 300 : 100, Sharing::Shared);
  }
  /// A flow over the backbone, whose acknowledgements take the way back.
  void add(ConstraintIndex from, ConstraintIndex to, double penalty, bool backbone) {
    std::vector<Usage> uses = {{from, 1}, {Hosts + to, 1}, {to, 0.05}, {Hosts + from, 0.05}};
    if (backbone)
      uses.push_back({Backbone, 1.05});
    flows_.push_back(together_.add(penalty, 100, uses));
    ASSERT_EQ(oneByOne_.add(penalty, 100, uses), flows_.back());
  }
  size_t flows() const { return flows_.size(); }
  void removeOne(size_t place) {
    together_.remove(flows_[place]);
    oneByOne_.remove(flows_[place]);
    flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  /// Removes all flows that the backbone limits; whether they were a whole component.
  bool removeLimited() {
    std::vector<VariableIndex> gone;
    std::erase_if(flows_, [&](VariableIndex flow) {
      const bool limited = together_.bottleneck(flow) == Backbone;
      if (limited)
        gone.push_back(flow);
      return limited;
    });
    const bool whole = !gone.empty() && together_.isWhole(Backbone, gone.size());
    if (whole)
      together_.empty(Backbone);
    for (const VariableIndex flow : gone) {
      whole ? together_.removeFromEmptied(flow) : together_.remove(flow);
      oneByOne_.remove(flow);
    }
    return whole;
  }
  void check() {
    ASSERT_EQ(together_.pending(), oneByOne_.pending());
    together_.solve();
    oneByOne_.solve();
    ASSERT_TRUE(std::ranges::equal(together_.changed(), oneByOne_.changed()));
    ASSERT_TRUE(std::ranges::equal(together_.changedLevels(), oneByOne_.changedLevels()));
    for (const VariableIndex flow : flows_) {
      ASSERT_EQ(together_.rate(flow), oneByOne_.rate(flow));
      ASSERT_EQ(together_.bottleneck(flow), oneByOne_.bottleneck(flow));
    }
  }

private:
  MaxMin together_, oneByOne_;
  std::vector<VariableIndex> flows_;
};

/// \p strangers: a few flows do not cross the backbone, or have a penalty of their own.
int removedTogether(unsigned seed, bool strangers) {
  std::mt19937 random(seed);
  Twins twins;
  int whole = 0;
  for (int step = 0; step < 400; ++step) {
    const size_t come = random() % 60;
    for (size_t i = 0; i < come && twins.flows() < 90; ++i) {
      const auto from = static_cast<ConstraintIndex>(random() % Hosts);
      const auto to = static_cast<ConstraintIndex>((from + 1 + random() % (Hosts - 1)) % Hosts);
      const bool other = strangers && random() % 160 == 0;
      twins.add(from, to, other && random() % 2 ? 3 : 2, !other || random() % 2);
    }
    if (random() % 8)
      twins.check();
    if (random() % 4 == 0)
      for (size_t i = random() % 8; i > 0 && twins.flows() > 0; --i)
        twins.removeOne(random() % twins.flows());
    if (random() % 3)
      whole += twins.removeLimited();
    if (random() % 4)
      twins.check();
    if (testing::Test::HasFatalFailure())
      return 0;
  }
  return whole;
}

} // namespace

TEST(Empty, LeavesTheSameAsOneByOne) {
  for (unsigned seed = 0; seed < 8; ++seed)
    EXPECT_GT(removedTogether(seed, false), 20) << "seed " << seed;
}

TEST(Empty, LeavesTheSameWithStrangersOnTheLinks) {
  int whole = 0;
  for (unsigned seed = 0; seed < 8; ++seed)
    whole += removedTogether(seed, true);
  EXPECT_GT(whole, 20);
}

TEST(Empty, IsNotForAPart) {
  // 40 flows through the backbone: one too few or too many is no whole.
  MaxMin system;
  for (ConstraintIndex link = 0; link <= Backbone; ++link)
    system.addConstraint(link == Backbone ? 300 : 100, Sharing::Shared);
  const auto add = [&](ConstraintIndex from, ConstraintIndex to) {
    const Usage uses[] = {{from, 1}, {Hosts + to, 1}, {Backbone, 1}};
    return system.add(1, 100, uses);
  };
  for (ConstraintIndex i = 0; i < 40; ++i)
    add(i % Hosts, (i + 1 + i / Hosts) % Hosts);
  EXPECT_FALSE(system.isWhole(Backbone, 40)); // not solved: nobody has a bottleneck yet
  system.solve();
  EXPECT_TRUE(system.isWhole(Backbone, 40));
  EXPECT_FALSE(system.isWhole(Backbone, 39));
  add(0, 5); // is there, and not solved
  EXPECT_FALSE(system.isWhole(Backbone, 40));
  EXPECT_FALSE(system.isWhole(Backbone, 41));
}
