// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: bursts on a host get min(v, c v / n) each.
#include "models/CpuModel.h"

#include <gtest/gtest.h>

using namespace gnomon;

namespace {

class CpuModelTest : public ::testing::Test {
protected:
  void start(double date, double flops, platform::HostIndex host = 0) {
    ends.push_back(-1);
    work.push_back({flops, host});
    engine.at({date}, kernel::Action::of<&CpuModelTest::begin>(this, ends.size() - 1));
  }
  void begin(uint64_t index) {
    cpu.compute(work[index].second, work[index].first,
                kernel::Action::of<&CpuModelTest::end>(this, index));
  }
  void end(uint64_t index) { ends[index] = engine.now().seconds; }

  platform::Platform platform = platform::load("cluster:n=2,bw=1Gbps,lat=1us,speed=1Gf,cores=2");
  kernel::Engine engine;
  models::CpuModel cpu{engine, platform};
  std::vector<double> ends;
  std::vector<std::pair<double, platform::HostIndex>> work;
};

} // namespace

TEST_F(CpuModelTest, AloneABurstHasOneCore) {
  start(0, 3e9);
  engine.run();
  EXPECT_DOUBLE_EQ(ends[0], 3);
}

TEST_F(CpuModelTest, AsManyBurstsAsCoresDoNotDisturbEachOther) {
  start(0, 1e9);
  start(0.5, 1e9);
  engine.run();
  EXPECT_DOUBLE_EQ(ends[0], 1);
  EXPECT_DOUBLE_EQ(ends[1], 1.5);
}

TEST_F(CpuModelTest, MoreBurstsThanCoresShare) {
  // three bursts on two cores: 2/3 Gf each
  for (int i = 0; i < 3; ++i)
    start(0, 2e9);
  engine.run();
  for (double end : ends)
    EXPECT_DOUBLE_EQ(end, 3);
}

TEST_F(CpuModelTest, ShareChangesWhenABurstEnds) {
  // 0..1.5: 2/3 Gf each; the short one (1 Gflop) ends at 1.5; the others have 1 Gflop left: end
  // at 2.5
  start(0, 1e9);
  start(0, 2e9);
  start(0, 2e9);
  engine.run();
  EXPECT_DOUBLE_EQ(ends[0], 1.5);
  EXPECT_DOUBLE_EQ(ends[1], 2.5);
  EXPECT_DOUBLE_EQ(ends[2], 2.5);
}

TEST_F(CpuModelTest, EachChangeCountsFromTheChangeBefore) {
  // 3 Gflop each, at 0, 0, 1, 2: a rate of 1 till 1, 2/3 till 2, 1/2 while there are four. The
  // first two have 4/3 left at 2 and end at 2 + 8/3; the others have 1 and 5/3 left then, at full
  // speed
  for (double date : {0, 0, 1, 2})
    start(date, 3e9);
  engine.run();
  const double both = 2 + 8.0 / 3;
  EXPECT_DOUBLE_EQ(ends[0], both);
  EXPECT_DOUBLE_EQ(ends[1], both);
  EXPECT_DOUBLE_EQ(ends[2], both + 1);
  EXPECT_DOUBLE_EQ(ends[3], both + 5.0 / 3);
}

TEST_F(CpuModelTest, HostsAreIndependent) {
  for (int i = 0; i < 2; ++i)
    start(0, 1e9, 0);
  start(0, 1e9, 1);
  engine.run();
  for (double end : ends)
    EXPECT_DOUBLE_EQ(end, 1);
}

TEST_F(CpuModelTest, EmptyBurstEndsAtOnce) {
  start(1, 0);
  engine.run();
  EXPECT_DOUBLE_EQ(ends[0], 1);
}

