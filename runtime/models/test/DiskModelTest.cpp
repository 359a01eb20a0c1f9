// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: reads and writes share their disk as the header's equations say, and a path lies on the
// disk with the longest mount point.
#include "models/DiskModel.h"

#include <gtest/gtest.h>

#include <vector>

using namespace gnomon;
using Direction = models::DiskModel::Direction;

namespace {

platform::Platform machine() {
  platform::Platform platform = platform::load("cluster:n=2,bw=1Gbps,lat=1us,speed=1Gf");
  platform.setDisks(
      {{"root", 0, 200e6, 100e6, "/", 0, 0, ""}, {"fast", 0, 4e9, 2e9, "/scratch", 0, 0.25, ""}});
  return platform;
}

class DiskModelTest : public ::testing::Test {
protected:
  void start(double date, models::DiskIndex disk, Direction direction, uint64_t bytes,
             uint64_t requests = 0) {
    operations.push_back({disk, direction, bytes, requests, -1});
    engine.at({date}, kernel::Action::of<&DiskModelTest::begin>(this, operations.size() - 1));
  }
  void begin(uint64_t index) {
    disks.start(operations[index].disk, operations[index].direction, operations[index].bytes,
                operations[index].requests, kernel::Action::of<&DiskModelTest::end>(this, index));
  }
  void end(uint64_t index) { operations[index].end = engine.now().seconds; }

  struct Operation {
    models::DiskIndex disk;
    Direction direction;
    uint64_t bytes, requests;
    double end;
  };
  platform::Platform platform = machine();
  kernel::Engine engine;
  models::DiskModel disks{engine, platform, {1e9, 5e8, 0.5}};
  std::vector<Operation> operations;
};

} // namespace

TEST_F(DiskModelTest, AloneEachDirectionHasItsBandwidth) {
  start(0, 0, Direction::Read, 100'000'000);
  start(1, 0, Direction::Write, 100'000'000);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 0.5);
  EXPECT_DOUBLE_EQ(operations[1].end, 2);
}

TEST_F(DiskModelTest, ReadsAndWritesTogetherHaveTheGreaterBandwidth) {
  // 100 MB/s each: the write may have no more, and the read what is left of max(R, W).
  start(0, 0, Direction::Read, 100'000'000);
  start(0, 0, Direction::Write, 100'000'000);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 1);
  EXPECT_DOUBLE_EQ(operations[1].end, 1);
}

TEST_F(DiskModelTest, OperationsShareAndTheRestSpeedsUp) {
  // Two reads at 100 MB/s from 0.1 s on; the first has 80 MB left then and ends at 0.9 s, when the
  // second has 20 MB left: 0.1 s at 200 MB/s.
  start(0, 0, Direction::Read, 100'000'000);
  start(0.1, 0, Direction::Read, 100'000'000);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 0.9);
  EXPECT_DOUBLE_EQ(operations[1].end, 1.0);
}

TEST_F(DiskModelTest, DisksDoNotDisturbEachOther) {
  start(0, 0, Direction::Read, 100'000'000);
  start(0, 1, Direction::Read, 400'000'000);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 0.5);
  EXPECT_DOUBLE_EQ(operations[1].end, 0.1);
}

TEST_F(DiskModelTest, RequestsKeepTheDiskBusy) {
  // Alone: 3 x 0.25 s + 1 s at 4 GB/s; later 2 x 0.25 s + 1 s at 2 GB/s. The third disk's are free.
  start(0, 1, Direction::Read, 4'000'000'000, 3);
  start(10, 1, Direction::Write, 2'000'000'000, 2);
  start(10, 0, Direction::Write, 100'000'000, 5);
  // Two at once take as long as one after the other.
  start(20, 1, Direction::Read, 4'000'000'000, 1);
  start(20, 1, Direction::Read, 4'000'000'000, 1);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 1.75);
  EXPECT_DOUBLE_EQ(operations[1].end, 11.5);
  EXPECT_DOUBLE_EQ(operations[2].end, 11);
  EXPECT_DOUBLE_EQ(operations[3].end, 22.5);
  EXPECT_DOUBLE_EQ(operations[4].end, 22.5);
}

TEST_F(DiskModelTest, NothingTakesNoTime) {
  start(2, 1, Direction::Write, 0, 1);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 2);
}

TEST_F(DiskModelTest, APathLiesOnTheDiskWithTheLongestMountPoint) {
  EXPECT_EQ(disks.find(0, "/home/data"), 0u);
  EXPECT_EQ(disks.find(0, "/scratch/data"), 1u);
  EXPECT_EQ(disks.find(0, "/scratch"), 1u);
  EXPECT_EQ(disks.find(0, "/scratches/data"), 0u);
}

TEST_F(DiskModelTest, AHostWithoutDiskHasTheDefaultOne) {
  const models::DiskIndex disk = disks.find(1, "/scratch/data");
  EXPECT_EQ(disk, 2u);
  EXPECT_EQ(disks.find(1, "/elsewhere"), disk);
  start(0, disk, Direction::Write, 500'000'000, 1);
  engine.run();
  EXPECT_DOUBLE_EQ(operations[0].end, 1.5);
}
