// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a component with one bottleneck keeps the right rates whatever begins or ends to limit
// its variables; each case as algebra before the numbers.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

using namespace gnomon::solver;

namespace {

/// Hosts with a link of 100 each, behind a backbone of 200: n >= 3 flows get 200 / n each.
struct Cluster {
  MaxMin system;
  ConstraintIndex backbone = system.addConstraint(200, Sharing::Shared);
  std::vector<VariableIndex> flows;

  ConstraintIndex link() { return system.addConstraint(100, Sharing::Shared); }
  VariableIndex add(std::vector<Usage> usages, double bound = Unbounded) {
    return system.add(1, bound, usages);
  }
  void fill(int count) {
    for (int i = 0; i < count; ++i)
      flows.push_back(add({{link(), 1}, {backbone, 1}}));
    system.solve();
  }
  void empty() {
    for (VariableIndex v : flows)
      system.remove(v);
    flows.clear();
  }
};

} // namespace

TEST(Uniform, LevelFollowsTheNumberOfVariables) {
  // x = 200 / n; no variable gets another bottleneck
  Cluster cluster;
  cluster.fill(40);
  for (VariableIndex v : cluster.flows)
    EXPECT_DOUBLE_EQ(cluster.system.rate(v), 5);
  cluster.system.remove(cluster.flows.back());
  cluster.flows.pop_back();
  cluster.system.solve();
  EXPECT_TRUE(cluster.system.changed().empty());
  EXPECT_EQ(cluster.system.changedLevels().size(), 1u);
  for (VariableIndex v : cluster.flows)
    EXPECT_DOUBLE_EQ(cluster.system.rate(v), 200.0 / 39);
}

TEST(Uniform, VariablesThatCameWhileThereWasRoomJoin) {
  Cluster cluster;
  cluster.fill(40);
  cluster.empty();
  cluster.system.solve();
  cluster.fill(2); // 2 x 100: all at their bounds
  EXPECT_EQ(cluster.system.rate(cluster.flows[0]), 100);
  cluster.fill(38);
  for (VariableIndex v : cluster.flows)
    EXPECT_DOUBLE_EQ(cluster.system.rate(v), 5);
}

TEST(Uniform, ABoundThatComesFirstCounts) {
  // x1 = 4, the others (200 - 4) / 39
  Cluster cluster;
  cluster.fill(39);
  VariableIndex bounded = cluster.add({{cluster.link(), 1}, {cluster.backbone, 1}}, 4);
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(bounded), 4);
  EXPECT_DOUBLE_EQ(cluster.system.rate(cluster.flows[0]), 196.0 / 39);
}

TEST(Uniform, ALinkThatComesFirstCounts) {
  // 25 flows of one link get 100 / 25 each, the others (200 - 100) / 20
  Cluster cluster;
  cluster.fill(20);
  ConstraintIndex link = cluster.link();
  std::vector<VariableIndex> narrow;
  for (int i = 0; i < 25; ++i) {
    narrow.push_back(cluster.add({{link, 1}, {cluster.backbone, 1}}));
    cluster.system.solve();
    double each = std::min(100.0 / (i + 1), 200.0 / (21 + i));
    for (VariableIndex v : narrow)
      EXPECT_DOUBLE_EQ(cluster.system.rate(v), each) << i;
    EXPECT_NEAR(cluster.system.rate(cluster.flows[0]), (200 - (i + 1) * each) / 20, 1e-12);
  }
}

