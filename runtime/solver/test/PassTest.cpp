// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: variables that come together, have one bottleneck and go together leave the same when the
// solver is only told of them: the rates of all that follow are equal to the last bit.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

using namespace gnomon::solver;

namespace {

constexpr ConstraintIndex Hosts = 24;
constexpr ConstraintIndex Backbone = 2 * Hosts;
constexpr double Penalty = 2.3, Capacity = 300;

/// Hosts with a link of 100 up and one down, behind a backbone, twice: one system gets all flows,
/// the other is told of waves.
class Twins {
public:
  Twins() {
    for (MaxMin *system : {&whole_, &told_})
      for (ConstraintIndex link = 0; link <= Backbone; ++link)
        system->addConstraint(link == Backbone ? Capacity : 100, Sharing::Shared);
  }
  size_t flows() const { return flows_.size(); }
  void add(ConstraintIndex from, ConstraintIndex to, double penalty) {
    flows_.emplace_back(addTo(whole_, from, to, penalty), addTo(told_, from, to, penalty));
  }
  void removeOne(size_t place) {
    whole_.remove(flows_[place].first);
    told_.remove(flows_[place].second);
    flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  /// The first \p count hosts send to the one \p shift further, and are done at one date.
  void pass(ConstraintIndex count, ConstraintIndex shift) {
    std::vector<VariableIndex> wave;
    double share = 0;
    for (ConstraintIndex host = 0; host < count; ++host) {
      wave.push_back(addTo(whole_, host, (host + shift) % Hosts, Penalty));
      share += 1.05 * (1 / Penalty);
    }
    whole_.solve();
    const double level = Capacity / share;
    for (const VariableIndex flow : wave) {
      ASSERT_EQ(whole_.bottleneck(flow), Backbone);
      ASSERT_EQ(whole_.rate(flow), level * (1 / Penalty));
    }
    const bool together = whole_.isWhole(Backbone, wave.size());
    if (together)
      whole_.empty(Backbone);
    for (const VariableIndex flow : wave)
      together ? whole_.removeFromEmptied(flow) : whole_.remove(flow);
    tell(count, shift);
    told_.pass(Backbone, count, level);
    ASSERT_TRUE(told_.pending());
  }
  void check() {
    whole_.solve();
    told_.solve();
    for (const auto &[one, other] : flows_) {
      ASSERT_EQ(whole_.rate(one), told_.rate(other));
      ASSERT_EQ(whole_.bottleneck(one), told_.bottleneck(other));
    }
  }
  bool mayPass(size_t count) const { return told_.mayPass(Backbone, count); }

private:
  using Uses = std::array<Usage, 5>;
  static Uses usesOf(ConstraintIndex from, ConstraintIndex to) {
    return {{{from, 1}, {Backbone, 1.05}, {Hosts + to, 1}, {to, 0.05}, {Hosts + from, 0.05}}};
  }
  /// Which links are tight: with all flows, or with those that have come.
  void tell(ConstraintIndex count, ConstraintIndex shift) {
    const bool atOnce = !told_.isUniform(Backbone);
    std::vector<double> demand(Backbone + 1);
    const auto want = [&](const Uses &uses) {
      for (const Usage &use : uses)
        demand[use.constraint] += use.weight * 100;
    };
    for (ConstraintIndex host = 0; atOnce && host < count; ++host)
      want(usesOf(host, (host + shift) % Hosts));
    for (ConstraintIndex host = 0; host < count; ++host) {
      const Uses uses = usesOf(host, (host + shift) % Hosts);
      if (!atOnce)
        want(uses);
      for (const Usage &use : uses)
        if (use.constraint == Backbone ||
            told_.wouldBeTight(use.constraint, demand[use.constraint]))
          told_.passOver(Backbone, use.constraint);
    }
  }
  static VariableIndex addTo(MaxMin &system, ConstraintIndex from, ConstraintIndex to,
                             double penalty) {
    return system.add(penalty, 100, usesOf(from, to));
  }

  MaxMin whole_, told_;
  std::vector<std::pair<VariableIndex, VariableIndex>> flows_;
};

/// How often something passed.
int play(unsigned seed) {
  std::mt19937 random(seed);
  Twins twins;
  int passed = 0;
  for (int step = 0; step < 300; ++step) {
    // At least 4, so that the backbone is tighter than a host's links.
    const ConstraintIndex count = 4 + random() % (Hosts - 3);
    if (twins.flows() == 0 && twins.mayPass(count) && random() % 4) {
      twins.pass(count, 1 + random() % (Hosts - 1));
      ++passed;
    }
    for (size_t come = random() % 30; come > 0; --come) {
      const auto from = static_cast<ConstraintIndex>(random() % Hosts);
      const auto to = static_cast<ConstraintIndex>((from + 1 + random() % (Hosts - 1)) % Hosts);
      twins.add(random() % 3 ? from : 0, to == 0 ? 1 : to, random() % 5 ? Penalty : 0.7);
    }
    if (random() % 4)
      twins.check();
    while (twins.flows() > 0 && random() % 20)
      twins.removeOne(random() % twins.flows());
    if (random() % 3)
      while (twins.flows() > 0)
        twins.removeOne(0);
    twins.check();
    if (testing::Test::HasFatalFailure())
      return 0;
  }
  return passed;
}

} // namespace

TEST(Pass, LeavesTheSameAsTheVariablesWould) {
  int passed = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    passed += play(seed);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
  }
  EXPECT_GT(passed, 200);
}

TEST(Pass, NotBesideOthers) {
  Twins twins;
  EXPECT_TRUE(twins.mayPass(16));
  EXPECT_FALSE(twins.mayPass(15)); // these would be no uniform component
  twins.add(0, 1, 1);
  EXPECT_FALSE(twins.mayPass(16));
  twins.removeOne(0);
  EXPECT_TRUE(twins.mayPass(16));
  twins.pass(16, 1);
  EXPECT_TRUE(twins.mayPass(15));
}
