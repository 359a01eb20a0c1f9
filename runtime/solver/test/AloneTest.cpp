// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a variable that is alone on its constraints, and is entered among their members only when
// another one comes, gets and gives what it would have as a member from the start.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

using namespace gnomon::solver;

namespace {
VariableIndex add(MaxMin &system, double penalty, double bound, std::vector<Usage> usages) {
  return system.add(penalty, bound, usages);
}

/// Two links of 100 and 70, and a fat pipe of 90.
struct Machine {
  MaxMin system;
  ConstraintIndex a = system.addConstraint(100, Sharing::Shared);
  ConstraintIndex b = system.addConstraint(70, Sharing::Shared);
  ConstraintIndex pipe = system.addConstraint(90, Sharing::FatPipe);
  std::vector<Usage> all{{a, 1}, {b, 0.5}, {pipe, 1}};
};
} // namespace

TEST(Alone, ItsBoundIsTheLeastThatItsConstraintsCanGive) {
  // x = min(C_a / 1, C_b / 0.5, C_pipe / 1)
  Machine machine;
  EXPECT_EQ(machine.system.rate(add(machine.system, 2, Unbounded, machine.all)), 90);
  EXPECT_FALSE(machine.system.pending());
}

TEST(Alone, WhoComesSharesWithIt) {
  // p1 x1 = p2 x2 on b: x1 0.5 + x2 = 70, so x1 = x2 = 70 / 1.5
  Machine machine;
  auto first = add(machine.system, 1, Unbounded, machine.all);
  auto second = add(machine.system, 1, Unbounded, {{machine.b, 1}});
  EXPECT_EQ(machine.system.rate(first), 90) << "until the rates are solved";
  machine.system.solve();
  EXPECT_DOUBLE_EQ(machine.system.rate(first), 70 / 1.5);
  EXPECT_DOUBLE_EQ(machine.system.rate(second), 70 / 1.5);
  machine.system.remove(second);
  machine.system.solve();
  EXPECT_DOUBLE_EQ(machine.system.rate(first), 90);
}

TEST(Alone, WhoComesAfterItHasGoneFindsNothingOfIt) {
  Machine machine;
  machine.system.remove(add(machine.system, 1, Unbounded, machine.all));
  EXPECT_FALSE(machine.system.pending());
  EXPECT_EQ(machine.system.rate(add(machine.system, 1, Unbounded, {{machine.b, 1}})), 70);
  machine.system.setCapacity(machine.a, 40); // checks that no variable uses it
  EXPECT_EQ(machine.system.rate(add(machine.system, 1, Unbounded, {{machine.a, 1}})), 40);
}

TEST(Alone, SeveralAreJoinedByOneThatMeetsThemAll) {
  // On a: x1 + x3 = 100; on b: x2 + x3 = 70, which closes first at 35.
  Machine machine;
  auto first = add(machine.system, 1, Unbounded, {{machine.a, 1}});
  auto second = add(machine.system, 1, Unbounded, {{machine.b, 1}});
  auto third = add(machine.system, 1, Unbounded, {{machine.a, 1}, {machine.b, 1}});
  machine.system.solve();
  EXPECT_EQ(machine.system.rate(second), 35);
  EXPECT_EQ(machine.system.rate(third), 35);
  EXPECT_EQ(machine.system.rate(first), 65);
}

TEST(Alone, TheRatesAreThoseThatAMemberFromTheStartWouldHave) {
  // The second machine's variable is a member from the start: one that needs next to nothing of
  // each constraint was there, and goes.
  std::array<Machine, 2> machines;
  std::vector<double> rates;
  for (Machine &machine : machines) {
    MaxMin &system = machine.system;
    const bool member = &machine == &machines[1];
    VariableIndex before{};
    if (member)
      before = add(system, 1, 1e-3, machine.all);
    auto own = add(system, 1.0 / 3, 1e9 / 7, machine.all);
    if (member)
      system.remove(before);
    system.solve();
    auto other = add(system, 0.7, 1e9 / 3, {{machine.b, 1}, {machine.pipe, 0.05}});
    system.solve();
    rates.push_back(system.rate(own));
    rates.push_back(system.rate(other));
  }
  EXPECT_DOUBLE_EQ(rates[0], rates[2]);
  EXPECT_DOUBLE_EQ(rates[1], rates[3]);
}

TEST(AloneDeathTest, ItsConstraintKeepsItsCapacity) {
  Machine machine;
  add(machine.system, 1, Unbounded, machine.all);
  EXPECT_DEATH(machine.system.setCapacity(machine.a, 40), "a constraint without variables");
}