TEST(Uniform, AVariableOfTwoBackbonesCouplesThem) {
  // The first backbone gives 200 / 41 to its flows and the common one, the second (200 - that)
  // / 20.
  Cluster cluster;
  cluster.fill(40);
  ConstraintIndex second = cluster.system.addConstraint(200, Sharing::Shared);
  std::vector<VariableIndex> others;
  for (int i = 0; i < 20; ++i)
    others.push_back(cluster.add({{cluster.link(), 1}, {second, 1}}));
  cluster.system.solve();
  VariableIndex common = cluster.add({{cluster.backbone, 1}, {second, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(common), 200.0 / 41);
  EXPECT_DOUBLE_EQ(cluster.system.rate(cluster.flows[0]), 200.0 / 41);
  EXPECT_DOUBLE_EQ(cluster.system.rate(others[0]), (200 - 200.0 / 41) / 20);
}

TEST(Uniform, AStrangerOnASharedLinkGetsTheRest) {
  // The stranger has its link alone; then a flow of the backbone takes 200 / 41 of it.
  Cluster cluster;
  ConstraintIndex link = cluster.link();
  VariableIndex stranger = cluster.add({{link, 1}});
  cluster.fill(40);
  VariableIndex v = cluster.add({{link, 1}, {cluster.backbone, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(v), 200.0 / 41);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100 - 200.0 / 41);
  cluster.system.remove(v);
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100);
}

TEST(Uniform, ACoupledComponentIsNoLongerUniform) {
  // 31 flows of one link get 100 / 31 each; the others of the backbone share what its one leaves.
  Cluster cluster;
  cluster.fill(40);
  ConstraintIndex link = cluster.link();
  VariableIndex v = cluster.add({{link, 1}, {cluster.backbone, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(v), 200.0 / 41);
  for (int i = 0; i < 30; ++i)
    cluster.add({{link, 1}});
  cluster.system.solve();
  for (int left = 40; left > 20; --left) {
    EXPECT_DOUBLE_EQ(cluster.system.rate(v), 100.0 / 31);
    EXPECT_NEAR(cluster.system.rate(cluster.flows[0]), (200 - 100.0 / 31) / left, 1e-12);
    cluster.system.remove(cluster.flows.back());
    cluster.flows.pop_back();
    cluster.system.solve();
  }
}

TEST(Uniform, AChangeIsNotLostWhenTheComponentIsDissolved) {
  // While the backbone has room, two flows of one link get 50 each; a stranger on a link of the
  // component comes at the same date.
  Cluster cluster;
  ConstraintIndex link = cluster.link(), other = cluster.link();
  auto v = [&](ConstraintIndex c) { return cluster.add({{c, 1}, {cluster.backbone, 1}}); };
  cluster.flows = {v(link), v(link), v(other), v(other)};
  cluster.fill(36);
  cluster.empty();
  cluster.system.solve();
  VariableIndex first = v(link);
  EXPECT_EQ(cluster.system.rate(first), 100);
  VariableIndex second = v(link);
  VariableIndex stranger = cluster.add({{other, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(first), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(second), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100);
}

TEST(Uniform, AVariableThatGoesBeforeItIsSolvedLeavesNoTrace) {
  Cluster cluster;
  cluster.fill(40);
  cluster.system.remove(cluster.add({{cluster.link(), 1}, {cluster.backbone, 1}}));
  VariableIndex alone = cluster.add({{cluster.link(), 1}}); // has the same index
  cluster.system.solve();
  EXPECT_EQ(cluster.system.rate(alone), 100);
  EXPECT_DOUBLE_EQ(cluster.system.rate(cluster.flows[0]), 5);
}

TEST(Uniform, RoundingDoesNotOutliveManyVariables) {
  // 200,000 comings and goings beside three that stay.
  Cluster cluster;
  ConstraintIndex link = cluster.link();
  for (int i = 0; i < 3; ++i)
    cluster.flows.push_back(cluster.add({{cluster.link(), 1}, {cluster.backbone, 1}}));
  for (int round = 0; round < 20; ++round) {
    std::vector<VariableIndex> many;
    for (int i = 0; i < 10000; ++i)
      many.push_back(cluster.system.add(1.0 / (i + 1), Unbounded,
                                        std::vector<Usage>{{link, 0.001}, {cluster.backbone, 1}}));
    cluster.system.solve();
    for (; !many.empty(); many.pop_back()) { // the great shares first
      cluster.system.remove(many.back());
      cluster.system.solve();
    }
  }
  for (VariableIndex v : cluster.flows)
    EXPECT_NEAR(cluster.system.rate(v), 200.0 / 3, 1e-9 * 200 / 3);
}

TEST(Uniform, ALinkThatBecomesTightAboveTheLevelIsNotForgotten) {
  // f of the cluster shares its link with a stranger, who gets 100 - 200 / n: the backbone closes f
  // first, at 200 / n < 100 / 2.
  Cluster cluster;
  const ConstraintIndex link = cluster.link();
  const VariableIndex f = cluster.add({{link, 1}, {cluster.backbone, 1}});
  cluster.fill(20);
  const VariableIndex stranger = cluster.add({{link, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100 - 200.0 / 21);
  cluster.fill(21);
  EXPECT_DOUBLE_EQ(cluster.system.rate(f), 200.0 / 42);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100 - 200.0 / 42);
  cluster.empty();
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(f), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 50);
}

TEST(Uniform, ALinkBetweenTwoComponentsIsNotForgotten) {
  // f and g, of two backbones, share a link that limits neither while both are slow. When 2 flows
  // are left on f's backbone, 190 / 2 is more than g's 190 / 20 leaves of the link.
  MaxMin system;
  const ConstraintIndex shared = system.addConstraint(100, Sharing::Shared);
  std::vector<VariableIndex> others[2], both;
  for (auto &side : others) {
    const ConstraintIndex backbone = system.addConstraint(190, Sharing::Shared);
    for (int i = 0; i < 19; ++i)
      side.push_back(system.add(
          1, Unbounded,
          std::vector<Usage>{{system.addConstraint(100, Sharing::Shared), 1}, {backbone, 1}}));
    system.solve();
    both.push_back(system.add(1, Unbounded, std::vector<Usage>{{shared, 1}, {backbone, 1}}));
  }
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(both[0]), 9.5);
  EXPECT_DOUBLE_EQ(system.rate(both[1]), 9.5);
  for (; others[0].size() > 1; others[0].pop_back()) {
    system.remove(others[0].back());
    system.solve();
  }
  EXPECT_DOUBLE_EQ(system.rate(both[0]), 90.5);
  EXPECT_DOUBLE_EQ(system.rate(both[1]), 9.5);
  EXPECT_DOUBLE_EQ(system.rate(others[0][0]), 99.5);
}

TEST(Uniform, ABackboneWithRoomForgetsWhoCameToATightLink) {
  // The backbone has room for two when u comes to a stranger's link, and 100 / 2 is u's. u goes; x,
  // which may take its place in the tables, has nothing to do with the backbone.
  Cluster cluster;
  cluster.fill(40);
  cluster.empty();
  cluster.system.solve();
  cluster.fill(1);
  const ConstraintIndex link = cluster.link();
  const VariableIndex stranger = cluster.add({{link, 1}});
  const VariableIndex u = cluster.add({{link, 1}, {cluster.backbone, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(u), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 50);
  cluster.system.remove(u);
  const VariableIndex x = cluster.add({{cluster.link(), 1}});
  cluster.fill(19);
  EXPECT_DOUBLE_EQ(cluster.system.rate(x), 100);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 100);
  EXPECT_DOUBLE_EQ(cluster.system.rate(cluster.flows[0]), 10);
}

TEST(Uniform, ALinkThatBecomesTightWhileTheBackboneHasRoomIsNotForgotten) {
  // u gets 100 / 2 on the stranger's link. Of three on the backbone the other two then have
  // (200 - 50) / 2; of five each has 200 / 5 < 50.
  Cluster cluster;
  cluster.fill(40);
  cluster.empty();
  cluster.system.solve();
  const ConstraintIndex link = cluster.link();
  const VariableIndex u = cluster.add({{link, 1}, {cluster.backbone, 1}});
  cluster.system.solve();
  const VariableIndex stranger = cluster.add({{link, 1}});
  cluster.system.solve();
  EXPECT_DOUBLE_EQ(cluster.system.rate(u), 50);
  cluster.fill(2);
  EXPECT_DOUBLE_EQ(cluster.system.rate(u), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 50);
  EXPECT_DOUBLE_EQ(cluster.system.rate(cluster.flows[0]), 75);
  cluster.fill(2);
  EXPECT_DOUBLE_EQ(cluster.system.rate(u), 40);
  EXPECT_DOUBLE_EQ(cluster.system.rate(stranger), 60);
}
