// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops of equal records fold, nested ones too, whatever their counts; and a window that is
// never folded stays small.
#include "trace/test/MemoryTrace.h"

#include <gtest/gtest.h>

using namespace gnomon::trace;
using namespace gnomon::trace::test;

namespace {

constexpr Window::Limits Wide{.nodes = 1u << 20, .values = 1u << 20};

void append(Window &window, int64_t value, const Window::Limits &limits = Wide) {
  window.append(0, {&value, 1}, limits);
}

/// The items as a text: 2(1 3(2)) is a 1 and three 2s, twice.
std::string textOf(const Window &window, uint32_t begin, uint32_t end) {
  std::string text;
  for (uint32_t at = begin; at < end;) {
    const Node &node = window.nodes()[at];
    text += text.empty() ? "" : " ";
    if (node.isLoop())
      text += std::to_string(node.count) + "(" + textOf(window, at + 1, at + node.nodes()) + ")";
    else
      text += std::to_string(window.values()[node.values]);
    at += node.nodes();
  }
  return text;
}
std::string textOf(const Window &window) {
  return textOf(window, 0, static_cast<uint32_t>(window.nodes().size()));
}

} // namespace

TEST(Fold, OneRecordManyTimes) {
  Window window;
  for (int i = 0; i < 1000; ++i)
    append(window, 7);
  EXPECT_EQ(textOf(window), "1000(7)");
  EXPECT_EQ(window.records(), 1000u);
  EXPECT_EQ(window.values().size(), 1u);
}

TEST(Fold, LoopsNest) {
  Window window;
  append(window, 0);
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 31; ++j)
      for (int64_t value : {1, 2, 3})
        append(window, value);
    append(window, 4);
    for (int j = 0; j < 5; ++j)
      append(window, 5);
    append(window, 6);
  }
  append(window, 9);
  EXPECT_EQ(textOf(window), "0 50(31(1 2 3) 4 5(5) 6) 9");
}

TEST(Fold, ABodyOf1024ItemsFolds) {
  Window window;
  for (int turn = 0; turn < 3; ++turn)
    for (int64_t value = 0; value < Window::MostBody; ++value)
      append(window, value);
  EXPECT_EQ(window.items(), 1u);
  EXPECT_EQ(window.nodes()[0].count, 3u);
  EXPECT_EQ(window.nodes().size(), Window::MostBody + 1);
}

TEST(Fold, ALoopOfAnotherCountIsAnotherItem) {
  Window window;
  for (int64_t count : {3, 4, 3, 4}) {
    for (int64_t i = 0; i < count; ++i)
      append(window, 1);
    append(window, 2);
  }
  EXPECT_EQ(textOf(window), "2(3(1) 2 4(1) 2)");
}

TEST(Fold, EqualHashesAreNoEquality) {
  // Functions count: the same values of two functions are two records.
  Window window;
  for (uint32_t function : {0u, 1u, 0u, 1u}) {
    constexpr int64_t Value = 5;
    window.append(function, {&Value, 1}, Wide);
  }
  EXPECT_EQ(window.items(), 1u);
  EXPECT_EQ(window.nodes()[0].items, 2u);
}

TEST(Fold, WindowsOf16384RanksStayBelow256MiB) {
  constexpr uint32_t Ranks = 16384;
  const Window::Limits limits = Window::limits(Ranks);
  Generator generator(1);
  Window window; // one for all: each takes as much at most
  size_t most = 0;
  for (int i = 0; i < 100000; ++i) {
    std::vector<int64_t> values(static_cast<size_t>(generator.number(0, 9)));
    for (int64_t &value : values)
      value = generator.number(0, 1 << 30);
    window.append(0, values, limits);
    if (window.isFull(limits))
      window.clear(limits);
    most = std::max(most, window.memory() + sizeof window);
  }
  EXPECT_LT(most * Ranks, size_t{256} << 20);
  EXPECT_GT(most * Ranks, size_t{64} << 20); // it was full
}

TEST(Fold, MemoryIsGivenBackAfterALargeRecord) {
  const Window::Limits limits = Window::limits(16384);
  Window window;
  window.append(0, std::vector<int64_t>(1 << 20), limits);
  EXPECT_TRUE(window.isFull(limits));
  window.clear(limits);
  EXPECT_LT(window.memory(), size_t{64} << 10);
}

TEST(Fold, AFoldedFileDoesNotGrowWithTheTurns) {
  const Folder folder;
  size_t bytes[2];
  for (int i = 0; i < 2; ++i) {
    Calls calls;
    for (int turn = 0; turn < (i == 0 ? 10 : 10000); ++turn)
      for (int64_t value : {1, 2, 3, 2})
        calls.push_back({Send, {value, 0, 0, 0}});
    ASSERT_EQ(write(folder / "a.gtr", {calls}), "");
    bytes[i] = bytesOf(folder / "a.gtr").size();
  }
  EXPECT_LE(bytes[1], bytes[0] + 4);
}

TEST(Fold, RanksThatDoTheSameShareTheirBlocks) {
  const Folder folder;
  size_t bytes[2];
  constexpr int64_t Few = 10, Many = 1000;
  for (int i = 0; i < 2; ++i) {
    const int64_t ranks = i == 0 ? Few : Many;
    std::vector<Calls> all;
    Generator generator(5);
    std::vector<int64_t> counts(500);
    for (int64_t &count : counts)
      count = generator.number(0, 1 << 20);
    for (int64_t rank = 0; rank < ranks; ++rank) {
      Calls &calls = all.emplace_back();
      for (const int64_t count : counts) // a ring
        calls.push_back({Send, {count, (rank + 1) % ranks, 0, 0}});
    }
    ASSERT_EQ(write(folder / "a.gtr", all), "");
    bytes[i] = bytesOf(folder / "a.gtr").size();
    const TraceFile file(folder / "a.gtr");
    ASSERT_EQ(callsOf(*file.open(9)), all[9]);
  }
  EXPECT_LT(bytes[1], bytes[0] + Many); // less than a byte a rank
}
