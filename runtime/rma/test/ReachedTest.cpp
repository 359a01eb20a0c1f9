// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: who waits for all operations below a number is told of no gap, in whatever order they
// come.
#include "rma/Reached.h"

#include <gtest/gtest.h>

namespace gnomon::rma {
namespace {

TEST(Reached, InOrder) {
  Reached reached;
  EXPECT_EQ(reached.below(), 0u);
  for (uint64_t n = 0; n < 3; ++n) {
    reached.add(n);
    EXPECT_EQ(reached.below(), n + 1);
  }
}

TEST(Reached, AGapHoldsBackWhatIsAhead) {
  Reached reached;
  for (uint64_t n : {3, 1, 2})
    reached.add(n);
  EXPECT_EQ(reached.below(), 0u);
  reached.add(0);
  EXPECT_EQ(reached.below(), 4u);
  reached.add(5);
  EXPECT_EQ(reached.below(), 4u);
  reached.add(4);
  EXPECT_EQ(reached.below(), 6u);
}

} // namespace
} // namespace gnomon::rma
