// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: after any history of changes the rates equal those of a plain progressive filling of the
// whole system, and they are feasible and max-min fair by definition.
#include "solver/MaxMin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace gnomon::solver;

namespace {

struct Link {
  double capacity;
  Sharing sharing;
};
struct Flow {
  double penalty;
  double bound;
  std::vector<Usage> usages;
};

/// Progressive filling written as its definition: one constraint or bound a round, nothing kept
/// between rounds.
std::map<VariableIndex, double> reference(const std::vector<Link> &links,
                                          const std::map<VariableIndex, Flow> &flows) {
  std::map<VariableIndex, double> rates;
  while (rates.size() < flows.size()) {
    double lowest = Unbounded;
    std::vector<VariableIndex> closing;
    for (ConstraintIndex c = 0; c < links.size(); ++c) {
      double remaining = links[c].capacity, share = 0;
      std::vector<VariableIndex> open;
      for (const auto &[index, flow] : flows)
        for (const Usage &usage : flow.usages) {
          if (usage.constraint != c)
            continue;
          if (rates.count(index)) {
            remaining -= links[c].sharing == Sharing::Shared ? usage.weight * rates[index] : 0;
            continue;
          }
          double part = usage.weight / flow.penalty;
          share = links[c].sharing == Sharing::Shared ? share + part : std::max(share, part);
          open.push_back(index);
        }
      if (!open.empty() && std::max(remaining, 0.0) / share < lowest) {
        lowest = std::max(remaining, 0.0) / share;
        closing = open;
      }
    }
    VariableIndex bounded = 0;
    double lowestBound = lowest;
    for (const auto &[index, flow] : flows)
      if (!rates.count(index) && flow.bound * flow.penalty < lowestBound) {
        lowestBound = flow.bound * flow.penalty;
        bounded = index;
      }
    if (lowestBound < lowest)
      rates[bounded] = flows.at(bounded).bound;
    else
      for (VariableIndex index : closing)
        rates[index] = lowest / flows.at(index).penalty;
  }
  return rates;
}

struct Shape {
  int links;
  int flows;
  bool fatPipes;
  bool equalPenalties;
};

class MaxMinProperty : public ::testing::TestWithParam<Shape> {};

} // namespace

TEST_P(MaxMinProperty, AgreesWithPlainFilling) {
  const Shape shape = GetParam();
  std::mt19937 random(7);
  auto real = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  for (int round = 0; round < 30; ++round) {
    MaxMin system;
    std::vector<Link> links;
    for (int i = 0; i < shape.links; ++i) {
      links.push_back({real(10, 1000),
                       shape.fatPipes && random() % 3 == 0 ? Sharing::FatPipe : Sharing::Shared});
      system.addConstraint(links.back().capacity, links.back().sharing);
    }
    std::map<VariableIndex, Flow> flows;
    for (int step = 0; step < 120; ++step) {
      if (flows.size() > static_cast<size_t>(shape.flows) ||
          (!flows.empty() && random() % 3 == 0)) {
        auto victim = std::next(flows.begin(), random() % flows.size());
        system.remove(victim->first);
        flows.erase(victim);
      } else {
        Flow flow{
            shape.equalPenalties ? 1 : real(0.5, 5), random() % 4 ? real(1, 400) : Unbounded, {}};
        for (ConstraintIndex c = 0; c < links.size(); ++c)
          if (random() % links.size() < 3)
            flow.usages.push_back({c, random() % 3 ? 1.0 : 0.05});
        if (flow.usages.empty())
          flow.usages.push_back({static_cast<ConstraintIndex>(random() % links.size()), 1});
        flows[system.add(flow.penalty, flow.bound, flow.usages)] = flow;
      }
      if (random() % 3 == 0)
        continue; // several changes before a solve
      system.solve();
      auto expected = reference(links, flows);
      for (const auto &[index, rate] : expected)
        ASSERT_NEAR(system.rate(index), rate, 1e-6 * rate) << "round " << round << " step " << step;
      for (ConstraintIndex c = 0; c < links.size(); ++c) {
        double load = 0;
        for (const auto &[index, flow] : flows)
          for (const Usage &usage : flow.usages)
            if (usage.constraint == c && links[c].sharing == Sharing::Shared)
              load += usage.weight * system.rate(index);
        ASSERT_LE(load, links[c].capacity * (1 + 1e-8));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MaxMinProperty,
                         ::testing::Values(Shape{1, 5, false, false}, Shape{4, 10, false, false},
                                           Shape{12, 20, false, true}, Shape{30, 25, false, false},
                                           Shape{6, 12, true, true}, Shape{10, 15, true, false}));

TEST(MaxMinProperty, HalvingEveryCapacityAndBoundHalvesEveryRate) {
  std::mt19937 random(11);
  MaxMin whole, half;
  for (int i = 0; i < 8; ++i) {
    double capacity = 100 + random() % 100;
    whole.addConstraint(capacity, Sharing::Shared);
    half.addConstraint(capacity / 2, Sharing::Shared);
  }
  std::vector<VariableIndex> variables;
  for (int i = 0; i < 20; ++i) {
    std::vector<Usage> usages;
    for (ConstraintIndex c = 0; c < 8; ++c)
      if (random() % 2)
        usages.push_back({c, 1});
    if (usages.empty())
      continue;
    double penalty = 1 + random() % 4, bound = 5 + random() % 90;
    variables.push_back(whole.add(penalty, bound, usages));
    ASSERT_EQ(half.add(penalty, bound / 2, usages), variables.back());
  }
  whole.solve();
  half.solve();
  for (VariableIndex v : variables)
    EXPECT_DOUBLE_EQ(whole.rate(v) / 2, half.rate(v));
}
