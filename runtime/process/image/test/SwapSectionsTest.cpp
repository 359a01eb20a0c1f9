// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank finds its own values in the sections that are switched, however many it has changed.
#include "process/image/SwapSections.h"

#include "gnomon/Module.h"

#include <array>
#include <gtest/gtest.h>
#include <string_view>

using namespace gnomon::process;

namespace {

/// Two modules with sections; the second one's is no whole number of words.
struct Sections : testing::Test {
  std::array<uint64_t, 8> first{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<char, 12> second{"eleven text"};
  gnomon_module one{}, two{};
  SwapSections sections;
  SwapDifferences ranks[3];
  int active = -1;

  void SetUp() override {
    one.swap_begin = reinterpret_cast<char *>(first.data());
    one.swap_end = one.swap_begin + sizeof first;
    two.swap_begin = second.data();
    two.swap_end = two.swap_begin + sizeof second;
    sections.add(one);
    sections.add(two);
  }
  void switchTo(int rank) {
    if (active >= 0)
      sections.save(ranks[active]);
    sections.place(ranks[rank]);
    active = rank;
  }
  std::string_view text() const { return second.data(); }
};

} // namespace

TEST_F(Sections, BeginAsTheyWereAdded) {
  switchTo(0);
  first[3] = 40;
  switchTo(1);
  EXPECT_EQ(first[3], 4U);
  EXPECT_EQ(text(), "eleven text");
}

TEST_F(Sections, FewWordsComeBack) {
  switchTo(0);
  first[3] = 40;
  second[10] = 's';
  switchTo(1);
  first[3] = 41;
  switchTo(2);
  EXPECT_EQ(first[3], 4U);
  EXPECT_EQ(text(), "eleven text");
  switchTo(0);
  EXPECT_EQ(first[3], 40U);
  EXPECT_EQ(text(), "eleven texs");
  switchTo(1);
  EXPECT_EQ(first[3], 41U);
  EXPECT_EQ(text(), "eleven text");
}

TEST_F(Sections, ManyWordsComeBack) {
  switchTo(0);
  for (uint64_t &word : first)
    word += 100;
  switchTo(1);
  EXPECT_EQ(first, (std::array<uint64_t, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
  switchTo(0);
  EXPECT_EQ(first, (std::array<uint64_t, 8>{101, 102, 103, 104, 105, 106, 107, 108}));
}

TEST_F(Sections, AWordMayBecomeAsItWas) {
  switchTo(0);
  for (uint64_t &word : first)
    word += 100;
  switchTo(1);
  switchTo(0);
  first = {1, 2, 3, 4, 5, 60, 7, 8};
  switchTo(1);
  EXPECT_EQ(first[5], 6U);
  switchTo(0);
  EXPECT_EQ(first, (std::array<uint64_t, 8>{1, 2, 3, 4, 5, 60, 7, 8}));
}

TEST_F(Sections, OneMayComeLater) {
  switchTo(0);
  first[0] = 10;
  std::array<uint64_t, 2> third{20, 30};
  gnomon_module late{};
  late.swap_begin = reinterpret_cast<char *>(third.data());
  late.swap_end = late.swap_begin + sizeof third;
  sections.add(late);
  third[1] = 31;
  switchTo(1);
  EXPECT_EQ(first[0], 1U);
  EXPECT_EQ(third[1], 30U);
  switchTo(0);
  EXPECT_EQ(first[0], 10U);
  EXPECT_EQ(third[1], 31U);
}
