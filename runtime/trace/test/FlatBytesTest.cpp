// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: numbers put into FlatBytes are those that putVarint() and putFixed() put into a string.
#include "trace/FlatBytes.h"

#include <gtest/gtest.h>

using namespace gnomon::trace;

TEST(FlatBytes, HasTheBytesThatAStringWouldHave) {
  FlatBytes flat;
  std::string expected;
  for (int round = 0; round < 2; ++round) {
    for (unsigned bit = 0; bit < 64; ++bit)
      for (const uint64_t value :
           {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, ~uint64_t{0} >> bit}) {
        flat.putVarint(value);
        putVarint(expected, value);
        flat.putFixed(value);
        putFixed(expected, value);
        ASSERT_EQ(flat.view(), expected) << value;
      }
    EXPECT_EQ(flat.size(), expected.size());
    flat.clear();
    expected.clear();
    EXPECT_EQ(flat.view(), "");
  }
}
