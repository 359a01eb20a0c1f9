// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: after any history of changes the rates equal those of a plain progressive filling of the
// whole system, and of a new system to which the same variables were added in another order; and no
// constraint carries more than its capacity.
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
  bool manyWeights = false; ///< hardly two uses have the same
};

class MaxMinProperty : public ::testing::TestWithParam<Shape> {};
class MaxMinCluster : public ::testing::TestWithParam<int> {};

/// A system, and what it should hold.
class Pair {
public:
  ConstraintIndex addLink(double capacity, Sharing sharing) {
    links_.push_back({capacity, sharing});
    return system_.addConstraint(capacity, sharing);
  }
  void add(Flow flow) { flows_[system_.add(flow.penalty, flow.bound, flow.usages)] = flow; }
  void remove(size_t number) {
    auto victim = std::next(flows_.begin(), static_cast<std::ptrdiff_t>(number));
    system_.remove(victim->first);
    flows_.erase(victim);
  }
  size_t flows() const { return flows_.size(); }

  void check(std::mt19937 &random) {
    system_.solve();
    ASSERT_FALSE(system_.pending());
    auto expected = reference(links_, flows_);
    for (const auto &[index, rate] : expected)
      ASSERT_NEAR(system_.rate(index), rate, 1e-9 * rate) << "of " << flows_.size();
    std::vector<double> load(links_.size());
    for (const auto &[index, flow] : flows_)
      for (const Usage &usage : flow.usages)
        load[usage.constraint] += usage.weight * system_.rate(index);
    for (ConstraintIndex c = 0; c < links_.size(); ++c)
      if (links_[c].sharing == Sharing::Shared)
        ASSERT_LE(load[c], links_[c].capacity * (1 + 1e-9));
    checkFromScratch(random);
  }

private:
  void checkFromScratch(std::mt19937 &random) {
    MaxMin scratch;
    for (const Link &link : links_)
      scratch.addConstraint(link.capacity, link.sharing);
    std::vector<VariableIndex> order;
    for (const auto &[index, flow] : flows_)
      order.push_back(index);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<VariableIndex> there;
    for (VariableIndex index : order)
      there.push_back(
          scratch.add(flows_[index].penalty, flows_[index].bound, flows_[index].usages));
    scratch.solve();
    for (size_t i = 0; i < order.size(); ++i)
      ASSERT_NEAR(system_.rate(order[i]), scratch.rate(there[i]), 1e-9 * scratch.rate(there[i]));
  }

  MaxMin system_;
  std::vector<Link> links_;
  std::map<VariableIndex, Flow> flows_;
};

double real(std::mt19937 &random, double low, double high) {
  return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

double weightOfUse(const Shape &shape, std::mt19937 &random) {
  if (shape.manyWeights)
    return real(random, 0.05, 2);
  return random() % 3 ? 1.0 : 0.05;
}

} // namespace

