// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of Pool.
#include "support/Pool.h"

#include <gtest/gtest.h>

#include <malloc.h>
#include <vector>

namespace gnomon {
namespace {

struct Object {
  explicit Object(int value) : value(value) {}
  int value;
  char rest[124] = {};
};

size_t allocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// What is allocated more than before once \p count objects have been there and gone again.
size_t keptAfter(Pool<Object> &pool, int count) {
  const size_t before = allocatedBytes();
  {
    std::vector<Object *> objects;
    for (int i = 0; i < count; ++i)
      objects.push_back(pool.create(i));
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(objects[static_cast<size_t>(i)]->value, i);
      pool.destroy(objects[static_cast<size_t>(i)]);
    }
    EXPECT_EQ(pool.live(), 0u);
  }
  const size_t after = allocatedBytes();
  return after > before ? after - before : 0;
}

// Intent: objects by the hundred thousand leave no memory behind once all are gone, and the pool serves on.
TEST(Pool, GivesBackWhatManyObjectsTook) {
  Pool<Object> pool;
  EXPECT_LT(keptAfter(pool, 300000), 300000 * sizeof(Object) / 10);
  EXPECT_LT(keptAfter(pool, 300000), 300000 * sizeof(Object) / 10);
}

// Intent: usual numbers of objects come and go without the allocator.
TEST(Pool, KeepsWhatFewObjectsTook) {
  Pool<Object> pool;
  const size_t first = keptAfter(pool, 5000);
  EXPECT_GE(first, 5000 * sizeof(Object));
  EXPECT_LT(keptAfter(pool, 5000), sizeof(Object));
}

// Intent: one object that is left keeps all of them where they are.
TEST(Pool, MovesNothingThatIsLeft) {
  Pool<Object> pool;
  Object *const left = pool.create(7);
  std::vector<Object *> others;
  for (int i = 0; i < 200000; ++i)
    others.push_back(pool.create(i));
  for (Object *other : others)
    pool.destroy(other);
  EXPECT_EQ(left->value, 7);
  EXPECT_EQ(pool.live(), 1u);
  pool.destroy(left);
  EXPECT_EQ(pool.create(8)->value, 8);
}

} // namespace
} // namespace gnomon