TEST(Slowness, IsLinearBetweenPointsAndStaysAfterTheLast) {
  const models::Slowness slowness = models::Slowness::parse("2:1.2;4:2.4");
  EXPECT_DOUBLE_EQ(slowness(1, 1), 1);
  EXPECT_DOUBLE_EQ(slowness(2, 1), 1.2);
  EXPECT_DOUBLE_EQ(slowness(3, 1), 1.8);
  EXPECT_DOUBLE_EQ(slowness(4, 1), 2.4);
  EXPECT_DOUBLE_EQ(slowness(64, 1), 2.4);
  EXPECT_DOUBLE_EQ(models::Slowness::parse("4:4")(2, 1), 2);
  EXPECT_DOUBLE_EQ(models::Slowness()(8, 1), 1);
  for (const char *wrong : {"2", "1:1.2", "2:0.5", "4:2;2:3", "a:b", "2:1.2;;", "2:1.2;", ""})
    EXPECT_ANY_THROW(models::Slowness::parse(wrong)) << wrong;
}

TEST(Slowness, ActsOnTheShareThatMovesMemory) {
  EXPECT_DOUBLE_EQ(models::Slowness::parse("2:3")(2, 0.25), 1.5);
}

TEST(Slowness, EachBurstHasAShareOfItsOwn) {
  platform::Platform platform = platform::load("cluster:n=1,bw=1Gbps,lat=1us,speed=1Gf,cores=3");
  kernel::Engine engine;
  models::Slowness slowness = models::Slowness::parse("3:3");
  slowness.memoryShare = 0.5;
  models::CpuModel cpu(engine, platform, slowness);
  struct End {
    kernel::Engine *engine;
    double date;
  } ends[3];
  // At first 1 / 3, 1 and, by the model's own share, 1 / 2 of the speed.
  const double shares[] = {1, 0, models::ComputeModel::NotKnown};
  for (int i = 0; i < 3; ++i) {
    ends[i] = {&engine, 0};
    cpu.compute(0, 1e9,
                {[](void *o, uint64_t) {
                   auto *end = static_cast<End *>(o);
                   end->date = end->engine->now().seconds;
                 },
                 &ends[i], 0},
                shares[i]);
  }
  engine.run();
  // From 1 s on two are busy, slowness 2: 1 / 2 and 1 / 1.5; from 1.75 s on the first one is alone.
  EXPECT_NEAR(ends[1].date, 1, 1e-12);
  EXPECT_NEAR(ends[2].date, 1 + 0.5 * 1.5, 1e-12);
  EXPECT_NEAR(ends[0].date, 1.75 + (1 - 1.0 / 3 - 0.75 / 2), 1e-12);
}

TEST(Slowness, BurstsOfAHostSlowEachOtherDownWhileBothRun) {
  platform::Platform platform = platform::load("cluster:n=2,bw=1Gbps,lat=1us,speed=1Gf,cores=2");
  kernel::Engine engine;
  models::CpuModel cpu(engine, platform, models::Slowness::parse("2:1.5"));
  std::vector<double> ends;
  struct Note {
    kernel::Engine *engine;
    std::vector<double> *ends;
  } note{&engine, &ends};
  const kernel::Action done{[](void *o, uint64_t) {
                              auto *n = static_cast<Note *>(o);
                              n->ends->push_back(n->engine->now().seconds);
                            },
                            &note, 0};
  cpu.compute(0, 1e9, done); // both take 1.5 times as long
  cpu.compute(0, 3e9, done);
  cpu.compute(1, 1e9, done); // on another host
  engine.run();
  ASSERT_EQ(ends.size(), 3u);
  EXPECT_DOUBLE_EQ(ends[0], 1);
  EXPECT_DOUBLE_EQ(ends[1], 1.5);
  EXPECT_DOUBLE_EQ(ends[2], 1.5 + 2);
}

TEST(Slowness, MoreBurstsThanCoresShareSlowedCores) {
  platform::Platform platform = platform::load("cluster:n=1,bw=1Gbps,lat=1us,speed=1Gf,cores=2");
  kernel::Engine engine;
  models::CpuModel cpu(engine, platform, models::Slowness::parse("2:1.5"));
  for (int i = 0; i < 4; ++i)
    cpu.compute(0, 1e9, {[](void *, uint64_t) {}, nullptr, 0});
  engine.run();
  EXPECT_DOUBLE_EQ(engine.now().seconds, 3); // twice the bursts, 1.5 times as slow
}
