// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of the names of hosts and links.
#include "platform/Name.h"

#include <gtest/gtest.h>
#include <vector>

namespace gnomon::platform {
namespace {

// Intent: a name is what it was made from, also when that has ended and the name was copied and moved.
TEST(Name, KeepsItsText) {
  std::vector<Name> names;
  {
    const std::string text(100, 'x');
    const Name first(text);
    names.push_back(first);
    names.push_back(Name("node-7"));
    names.emplace_back();
  }
  const std::vector<Name> copies(names.begin(), names.begin() + 2);
  names.insert(names.end(), copies.begin(), copies.end());
  EXPECT_EQ(names[0].str(), std::string(100, 'x'));
  EXPECT_EQ(names[3].str(), std::string(100, 'x'));
  EXPECT_EQ(names[4], "node-7");
  EXPECT_EQ(names[2].str(), "");
  names[4] = names[0];
  EXPECT_EQ(names[4], names[3]);
}

// Intent: names of one pattern differ in their numbers, of 64 bits, and outlive the pattern.
TEST(Name, OfAPatternHasANumberInIt) {
  std::vector<Name> names;
  {
    const Name pattern("node-", ".grid");
    for (uint64_t number : {uint64_t{0}, uint64_t{17}, UINT64_MAX})
      names.push_back(pattern.withNumber(number));
  }
  EXPECT_EQ(names[0], "node-0.grid");
  EXPECT_EQ(names[1], "node-17.grid");
  EXPECT_EQ(names[2], "node-18446744073709551615.grid");
  EXPECT_EQ(Name("", "").withNumber(5), "5");
}

// Intent: names are equal when they read the same, however they were made.
TEST(Name, EqualsByText) {
  const Name numbered = Name("link_", "_UP").withNumber(3);
  EXPECT_EQ(numbered, Name("link_3_UP"));
  EXPECT_EQ(numbered, std::string("link_3_UP"));
  EXPECT_FALSE(numbered == Name("link_", "_UP").withNumber(4));
  EXPECT_FALSE(numbered == Name("link_3_DOWN"));
  EXPECT_EQ(Name(), Name(""));
}

} // namespace
} // namespace gnomon::platform
