// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/YesNo.h"

#include <gtest/gtest.h>

namespace gnomon {
namespace {

// Intent: the words of settings are four for yes and four for no, and nothing else is a word.
TEST(YesNo, SettingsHaveFourWordsEach) {
  for (const char *word : {"yes", "on", "true", "1"})
    EXPECT_EQ(yesOrNo(word), true) << word;
  for (const char *word : {"no", "off", "false", "0"})
    EXPECT_EQ(yesOrNo(word), false) << word;
  for (const char *word : {"", "YES", "y", "2", "yes "})
    EXPECT_EQ(yesOrNo(word), std::nullopt) << word;
}

// Intent: a place that names its own words takes no others.
TEST(YesNo, APlaceMayHaveItsOwnWords) {
  EXPECT_EQ(yesOrNo("YES", {"YES", "yes"}, {"NO", "no"}), true);
  EXPECT_EQ(yesOrNo("no", {"YES", "yes"}, {"NO", "no"}), false);
  EXPECT_EQ(yesOrNo("on", {"YES", "yes"}, {"NO", "no"}), std::nullopt);
}

} // namespace
} // namespace gnomon
