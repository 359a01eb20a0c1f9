// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the closed forms of weighted max-min sharing, each written as algebra before the numbers.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace gnomon::solver;

namespace {
VariableIndex add(MaxMin &system, double penalty, double bound, std::vector<Usage> usages) {
  return system.add(penalty, bound, usages);
}
} // namespace

TEST(MaxMin, AloneAVariableGetsItsBound) {
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  auto v = add(system, 1, 60, {{link, 1}});
  EXPECT_FALSE(system.pending()) << "a slack constraint needs no solve";
  EXPECT_EQ(system.rate(v), 60);
}

TEST(MaxMin, AloneWithoutBoundItGetsTheCapacityOverItsWeight) {
  // x = C / w
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  EXPECT_EQ(system.rate(add(system, 3, Unbounded, {{link, 0.5}})), 200);
}

TEST(MaxMin, EqualVariablesShareEqually) {
  // x = C / 2
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, 100, {{link, 1}});
  EXPECT_EQ(system.rate(a), 100);
  auto b = add(system, 1, 100, {{link, 1}});
  EXPECT_FALSE(system.solved(b));
  system.solve();
  EXPECT_EQ(system.rate(a), 50);
  EXPECT_EQ(system.rate(b), 50);
  system.remove(b);
  system.solve();
  EXPECT_EQ(system.rate(a), 100);
}

TEST(MaxMin, SharesAreInverseToPenalties) {
  // p1 x1 = p2 x2 = C / (1/p1 + 1/p2)
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, Unbounded, {{link, 1}});
  auto b = add(system, 3, Unbounded, {{link, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(a), 75);
  EXPECT_DOUBLE_EQ(system.rate(b), 25);
}

TEST(MaxMin, WhatABoundLeavesGoesToTheOthers) {
  // x1 = b1; x2 = C - b1
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, 60, {{link, 1}});
  auto b = add(system, 3, Unbounded, {{link, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(a), 60);
  EXPECT_DOUBLE_EQ(system.rate(b), 40);
}

TEST(MaxMin, CrossTrafficTakesItsPartOfTheReverseLink) {
  // Two opposite flows on an up and a down link, 0.05 of each on the other's: 1.05 x = C
  MaxMin system;
  auto up = system.addConstraint(100, Sharing::Shared);
  auto down = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, 100, {{up, 1}, {down, 0.05}});
  auto b = add(system, 1, 100, {{down, 1}, {up, 0.05}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(a), 100 / 1.05);
  EXPECT_DOUBLE_EQ(system.rate(b), 100 / 1.05);
}

TEST(MaxMin, FatPipeLimitsEachAlone) {
  // equal penalties: x = C for each
  MaxMin system;
  auto pipe = system.addConstraint(100, Sharing::FatPipe);
  std::vector<VariableIndex> variables;
  for (int i = 0; i < 5; ++i)
    variables.push_back(add(system, 2, 100, {{pipe, 1}}));
  EXPECT_FALSE(system.pending());
  for (auto v : variables)
    EXPECT_EQ(system.rate(v), 100);
}

TEST(MaxMin, FatPipeClosesAllItsVariablesAtTheFirstLevel) {
  // SimGrid's rule: level = C / max(1/p) = C p_min, so x_i = C p_min / p_i
  MaxMin system;
  auto pipe = system.addConstraint(100, Sharing::FatPipe);
  auto a = add(system, 1, 100, {{pipe, 1}});
  auto b = add(system, 2, 100, {{pipe, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(a), 100);
  EXPECT_DOUBLE_EQ(system.rate(b), 50);
}

TEST(MaxMin, ParkingLot) {
  // One long variable over n links of C, one short on each: all C / 2.
  MaxMin system;
  std::vector<Usage> whole;
  for (int i = 0; i < 4; ++i)
    whole.push_back({system.addConstraint(10, Sharing::Shared), 1});
  auto longOne = add(system, 1, Unbounded, whole);
  std::vector<VariableIndex> shorts;
  for (const Usage &usage : whole)
    shorts.push_back(add(system, 1, Unbounded, {usage}));
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(longOne), 5);
  for (auto v : shorts)
    EXPECT_DOUBLE_EQ(system.rate(v), 5);
}

TEST(MaxMin, TheNarrowLinkIsSolvedFirst) {
  // Links 10 and 100: a on both, b on the wide one: x_a = 10, x_b = 90.
  MaxMin system;
  auto narrow = system.addConstraint(10, Sharing::Shared);
  auto wide = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, Unbounded, {{narrow, 1}, {wide, 1}});
  auto b = add(system, 1, Unbounded, {{wide, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(a), 10);
  EXPECT_DOUBLE_EQ(system.rate(b), 90);
}

TEST(MaxMin, ChangeReachesOnlyItsComponent) {
  MaxMin system;
  auto first = system.addConstraint(100, Sharing::Shared);
  auto second = system.addConstraint(100, Sharing::Shared);
  add(system, 1, 100, {{first, 1}});
  add(system, 1, 100, {{first, 1}});
  system.solve();
  auto c = add(system, 1, 100, {{second, 1}});
  auto d = add(system, 1, 100, {{second, 1}});
  system.solve();
  std::vector<VariableIndex> changed(system.changed().begin(), system.changed().end());
  std::sort(changed.begin(), changed.end());
  EXPECT_EQ(changed, (std::vector<VariableIndex>{c, d}));
}

TEST(MaxMin, SlackBackboneCouplesNobody) {
  // Four flows of 10 on a backbone of 100: no solve at all, each at its bound.
  MaxMin system;
  auto backbone = system.addConstraint(100, Sharing::Shared);
  for (int i = 0; i < 4; ++i)
    add(system, 1, 10, {{system.addConstraint(10, Sharing::Shared), 1}, {backbone, 1.05}});
  EXPECT_FALSE(system.pending());
}

TEST(MaxMin, ConstraintThatBecomesSlackFreesItsVariables) {
  MaxMin system;
  auto link = system.addConstraint(100, Sharing::Shared);
  auto a = add(system, 1, 60, {{link, 1}});
  auto b = add(system, 1, 60, {{link, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(b), 50);
  system.remove(a);
  system.solve();
  EXPECT_EQ(system.rate(b), 60);
}
