// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Cut.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace gnomon;

namespace {

using Items = std::set<const void *>;

/// A slice of some nodes, of which some are points with a cost. Of more points than \p items, some have an item together.
struct Slice {
  Demands demands;
  std::map<const void *, uint64_t> costs;
  std::vector<int> unwanted;
  std::vector<char> items; ///< whose addresses are the points'

  static constexpr size_t MostPoints = 8;

  explicit Slice(std::mt19937 &random, size_t items = MostPoints) : items(items) {
    const int nodes = 3 + static_cast<int>(random() % 8);
    demands.nodes = static_cast<size_t>(nodes);
    auto someNode = [&] { return static_cast<int>(random() % static_cast<unsigned>(nodes)); };
    for (unsigned i = 1 + random() % 2; i > 0; --i)
      demands.edges.push_back({-1, static_cast<unsigned>(someNode()), Demands::Through::All});
    for (int i = static_cast<int>(random() % 20); i > 0; --i)
      demands.edges.push_back(
          {someNode(), static_cast<unsigned>(someNode()),
           random() % 5 ? Demands::Through::All : Demands::Through::PassingOnly});
    for (int node = 0; node < nodes; ++node)
      if (random() % 2 && demands.points.size() < MostPoints) {
        const void *item = &this->items[demands.points.size() % items];
        demands.points.push_back({node, item});
        costs[item] = 1 + random() % 9;
      }
    for (unsigned i = 1 + random() % 2; i > 0; --i)
      unwanted.push_back(someNode());
  }
  Slice(const Slice &) = delete;

  uint64_t costOf(const Items &given) const {
    uint64_t sum = 0;
    for (const void *item : given)
      sum += costs.at(item);
    return sum;
  }
  const Demands::Point *pointAt(int node) const {
    const auto place =
        std::find_if(demands.points.begin(), demands.points.end(),
                     [&](const Demands::Point &point) { return point.node == node; });
    return place == demands.points.end() ? nullptr : &*place;
  }

  /// A node is asked for; whether its value is computed, too.
  using Asked = std::pair<int, bool>;
  /// What is needed where the points of \p given are: a given one is passed, but not computed.
  std::set<Asked> needed(const Items &given, std::vector<Asked> work) const {
    std::set<Asked> found;
    while (!work.empty()) {
      const Asked asked = work.back();
      work.pop_back();
      if (!found.insert(asked).second)
        continue;
      const auto [node, value] = asked;
      const Demands::Point *point = pointAt(node);
      if (!value && !(point && given.contains(point->item)))
        work.push_back({node, true});
      for (const Demands::Edge &edge : demands.edges)
        if (edge.from == node &&
            (value != (point && edge.through == Demands::Through::PassingOnly)))
          work.push_back({static_cast<int>(edge.to), false});
    }
    return found;
  }
  std::set<Asked> neededByRoots(const Items &given) const {
    std::vector<Asked> roots;
    for (const Demands::Edge &edge : demands.edges)
      if (edge.from < 0)
        roots.push_back({static_cast<int>(edge.to), false});
    return needed(given, roots);
  }
  bool cuts(const Items &given) const {
    const auto found = neededByRoots(given);
    return std::none_of(unwanted.begin(), unwanted.end(),
                        [&](int node) { return found.contains({node, true}); });
  }
  Items subset(unsigned which) const {
    Items given;
    for (size_t i = 0; i < demands.points.size(); ++i)
      if (which >> i & 1)
        given.insert(demands.points[i].item);
    return given;
  }
  std::optional<uint64_t> leastCost() const {
    std::optional<uint64_t> least;
    for (unsigned which = 0; which < 1u << demands.points.size(); ++which)
      if (const Items given = subset(which); cuts(given))
        least = std::min(least.value_or(UINT64_MAX), costOf(given));
    return least;
  }
};

// Intent: a cut keeps the roots from what is unwanted, and no set of points does so for less; where
// none does at all, there is no cut.
TEST(Cut, IsTheCheapest) {
  std::mt19937 random(4);
  int none = 0, some = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Slice slice(random);
    Cutter cutter(slice.demands);
    const auto cut =
        cutter.cheapest(slice.unwanted, [&](const void *item) { return slice.costs.at(item); });
    const auto least = slice.leastCost();
    ASSERT_EQ(cut.has_value(), least.has_value()) << round;
    if (!cut) {
      ++none;
      continue;
    }
    const Items given(cut->begin(), cut->end());
    some += !given.empty();
    EXPECT_TRUE(slice.cuts(given)) << round;
    EXPECT_EQ(slice.costOf(given), *least) << round;
  }
  EXPECT_GT(none, 1000);
  EXPECT_GT(some, 1000);
}

// Intent: a point that several nodes have is given as one, and keeps the roots from what is unwanted at all of them.
TEST(Cut, HasAPointOfSeveralNodesOnce) {
  std::mt19937 random(6);
  int some = 0;
  for (int round = 0; round < 5'000; ++round) {
    const Slice slice(random, /*items=*/3);
    Cutter cutter(slice.demands);
    const auto cut =
        cutter.cheapest(slice.unwanted, [&](const void *item) { return slice.costs.at(item); });
    if (!cut)
      continue;
    const Items given(cut->begin(), cut->end());
    EXPECT_EQ(given.size(), cut->size()) << round;
    EXPECT_TRUE(slice.cuts(given)) << round;
    some += given.size() > 1;
  }
  EXPECT_GT(some, 100);
}

// Intent: what a given point's value rests on is told by ways that pass no other given point.
TEST(Cut, TellsWhatPointsRestOn) {
  std::mt19937 random(5);
  int resting = 0;
  for (int round = 0; round < 5'000; ++round) {
    const Slice slice(random, /*items=*/round % 2 ? 3 : Slice::MostPoints);
    Cutter cutter(slice.demands);
    const Items given = slice.subset(static_cast<unsigned>(random()));
    const std::vector<const void *> points(given.begin(), given.end());
    std::vector<int> ends;
    for (size_t i = 0; i < slice.demands.nodes; ++i)
      ends.push_back(static_cast<int>(i));
    for (int again = 0; again < 2; ++again) { // the graph is as it was
      const auto rests = cutter.restOn(points, ends);
      ASSERT_EQ(rests.size(), points.size());
      for (size_t i = 0; i < points.size(); ++i) {
        std::vector<Slice::Asked> nodes;
        for (const Demands::Point &point : slice.demands.points)
          if (point.item == points[i])
            nodes.push_back({point.node, true});
        const auto found = slice.needed(given, nodes);
        std::vector<size_t> expected;
        for (int end : ends)
          if (found.contains({end, true}))
            expected.push_back(static_cast<size_t>(end));
        EXPECT_EQ(rests[i], expected) << round;
        resting += expected.size() > 1;
      }
    }
  }
  EXPECT_GT(resting, 1000);
}

} // namespace