TEST_P(MaxMinProperty, AgreesWithPlainFilling) {
  const Shape shape = GetParam();
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    Pair pair;
    const auto links = static_cast<ConstraintIndex>(shape.links);
    for (ConstraintIndex i = 0; i < links; ++i)
      pair.addLink(real(random, 10, 1000),
                   shape.fatPipes && random() % 3 == 0 ? Sharing::FatPipe : Sharing::Shared);
    for (int step = 0; step < 120; ++step) {
      if (pair.flows() > static_cast<size_t>(shape.flows) ||
          (pair.flows() > 0 && random() % 3 == 0)) {
        pair.remove(random() % pair.flows());
      } else {
        Flow flow{shape.equalPenalties ? 1 : real(random, 0.5, 5),
                  random() % 4 ? real(random, 1, 400) : Unbounded,
                  {}};
        for (ConstraintIndex c = 0; c < links; ++c)
          if (random() % links < 3)
            flow.usages.push_back({c, weightOfUse(shape, random)});
        if (flow.usages.empty())
          flow.usages.push_back({static_cast<ConstraintIndex>(random() % links), 1});
        pair.add(flow);
      }
      if (random() % 3 == 0)
        continue; // several changes before a solve
      pair.check(random);
      if (HasFatalFailure())
        FAIL() << "round " << round << " step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MaxMinProperty,
                         ::testing::Values(Shape{1, 5, false, false}, Shape{4, 10, false, false},
                                           Shape{12, 20, false, true}, Shape{30, 25, false, false},
                                           Shape{6, 12, true, true}, Shape{10, 15, true, false},
                                           Shape{8, 20, true, false, true}));

/// Flows between hosts over a backbone, which is now the only bottleneck, now not: flows come and
/// go in bursts, some hosts' links are narrow, and a few flows do not cross the backbone or cross a
/// second one.
TEST_P(MaxMinCluster, AgreesWithPlainFilling) {
  const int kind = GetParam();
  const bool strangers = kind & 1, equalPenalties = kind & 2, bounds = kind & 4;
  std::mt19937 random(static_cast<unsigned>(kind));
  for (int round = 0; round < 6; ++round) {
    const ConstraintIndex hosts = round % 2 ? 10 : 40;
    Pair pair;
    for (ConstraintIndex i = 0; i < 2 * hosts; ++i) // up, then down
      pair.addLink(random() % 8 ? 100 : real(random, 10, 50), Sharing::Shared);
    ConstraintIndex backbone = pair.addLink(real(random, 200, 400), Sharing::Shared);
    ConstraintIndex other = pair.addLink(100, random() % 2 ? Sharing::FatPipe : Sharing::Shared);
    auto come = [&] {
      auto from = static_cast<ConstraintIndex>(random() % hosts);
      ConstraintIndex to =
          (from + 1 + static_cast<ConstraintIndex>(random() % (hosts - 1))) % hosts;
      Flow flow{equalPenalties ? 2 : real(random, 1, 3),
                bounds && random() % 4 == 0 ? real(random, 2, 100) : Unbounded,
                {{from, 1}, {hosts + to, 1}, {to, 0.05}, {hosts + from, 0.05}}};
      if (!strangers || random() % 8)
        flow.usages.push_back({backbone, 1.05});
      if (strangers && random() % 32 == 0)
        flow.usages.push_back({other, 1});
      pair.add(flow);
    };
    for (int step = 0; step < 60; ++step) {
      size_t burst = random() % 4 ? 1 : random() % 30;
      bool grow = pair.flows() < random() % 120;
      for (size_t i = 0; i < burst; ++i)
        if (grow || pair.flows() == 0)
          come();
        else
          pair.remove(random() % pair.flows());
      if (random() % 8 == 0 && pair.flows() > 0) // comes and goes before a solve
        pair.remove(pair.flows() - 1);
      pair.check(random);
      if (HasFatalFailure())
        FAIL() << "round " << round << " step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MaxMinCluster, ::testing::Range(0, 8));

/// Hosts without a backbone, where now one and now another is whom many send to and who answers
/// some: the link into it is the one bottleneck of a component, then has room to spare with flows
/// still there, which other links limit.
TEST(MaxMinProperty, PopularHostsAgreeWithPlainFilling) {
  constexpr ConstraintIndex Hosts = 27;
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    Pair pair;
    for (ConstraintIndex i = 0; i < 2 * Hosts; ++i) // up, then down
      pair.addLink(100, Sharing::Shared);
    for (int step = 0; step < 150; ++step) {
      // Many, a few, or none at all: a component that was emptied is another case than one that
      // shrank.
      const size_t wanted = random() % 4 == 0   ? 0
                            : random() % 3 == 0 ? random() % 4
                                                : random() % 40;
      const bool grow = pair.flows() < wanted;
      const size_t burst = grow ? wanted - pair.flows() : pair.flows() - wanted;
      for (size_t i = 0; i < burst; ++i) {
        if (!grow && pair.flows() > 0) {
          pair.remove(random() % pair.flows());
          continue;
        }
        const auto popular = static_cast<ConstraintIndex>(random() % (wanted < 6 ? 2 : 16) == 0);
        const auto other = static_cast<ConstraintIndex>(random() % (wanted < 6 ? 4 : Hosts));
        const bool answer = random() % 32 == 0;
        const ConstraintIndex from = answer ? popular : other;
        const ConstraintIndex to = answer ? other : popular;
        if (from != to)
          pair.add({2, 100, {{from, 1}, {Hosts + to, 1}, {to, 0.05}, {Hosts + from, 0.05}}});
      }
      pair.check(random);
      if (HasFatalFailure())
        FAIL() << "round " << round << " step " << step;
    }
  }
}

/// Cabinets of hosts behind a narrow link: most flows cross it, and share the hosts' links and the
/// cabinets' backbones with flows that stay within a cabinet.
TEST(MaxMinProperty, CabinetsAgreeWithPlainFilling) {
  constexpr ConstraintIndex Hosts = 18, Cabinets = 3;
  std::mt19937 random(5);
  for (int round = 0; round < 24; ++round) {
    Pair pair;
    for (ConstraintIndex i = 0; i < 2 * Hosts; ++i) // up, then down
      pair.addLink(random() % 8 ? 100 : real(random, 40, 100), Sharing::Shared);
    for (ConstraintIndex i = 0; i < Cabinets; ++i)
      pair.addLink(real(random, 150, 500), Sharing::Shared);
    const ConstraintIndex narrow = pair.addLink(real(random, 60, 400), Sharing::Shared);
    const auto come = [&] {
      const auto from = static_cast<ConstraintIndex>(random() % Hosts);
      const auto step = static_cast<ConstraintIndex>(random() % 6 == 0 ? 1 : Hosts / Cabinets);
      const ConstraintIndex to = (from + step) % Hosts;
      Flow flow{real(random, 1, 1.5),
                random() % 4 ? 100 : real(random, 1, 60),
                {{from, 1}, {Hosts + to, 1}, {to, 0.05}, {Hosts + from, 0.05}}};
      const ConstraintIndex one = from * Cabinets / Hosts, other = to * Cabinets / Hosts;
      flow.usages.push_back({2 * Hosts + one, 1.05});
      if (one != other) {
        flow.usages.push_back({2 * Hosts + other, 1.05});
        flow.usages.push_back({narrow, 1.05});
      }
      pair.add(flow);
    };
    const size_t most = 40 + random() % 60;
    for (int step = 0; step < 150; ++step) {
      for (size_t changes = 1 + random() % 3; changes > 0; --changes)
        if (pair.flows() < most && random() % 5 < 3)
          come();
        else if (pair.flows() > 0)
          pair.remove(random() % pair.flows());
      pair.check(random);
      if (HasFatalFailure())
        FAIL() << "round " << round << " step " << step;
    }
  }
}

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
