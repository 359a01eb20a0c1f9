// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: variables that share links with those of a uniform component, and not its bottleneck, get
// what the component leaves, whatever comes and goes; each case as algebra before the numbers.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

using namespace gnomon::solver;

namespace {

/// 20 flows through a backbone of 100, each over a link of 15 of its own: 5 each.
struct Guests : ::testing::Test {
  static constexpr size_t Flows = 20;
  MaxMin system;
  ConstraintIndex backbone = system.addConstraint(100, Sharing::Shared);
  std::vector<ConstraintIndex> links;
  std::vector<VariableIndex> flows;

  Guests() {
    for (size_t i = 0; i < Flows; ++i)
      links.push_back(system.addConstraint(15, Sharing::Shared));
    for (const ConstraintIndex link : links)
      flows.push_back(add({{link, 1}, {backbone, 1}}));
    system.solve();
  }
  VariableIndex add(std::vector<Usage> usages, double bound = Unbounded) {
    return system.add(1, bound, usages);
  }
  void removeLastFlow() {
    system.remove(flows.back());
    flows.pop_back();
  }
};

} // namespace

TEST_F(Guests, GetWhatTheComponentLeaves) {
  // x = 15 - 5, and 15 - 100/19 when one of the flows goes, which moves the guest's level, too
  const VariableIndex guest = add({{links[0], 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 10);
  EXPECT_DOUBLE_EQ(system.rate(flows[0]), 5);
  removeLastFlow();
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 15 - 100.0 / 19);
  EXPECT_TRUE(system.changed().empty());
  EXPECT_EQ(system.changedLevels().size(), 2u);
}

TEST_F(Guests, ShareWhatIsLeft) {
  // (15 - 5 - 2) / 2 for two of three guests on a link is less than 5: it limits the flow as well
  const VariableIndex first = add({{links[0], 1}}, 2);
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(first), 2);
  const VariableIndex second = add({{links[0], 1}, {links[1], 1}});
  system.solve(); // 15 - 5 - 2 on the first link
  EXPECT_DOUBLE_EQ(system.rate(second), 8);
  const VariableIndex third = add({{links[0], 1}});
  system.solve(); // (15 - 2) / 3 for the flow, second and third
  EXPECT_DOUBLE_EQ(system.rate(flows[0]), 13.0 / 3);
  EXPECT_DOUBLE_EQ(system.rate(third), 13.0 / 3);
  EXPECT_DOUBLE_EQ(system.rate(flows[1]), (100 - 13.0 / 3) / 19);
  system.remove(third);
  system.remove(first);
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(flows[0]), 5);
  EXPECT_DOUBLE_EQ(system.rate(second), 10);
}

TEST_F(Guests, OfALinkThatHadRoomToSpare) {
  // a link of 15 is nobody's matter while one flow crosses it that has at most 10
  const ConstraintIndex wide = system.addConstraint(15, Sharing::Shared);
  const ConstraintIndex narrow = system.addConstraint(10, Sharing::Shared);
  flows.push_back(add({{narrow, 1}, {wide, 1}, {backbone, 1}}));
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(flows.back()), 100.0 / 21);
  const VariableIndex guest = add({{wide, 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 15 - 100.0 / 21);
  system.remove(flows.front());
  flows.erase(flows.begin());
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 15 - 5);
}

TEST_F(Guests, OfTwoComponents) {
  // the second backbone gives 80 / 20 each; a guest of both has the lesser rest
  const ConstraintIndex other = system.addConstraint(80, Sharing::Shared);
  std::vector<ConstraintIndex> otherLinks;
  for (size_t i = 0; i < Flows; ++i) {
    otherLinks.push_back(system.addConstraint(10, Sharing::Shared));
    add({{otherLinks.back(), 1}, {other, 1}});
  }
  system.solve();
  const VariableIndex guest = add({{links[0], 1}, {otherLinks[0], 1}});
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 10 - 4);
  for (size_t i = 0; i < 10; ++i)
    removeLastFlow();
  system.solve(); // 100 / 10 is more than the guest leaves of the first link, 15 - 6
  EXPECT_DOUBLE_EQ(system.rate(guest), 6);
  EXPECT_DOUBLE_EQ(system.rate(flows[0]), 9);
  EXPECT_DOUBLE_EQ(system.rate(flows[1]), (100 - 9.0) / 9);
}

TEST_F(Guests, StayWhenTheComponentHasGone) {
  const VariableIndex guest = add({{links[0], 1}});
  system.solve();
  while (!flows.empty())
    removeLastFlow();
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 15);
  flows.push_back(add({{links[0], 1}, {backbone, 1}}));
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(guest), 7.5);
}

TEST_F(Guests, ComeAndGoBeforeASolve) {
  const VariableIndex guest = add({{links[0], 1}});
  system.remove(guest);
  const VariableIndex next = add({{links[1], 1}});
  removeLastFlow();
  system.solve();
  EXPECT_DOUBLE_EQ(system.rate(next), 15 - 100.0 / 19);
  EXPECT_DOUBLE_EQ(system.rate(flows[0]), 100.0 / 19);
}
