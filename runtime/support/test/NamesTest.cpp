// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a mistyped name is answered with the names it may have meant, nearest first.
#include "support/Names.h"

#include <gtest/gtest.h>

using namespace gnomon;

TEST(Names, SuggestsTheNearest) {
  const std::string_view known[] = {"network/bandwidth-factor", "network/latency-factor",
                                    "smpi/os"};
  EXPECT_EQ(didYouMean("network/latency-facter", known),
            "; did you mean 'network/latency-factor'?");
}

TEST(Names, SaysNothingWhenNothingIsNear) {
  const std::string_view known[] = {"alpha", "beta"};
  EXPECT_EQ(didYouMean("completely-different", known), "");
}

TEST(Names, JoinsSeveral) {
  const std::string_view known[] = {"smpi/os", "smpi/or", "smpi/ois"};
  EXPECT_EQ(didYouMean("smpi/oi", known), "; did you mean 'smpi/os', 'smpi/or' or 'smpi/ois'?");
}
