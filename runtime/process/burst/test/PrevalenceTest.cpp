// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: skipping prevails once a second has been skipped since hardly anything was executed.
#include "process/burst/Prevalence.h"

#include <gtest/gtest.h>

namespace gnomon::process::burst {

TEST(Prevalence, WaitsUntilHardlyAnythingIsExecuted) {
  Prevalence prevalence;
  EXPECT_FALSE(prevalence.prevails({.skipped = 0.5, .executed = 10}));
  EXPECT_FALSE(prevalence.prevails({.skipped = 1.2, .executed = 10.02}));
  EXPECT_TRUE(prevalence.prevails({.skipped = 1.6, .executed = 10.04}));
}

TEST(Prevalence, BeginsAnewWhereSomethingIsExecuted) {
  Prevalence prevalence;
  EXPECT_FALSE(prevalence.prevails({.skipped = 0.9, .executed = 0.01}));
  EXPECT_FALSE(prevalence.prevails({.skipped = 1.1, .executed = 2})) << "of the second, too much";
  EXPECT_FALSE(prevalence.prevails({.skipped = 1.9, .executed = 2.01}));
  EXPECT_TRUE(prevalence.prevails({.skipped = 2.2, .executed = 2.02}));
}

} // namespace gnomon::process::burst
