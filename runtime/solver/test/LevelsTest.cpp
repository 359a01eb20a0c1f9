// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: levels come out lowest first, equal ones by their constraints' numbers, whether they are
// few or many, and also when some come back.
#include "solver/Levels.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>

using namespace gnomon::solver;

namespace {
void agreesWithASet(unsigned count, unsigned different) {
  std::mt19937 random(count);
  Levels levels;
  std::set<std::pair<double, ConstraintIndex>> model;
  auto draw = [&] { return static_cast<double>(random() % different); };
  for (ConstraintIndex constraint = 0; constraint < count; ++constraint) {
    const double level = draw();
    levels.add({level, constraint});
    model.insert({level, constraint});
  }
  EXPECT_EQ(levels.all().size(), count);
  levels.order();
  for (unsigned step = 0; !model.empty(); ++step) {
    ASSERT_FALSE(levels.empty());
    ASSERT_EQ(levels.lowest(), model.begin()->first) << "of " << count << ", step " << step;
    const Level lowest = levels.takeLowest();
    ASSERT_EQ(std::pair(lowest.level, lowest.constraint), *model.begin())
        << "of " << count << ", step " << step;
    model.erase(model.begin());
    if (step < count) { // each comes back once, no lower
      const double level = lowest.level + draw();
      levels.insert({level, lowest.constraint});
      model.insert({level, lowest.constraint});
    }
  }
  EXPECT_TRUE(levels.empty());
}
} // namespace

TEST(Levels, ComeLowestFirst) {
  for (unsigned count : {1, 2, 3, 11, 12, 13, 200})
    for (unsigned different : {1, 3, 1000})
      agreesWithASet(count, different);
}

TEST(Levels, AreFoundAndForgottenBeforeTheyAreOrdered) {
  Levels levels;
  for (ConstraintIndex constraint = 0; constraint < 30; ++constraint)
    levels.add({static_cast<double>((constraint * 7) % 5), constraint});
  EXPECT_EQ(levels.findLowest().constraint, 0u); // 0, 5, 10, … have level 0
  levels.removeIf([](const Level &level) { return level.constraint % 5 != 3; });
  EXPECT_EQ(levels.findLowest().constraint, 3u);
  levels.order();
  for (const ConstraintIndex expected : {3, 8, 13, 18, 23, 28})
    EXPECT_EQ(levels.takeLowest().constraint, expected);
  EXPECT_TRUE(levels.empty());
}

TEST(Levels, BeginAnewWhenCleared) {
  Levels levels;
  levels.add({1, 1});
  levels.clear();
  levels.add({2, 7});
  levels.order();
  EXPECT_EQ(levels.takeLowest().constraint, 7u);
  EXPECT_TRUE(levels.empty());
}
