// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/ExecutedPoints.h"

#include "gnomon/Burst.h"
#include "gnomon/Fold.h"

#include <gtest/gtest.h>

using namespace gnomon::process::burst;

namespace {

constexpr uint32_t Always = 1U << GNOMON_PLAN_PLAIN,
                   ByDecisions = 1U << GNOMON_PLAN_DECIDED | 1U << GNOMON_PLAN_DECIDED_SKIPPED;

/// Bursts that may all be skipped, of which the first decides, and memory.
struct Program {
  gnomon_burst bursts[4]{};
  gnomon_burst *all[4] = {&bursts[0], &bursts[1], &bursts[2], &bursts[3]};
  gnomon_burst *rests[1] = {&bursts[0]};
  gnomon_point point{}, other{};
  gnomon_point *points[2] = {&point, &other};
  gnomon_fold_site free{}, kept{},
      apart{}; ///< with decisions; the first without them from phase 3 on, too
  gnomon_fold_site *foldSites[3] = {&free, &kept, &apart};
  uint32_t sites[2] = {0, 1};
  gnomon_module module{};

  Program() {
    for (gnomon_burst &burst : bursts)
      burst.flags = GNOMON_BURST_SKIPPABLE | GNOMON_BURST_ITERATION;
    point.rests = rests;
    point.rests_count = 1;
    module.bursts = all;
    module.burst_count = 4;
    module.points = points;
    module.point_count = 2;
    for (gnomon_fold_site *site : foldSites)
      site->flags = ByDecisions;
    free.flags |= Always;
    free.phase = 3;
    point.sites = sites;
    point.site_count = 2;
    module.fold_sites = foldSites;
    module.fold_site_count = 3;
  }
  void weaken(unsigned who, gnomon_burst **whom, uint32_t count) {
    bursts[who].flags |= GNOMON_BURST_WEAKENS;
    bursts[who].frail = whom;
    bursts[who].frail_count = count;
  }
  bool runs(unsigned which) const { return !(bursts[which].flags & GNOMON_BURST_SKIPPABLE); }
  void execute(const gnomon_point &executed) {
    runWhatPointsRestOn(module, [&](const gnomon_point &asked) { return &asked == &executed; });
  }
};

} // namespace

TEST(ExecutedPoints, RunWhatTheyRestOn) {
  Program program;
  program.bursts[0].phase = 2;
  program.execute(program.other);
  EXPECT_FALSE(program.runs(0));
  program.execute(program.point);
  EXPECT_TRUE(program.runs(0));
  EXPECT_EQ(program.bursts[0].flags, uint32_t{GNOMON_BURST_ITERATION});
  EXPECT_EQ(program.bursts[0].phase, 0u);
  EXPECT_STREQ(program.bursts[0].reason, "a decision that is not given rests on it");
  EXPECT_FALSE(program.runs(1));
}

// Intent: what runs must find its addresses and sizes right, and so on from burst to burst.
TEST(ExecutedPoints, RunWhatWeakensThem) {
  Program program;
  gnomon_burst *first[] = {&program.bursts[0]}, *second[] = {&program.bursts[1]};
  program.bursts[0].flags |= GNOMON_BURST_FRAIL;
  program.bursts[1].flags |= GNOMON_BURST_FRAIL;
  program.weaken(1, first, 1);
  program.weaken(2, second, 1);
  program.execute(program.point);
  EXPECT_TRUE(program.runs(1));
  EXPECT_TRUE(program.runs(2));
  EXPECT_FALSE(program.runs(3));
}

TEST(ExecutedPoints, RunWhatWeakensAll) {
  Program program;
  program.weaken(3, nullptr, 0);
  program.execute(program.point);
  EXPECT_FALSE(program.runs(3)); // the burst that decides is not frail
  program.bursts[0].flags |= GNOMON_BURST_SKIPPABLE | GNOMON_BURST_FRAIL;
  program.execute(program.point);
  EXPECT_TRUE(program.runs(3));
}

TEST(ExecutedPoints, LeaveWhatTheUserWantsSkipped) {
  Program program;
  program.bursts[0].flags |= GNOMON_BURST_FORCED;
  program.execute(program.point);
  EXPECT_FALSE(program.runs(0));
}

TEST(ExecutedPoints, KeepTheMemoryThatTheyRestOn) {
  Program program;
  program.execute(program.other);
  EXPECT_EQ(program.kept.flags, ByDecisions);
  program.execute(program.point);
  EXPECT_EQ(program.kept.flags, 0u);
  EXPECT_STREQ(program.kept.decided_reason, "a decision that is not given rests on it");
  EXPECT_EQ(program.free.flags, Always | ByDecisions);
  EXPECT_EQ(program.free.decided_phase, 3u);
  EXPECT_EQ(program.apart.flags, ByDecisions);
}
