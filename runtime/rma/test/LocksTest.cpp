// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: locks of windows are granted as Locks.h says: exclusion, order of arrival for each
// target, and locks of all targets that neither block others nor are passed by while something is
// exclusive.
#include "rma/Locks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gnomon::rma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Grant = Locks::Grant;
constexpr auto Shared = LockMode::Shared;
constexpr auto Exclusive = LockMode::Exclusive;
constexpr int All = Locks::AllTargets;

TEST(Locks, SharedLocksOfOneTargetCoexist) {
  Locks locks;
  EXPECT_TRUE(locks.request(1, 0, Shared));
  EXPECT_TRUE(locks.request(2, 0, Shared));
  EXPECT_THAT(locks.holders(0), ElementsAre(1, 2));
}

TEST(Locks, AnExclusiveLockKeepsOthersOutOfItsTargetOnly) {
  Locks locks;
  EXPECT_TRUE(locks.request(1, 0, Exclusive));
  EXPECT_FALSE(locks.request(2, 0, Shared));
  EXPECT_FALSE(locks.request(3, 0, Exclusive));
  EXPECT_TRUE(locks.request(3, 1, Exclusive));
}

TEST(Locks, RequestsAreGrantedInTheirOrder) {
  Locks locks;
  locks.request(1, 0, Exclusive);
  locks.request(2, 0, Shared);
  locks.request(3, 0, Shared);
  locks.request(4, 0, Exclusive);
  locks.request(5, 0, Shared);
  EXPECT_THAT(locks.release(1, 0), ElementsAre(Grant{2, 0}, Grant{3, 0}));
  EXPECT_THAT(locks.release(2, 0), IsEmpty());
  EXPECT_THAT(locks.release(3, 0), ElementsAre(Grant{4, 0}));
  EXPECT_THAT(locks.release(4, 0), ElementsAre(Grant{5, 0}));
}

TEST(Locks, ASharedRequestDoesNotPassAnExclusiveOneThatWaits) {
  Locks locks;
  locks.request(1, 0, Shared);
  EXPECT_FALSE(locks.request(2, 0, Exclusive));
  EXPECT_FALSE(locks.request(3, 0, Shared));
}

TEST(Locks, ALockOfAllWaitsForExclusiveOnesAnywhere) {
  Locks locks;
  locks.request(1, 5, Exclusive);
  EXPECT_FALSE(locks.request(2, All, Shared));
  EXPECT_THAT(locks.holders(All), ElementsAre(1));
  EXPECT_TRUE(locks.request(3, 6, Exclusive)) << "a lock of all that waits holds nobody up";
  EXPECT_THAT(locks.release(1, 5), IsEmpty());
  EXPECT_THAT(locks.release(3, 6), ElementsAre(Grant{2, All}));
}

TEST(Locks, ALockOfAllKeepsExclusiveOnesOut) {
  Locks locks;
  EXPECT_TRUE(locks.request(1, All, Shared));
  EXPECT_TRUE(locks.request(2, All, Shared));
  EXPECT_TRUE(locks.request(3, 0, Shared));
  EXPECT_FALSE(locks.request(4, 1, Exclusive));
  EXPECT_THAT(locks.holders(1), ElementsAre(1, 2));
  EXPECT_THAT(locks.release(1, All), IsEmpty());
  EXPECT_THAT(locks.release(2, All), ElementsAre(Grant{4, 1}));
}

TEST(Locks, SharedLocksDoNotHoldUpALockOfAll) {
  Locks locks;
  locks.request(1, 0, Shared);
  locks.request(2, 1, Exclusive);
  EXPECT_THAT(locks.holders(All), ElementsAre(2));
}

TEST(Locks, WhoWaitsForAllComesBeforeWhoWaitsForTheTarget) {
  Locks locks;
  locks.request(1, 0, Exclusive);
  locks.request(2, 0, Exclusive);
  locks.request(3, All, Shared);
  EXPECT_THAT(locks.release(1, 0), ElementsAre(Grant{3, All}));
  EXPECT_THAT(locks.release(3, All), ElementsAre(Grant{2, 0}));
}

} // namespace
} // namespace gnomon::rma
