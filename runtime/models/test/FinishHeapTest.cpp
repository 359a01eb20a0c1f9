// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: flows leave the heap in the order of their ends, equal ones in the order of their coming,
// whatever comes and goes in between.
#include "models/FinishHeap.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using gnomon::models::FinishHeap;

TEST(FinishHeap, EqualsAnOrderedMap) {
  for (unsigned order = 0; order < 3; ++order) { // ends come sorted, mostly sorted, in any order
    std::mt19937 random(order);
    FinishHeap heap(UINT32_MAX - 5000); // numbers are used up on the way
    FinishHeap::Positions positions(20000);
    std::map<std::pair<double, int>, uint32_t> expected; // by end and coming
    double last = 0;
    int coming = 0;
    uint32_t flow = 0;
    for (int step = 0; step < 20000; ++step) {
      bool growing = step / 500 % 2 == 0;
      if (random() % 8 < (growing ? 6 : 2)) {
        last += random() % 3;
        double finish = order == 2 || (order == 1 && random() % 64 == 0) ? random() % 100 : last;
        heap.push(finish, flow, positions);
        expected[{finish, coming++}] = flow++;
      } else if (!expected.empty() && random() % 4 == 0) {
        auto victim =
            std::next(expected.begin(), static_cast<std::ptrdiff_t>(random() % expected.size()));
        EXPECT_EQ(heap.at(positions[victim->second]).finish, victim->first.first);
        heap.remove(victim->second, positions);
        expected.erase(victim);
      } else if (!expected.empty()) {
        heap.popFirst(positions);
        expected.erase(expected.begin());
      }
      ASSERT_EQ(heap.empty(), expected.empty());
      if (expected.empty())
        continue;
      ASSERT_EQ(heap.first().flow, expected.begin()->second) << order << " step " << step;
      ASSERT_EQ(heap.first().finish, expected.begin()->first.first);
    }
  }
}
