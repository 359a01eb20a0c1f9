// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the automaton of epochs allows what MPI's rules of synchronisation allow, and nothing
// else.
#include "rma/Epoch.h"

#include <gtest/gtest.h>

namespace gnomon::rma {
namespace {

using Access = Epoch::Access;

TEST(Epoch, NoOperationOutsideAnEpoch) {
  Epoch epoch;
  EXPECT_FALSE(epoch.operation(0, false));
  EXPECT_FALSE(epoch.unlock(0));
  EXPECT_FALSE(epoch.unlockAll());
  EXPECT_FALSE(epoch.complete());
  EXPECT_FALSE(epoch.endExposure());
  EXPECT_FALSE(epoch.mayFlush(0));
  EXPECT_TRUE(epoch.mayFree());
}

TEST(Epoch, AFenceAllowsOperationsOnAllUntilTheLast) {
  Epoch epoch;
  EXPECT_TRUE(epoch.fence(false));
  EXPECT_TRUE(epoch.operation(3, false));
  EXPECT_FALSE(epoch.operation(3, true)) << "requests need a lock";
  EXPECT_FALSE(epoch.mayFlush(3));
  EXPECT_TRUE(epoch.fence(true));
  EXPECT_FALSE(epoch.operation(3, false));
}

TEST(Epoch, AFenceWithoutOperationsIsNoEpoch) {
  Epoch epoch;
  EXPECT_TRUE(epoch.fence(false));
  EXPECT_TRUE(epoch.lock(0, true));
  EXPECT_TRUE(epoch.unlock(0));
  EXPECT_FALSE(epoch.operation(0, false)) << "the lock has ended what the fence began";
}

TEST(Epoch, AFenceThatWasUsedNeedsAnother) {
  Epoch epoch;
  epoch.fence(false);
  epoch.operation(0, false);
  EXPECT_FALSE(epoch.lock(0, true));
  EXPECT_FALSE(epoch.lockAll(true));
  EXPECT_FALSE(epoch.start({0}));
  EXPECT_FALSE(epoch.mayFree());
  EXPECT_TRUE(epoch.fence(false));
  EXPECT_TRUE(epoch.mayFree());
  EXPECT_TRUE(epoch.start({0}));
}

TEST(Epoch, StartAllowsItsTargetsOnly) {
  Epoch epoch;
  EXPECT_TRUE(epoch.start({4, 2}));
  EXPECT_TRUE(epoch.operation(2, false));
  EXPECT_TRUE(epoch.operation(4, false));
  EXPECT_FALSE(epoch.operation(3, false));
  EXPECT_FALSE(epoch.operation(0, false));
  EXPECT_FALSE(epoch.operation(2, true));
  EXPECT_FALSE(epoch.start({1}));
  EXPECT_FALSE(epoch.lock(1, true));
  EXPECT_FALSE(epoch.fence(false));
  EXPECT_FALSE(epoch.mayFree());
  EXPECT_EQ(epoch.started(), (std::vector<int>{2, 4}));
  EXPECT_TRUE(epoch.complete());
  EXPECT_TRUE(epoch.mayFree());
  EXPECT_FALSE(epoch.operation(2, false)) << "the epoch is over";
  EXPECT_TRUE(epoch.started().empty());
}

TEST(Epoch, WhoIsExposedToWhom) {
  Epoch epoch;
  EXPECT_TRUE(epoch.post({3, 1}));
  EXPECT_EQ(epoch.exposedTo(), (std::vector<int>{3, 1}));
  EXPECT_TRUE(epoch.endExposure());
  EXPECT_TRUE(epoch.exposedTo().empty());
}

TEST(Epoch, WhetherALockOfAllIsReallyHeld) {
  Epoch epoch;
  for (bool held : {true, false}) {
    EXPECT_TRUE(epoch.lockAll(held));
    EXPECT_EQ(epoch.holdsAll(), held);
    EXPECT_TRUE(epoch.unlockAll());
  }
}

TEST(Epoch, NobodyMayBeAccessedInAnyEpoch) {
  constexpr int ProcNull = -3;
  Epoch epoch;
  EXPECT_FALSE(epoch.operation(ProcNull, false));
  epoch.start({1});
  EXPECT_TRUE(epoch.operation(ProcNull, false));
  EXPECT_FALSE(epoch.operation(ProcNull, true));
  epoch.complete();
  epoch.lock(1, true);
  EXPECT_TRUE(epoch.operation(ProcNull, true));
}

TEST(Epoch, ExposureIsApartFromAccess) {
  Epoch epoch;
  EXPECT_TRUE(epoch.post({1}));
  EXPECT_FALSE(epoch.post({2}));
  EXPECT_TRUE(epoch.start({1}));
  EXPECT_FALSE(epoch.mayFree());
  EXPECT_TRUE(epoch.complete());
  EXPECT_FALSE(epoch.fence(false)) << "its part is exposed";
  EXPECT_FALSE(epoch.mayFree());
  EXPECT_TRUE(epoch.endExposure());
  EXPECT_TRUE(epoch.mayFree());
}

TEST(Epoch, LocksOfSeveralTargetsAtATime) {
  Epoch epoch;
  EXPECT_TRUE(epoch.lock(1, true));
  EXPECT_TRUE(epoch.lock(2, false));
  EXPECT_FALSE(epoch.lock(1, true)) << "once each";
  EXPECT_FALSE(epoch.lockAll(true));
  EXPECT_TRUE(epoch.operation(2, true));
  EXPECT_FALSE(epoch.operation(3, false));
  EXPECT_FALSE(epoch.operation(0, false));
  EXPECT_TRUE(epoch.mayFlush(2));
  EXPECT_FALSE(epoch.mayFlush(3));
  EXPECT_TRUE(epoch.unlock(1));
  EXPECT_FALSE(epoch.operation(1, false));
  EXPECT_TRUE(epoch.operation(2, false));
  EXPECT_TRUE(epoch.unlock(2));
  EXPECT_EQ(epoch.access(), Access::None);
}

TEST(Epoch, LockAllAllowsAllTargets) {
  Epoch epoch;
  EXPECT_TRUE(epoch.lockAll(true));
  EXPECT_TRUE(epoch.operation(7, true));
  EXPECT_TRUE(epoch.mayFlush(7));
  EXPECT_TRUE(epoch.mayFlushAll());
  EXPECT_FALSE(epoch.unlock(7));
  EXPECT_FALSE(epoch.lock(7, true));
  EXPECT_TRUE(epoch.unlockAll());
  EXPECT_FALSE(epoch.operation(7, false));
}

} // namespace
} // namespace gnomon::rma
