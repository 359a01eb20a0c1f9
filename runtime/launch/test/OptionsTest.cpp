// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch/Options.h"

#include "support/Error.h"

#include <gtest/gtest.h>

namespace gnomon::launch {
namespace {

std::string refusal(const char *text) {
  try {
    Options::parse(text);
  } catch (const InputError &error) {
    return error.what();
  }
  return "";
}

// Intent: an option that is not given has the table's default, in the type of its kind.
TEST(Options, WhatIsNotGivenHasTheTablesDefault) {
  const Options options = Options::parse("");
  EXPECT_EQ(options.ranks, 1U);
  EXPECT_EQ(options.stallTimeout, 600.0);
  EXPECT_EQ(options.compute, "measured");
  EXPECT_FALSE(options.quiet);
  EXPECT_TRUE(options.set.empty());
}

// Intent: a program that nobody launched is told from one whose options are all defaults.
TEST(Options, WithoutTheVariableTheProgramRunsAlone) {
  EXPECT_FALSE(Options::parse(nullptr).launched);
  EXPECT_TRUE(Options::parse("").launched);
}

// Intent: of an option that may stand once the last value counts, of the others all do, in order.
TEST(Options, TheLastValueCountsOrAllDo) {
  const Options options = Options::parse("ranks=2\nset=a=1\nranks=7\nquiet=1\nset=b=2\n");
  EXPECT_EQ(options.ranks, 7U);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.set, (std::vector<std::string>{"a=1", "b=2"}));
}

// Intent: a value that is not of its option's kind is refused with the option's name.
TEST(Options, AValueOfAnotherKindIsRefusedWithTheOptionsName) {
  EXPECT_EQ(refusal("ranks=many"), "--ranks: not a whole number: 'many'");
  EXPECT_EQ(refusal("timeout=3x").substr(0, 25), "--timeout: unknown unit '");
}

// Intent: a line that the table does not explain comes from another version, and is refused.
TEST(Options, ALineThatNoOptionExplainsIsRefused) {
  EXPECT_NE(refusal("rnaks=2").find("no option of this version explains 'rnaks=2'"),
            std::string::npos);
  EXPECT_NE(refusal("ranks").find("no option of this version explains 'ranks'"), std::string::npos);
}

// Intent: lists may be cut at commas, and may be given in parts.
TEST(Options, ListsAreCutAtTheirCommas) { EXPECT_EQ(cutAtCommas({"a,b:4", "c"}), "a\nb:4\nc\n"); }

} // namespace
} // namespace gnomon::launch
