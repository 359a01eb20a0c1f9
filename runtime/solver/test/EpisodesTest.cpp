// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what variables come and go as they did before is recalled, not solved, and all that the
// solver says is then the same to the last bit and in the same order, wherever an episode goes on
// otherwise than before.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace gnomon::solver;

namespace {

constexpr ConstraintIndex Hosts = 12, Backbone = 2 * Hosts, Pipe = Backbone + 1;

/// Twice the same links; one system is told by what words it may know a variable again.
class Twins {
public:
  Twins(double backbone) {
    for (MaxMin *system : {&solving_, &recalling_}) {
      for (ConstraintIndex link = 0; link < Backbone; ++link)
        system->addConstraint(100, Sharing::Shared);
      system->addConstraint(backbone, Sharing::Shared);
      system->addConstraint(80, Sharing::FatPipe);
    }
  }
  size_t flows() const { return flows_.size(); }
  bool idle() const { return solving_.isFresh(); }

  void add(uint32_t from, uint32_t to) {
    std::vector<Usage> uses = {{from, 1}, {Backbone, 1.05}, {Hosts + to, 1}};
    if (from != to)
      uses.push_back({to, 0.05});
    if (from == 0)
      uses.push_back({Pipe, 1});
    const double penalty = 1 + 0.37 * ((from + to) % 3), bound = from % 2 ? 100 : 64;
    const uint64_t word = uint64_t{from} << 32 | to;
    const auto one = solving_.add(penalty, bound, uses);
    const auto other = recalling_.addClipped(penalty, solving_.bound(one), uses, word);
    solving_.attached(one).owner = recalling_.attached(other).owner = owners_++;
    flows_.emplace_back(one, other);
    ASSERT_EQ(solving_.solved(one), recalling_.solved(other));
    check();
  }
  void remove(size_t place) {
    solving_.remove(flows_[place].first);
    recalling_.remove(flows_[place].second);
    flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(place));
    check();
  }
  void solve() {
    solving_.solve();
    recalling_.solve();
    ASSERT_EQ(owners(solving_), owners(recalling_));
    for (const ConstraintIndex index : solving_.changedLevels())
      ASSERT_EQ(solving_.level(index), recalling_.level(index));
    check();
  }
  /// An end as a known wave is learned from: both are asked what is left.
  void keepRemains() {
    Remains one, other;
    ASSERT_EQ(solving_.keepRemains(one), recalling_.keepRemains(other));
    ASSERT_EQ(one.touched, other.touched);
    ASSERT_EQ(one.lowestLevel, other.lowestLevel);
  }
  uint64_t recalled() const { return recalling_.recalled(); }

private:
  static std::vector<uint32_t> owners(MaxMin &system) {
    std::vector<uint32_t> result;
    for (const VariableIndex variable : system.changed())
      result.push_back(system.attached(variable).owner);
    return result;
  }
  void check() {
    ASSERT_EQ(solving_.pending(), recalling_.pending());
    ASSERT_EQ(solving_.variableCount(), recalling_.variableCount());
    ASSERT_EQ(solving_.isFresh(), recalling_.isFresh());
    for (const auto &[one, other] : flows_) {
      ASSERT_EQ(solving_.solved(one), recalling_.solved(other));
      ASSERT_EQ(solving_.bottleneck(one), recalling_.bottleneck(other));
      ASSERT_EQ(solving_.rate(one), recalling_.rate(other));
    }
  }

  MaxMin solving_, recalling_;
  std::vector<std::pair<VariableIndex, VariableIndex>> flows_;
  uint32_t owners_ = 0;
};

/// Plays an episode that \p random chooses up to its \p same first steps, and then \p other.
void play(Twins &twins, std::mt19937 random, int same, std::mt19937 &other, int most) {
  for (int step = 0; step < most || twins.flows() > 0; ++step) {
    std::mt19937 &dice = step < same ? random : other;
    const auto roll = dice() % 8;
    if (roll < 3 && step < most)
      twins.add(dice() % Hosts, dice() % Hosts);
    else if (roll < 6 && twins.flows() > 0)
      twins.remove(dice() % twins.flows());
    else
      twins.solve();
    if (testing::Test::HasFatalFailure())
      return;
  }
  if (other() % 8 == 0)
    twins.keepRemains();
  twins.solve();
  ASSERT_TRUE(twins.idle() || twins.flows() == 0);
}

void playMany(double backbone, unsigned seed, int most) {
  Twins twins(backbone);
  std::mt19937 random(seed);
  for (int i = 0; i < 300 && !testing::Test::HasFatalFailure(); ++i) {
    const int same = random() % 2 ? 1000 : static_cast<int>(random() % 40);
    play(twins, std::mt19937(seed + random() % 5), same, random, most);
  }
  EXPECT_GT(twins.recalled(), 100U);
}

} // namespace

TEST(Episodes, SayWhatTheSolverSays) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    playMany(1000, seed * 100, 40);
}

TEST(Episodes, SayWhatTheSolverSaysBehindANarrowBackbone) {
  for (unsigned seed = 1; seed <= 20; ++seed)
    playMany(130, seed * 100, 40);
}

TEST(Episodes, AreLeftWhereAComponentIsUniform) {
  for (unsigned seed = 1; seed <= 10; ++seed)
    playMany(60, seed * 100, 300);
}

TEST(Episodes, AreRecalledAsAWhole) {
  Twins twins(1000);
  for (int i = 0; i < 3; ++i) {
    twins.add(1, 2);
    twins.add(3, 2);
    twins.solve();
    twins.remove(0);
    twins.solve();
    twins.remove(0);
    twins.solve();
  }
  EXPECT_EQ(twins.recalled(), 2U * 6) << "the last solve comes when all is over";
}

TEST(Episodes, AreForgottenWithACapacity) {
  MaxMin system;
  const auto link = system.addConstraint(100, Sharing::Shared);
  const std::vector<Usage> uses = {{link, 1}};
  for (const double capacity : {100.0, 100.0, 50.0}) {
    system.setCapacity(link, capacity);
    for (int i = 0; i < 3; ++i) {
      const auto one = system.addClipped(1, 40, uses, 1), other = system.addClipped(1, 40, uses, 1);
      const auto third = system.addClipped(1, 40, uses, 1);
      system.solve();
      EXPECT_EQ(system.rate(one), capacity / 3);
      for (const auto variable : {one, other, third})
        system.remove(variable);
      system.solve();
    }
  }
  EXPECT_GT(system.recalled(), 0U);
}
