// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/HeldLines.h"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::output;

namespace {

/// Dates that go up and down, many of them equal.
double dateOf(uint64_t i) { return static_cast<double>(i * 7919 % 101); }

std::string textOf(uint64_t i) {
  return std::to_string(i) + std::string(i % 5 == 0 ? 100000 : i % 300, 'x');
}

// Intent: whatever was spilled, lines come by date, and of one date in the order of writing; also
// when new ones come between, and the file is begun anew.
TEST(HeldLines, ComeInOrderFromMemoryAndRuns) {
  HeldLines lines(64 << 10);
  uint64_t order = 0;
  size_t mostRuns = 0;
  for (int lap = 0; lap < 2; ++lap) {
    const uint64_t first = order;
    for (int i = 0; i < 500; ++i, ++order)
      lines.push({{dateOf(order)}, order, order % 2 ? 1 : 2, textOf(order)});
    mostRuns = std::max(mostRuns, lines.runs());
    // Of two laps' lines those due by 50 leave before the others come.
    HeldLine last{{-1}, 0, 0, {}};
    uint64_t taken = 0;
    while (!lines.empty() && (lap == 1 || lines.nextDate() <= SimTime{50})) {
      HeldLine line = lines.pop();
      EXPECT_TRUE(line > last);
      EXPECT_EQ(line.date.seconds, dateOf(line.order));
      EXPECT_EQ(line.text, textOf(line.order));
      EXPECT_EQ(line.descriptor, line.order % 2 ? 1 : 2);
      last = std::move(line);
      ++taken;
    }
    EXPECT_GT(taken, (order - first) / 3);
  }
  EXPECT_GT(mostRuns, 10u);
  EXPECT_TRUE(lines.empty());
  EXPECT_EQ(lines.runs(), 0u);
}

// Intent: without room for a file the lines stay in memory.
TEST(HeldLines, StayInMemoryWithoutAFile) {
  setenv("TMPDIR", "/nonexistent", 1);
  HeldLines lines(1);
  lines.push({{2}, 0, 1, "b"});
  lines.push({{1}, 1, 1, "a"});
  unsetenv("TMPDIR");
  EXPECT_EQ(lines.runs(), 0u);
  EXPECT_EQ(lines.pop().text, "a");
  EXPECT_EQ(lines.pop().text, "b");
}

} // namespace
