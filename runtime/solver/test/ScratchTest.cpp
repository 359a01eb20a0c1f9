// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of Scratch.
#include "solver/Scratch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <unistd.h>

namespace gnomon::solver {
namespace {

size_t residentBytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Intent: it is zero at first, and again when it grows or is cleared; asking for less changes nothing.
TEST(Scratch, IsZeroWhenItGrows) {
  Scratch<uint32_t> scratch;
  scratch.atLeast(10);
  EXPECT_EQ(scratch[9], 0u);
  scratch[9] = 5;
  scratch.atLeast(3);
  EXPECT_EQ(scratch[9], 5u);
  scratch.atLeast(1000);
  for (size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(scratch[i], 0u);
  scratch[999] = 1;
  scratch.clear();
  EXPECT_EQ(scratch[999], 0u);
}

// Intent: 400 MB of which a few elements are written take next to nothing.
TEST(Scratch, TakesMemoryWhereItIsWritten) {
  Scratch<uint64_t> scratch;
  const size_t before = residentBytes();
  scratch.atLeast(50'000'000);
  for (size_t i = 0; i < 50'000'000; i += 5'000'000)
    scratch[i] = i;
  EXPECT_LT(residentBytes(), before + 4'000'000);
}

} // namespace
} // namespace gnomon::solver
