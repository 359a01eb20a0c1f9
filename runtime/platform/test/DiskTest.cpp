// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: disks of hosts are kept with their bandwidths and the properties of SimGrid's file
// systems, and what has no effect is said.
#include "Routes.h"

#include "support/Error.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::Contains;
using ::testing::HasSubstr;

namespace {

std::string withDisks(const std::string &disks) {
  return "<zone id='z' routing='Full'>\n<host id='a' speed='1Gf'/>\n<host id='b' speed='1Gf'>" +
         disks + "</host></zone>";
}

std::string errorOf(const std::string &disks) {
  try {
    inPlatform(withDisks(disks));
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST(Disk, IsKeptWithItsProperties) {
  Platform platform = inPlatform(
      withDisks("<disk id='d' read_bw='100MBps' write_bw='320Mbps'><prop id='size' value='500GiB'/>"
                "<prop id='mount' value='/scratch'/><prop id='content' value='files.txt'/>"
                "<prop id='access_latency' value='4ms'/><prop id='colour' "
                "value='grey'/></disk><disk id='e' read_bw='1' write_bw='2'/>"));
  ASSERT_EQ(platform.disks().size(), 2u);
  const Disk &disk = platform.disks()[0];
  EXPECT_EQ(disk.name, "d");
  EXPECT_EQ(disk.host, 1u);
  EXPECT_EQ(disk.readBandwidth, 1e8);
  EXPECT_EQ(disk.writeBandwidth, 4e7);
  EXPECT_EQ(disk.sizeBytes, 500 * 1073741824.0);
  EXPECT_EQ(disk.mountPoint, "/scratch");
  EXPECT_EQ(disk.latencySeconds, 0.004);
  EXPECT_EQ(disk.contentFile, "files.txt");
  EXPECT_EQ(platform.disks()[1].mountPoint, "/");
  EXPECT_EQ(platform.disks()[1].sizeBytes, 0);
  EXPECT_EQ(platform.disks()[1].latencySeconds, 0);
  EXPECT_THAT(platform.notes(), Contains(HasSubstr("property 'colour' of a disk has no effect")));
}

TEST(Disk, WhatIsWrongIsNamed) {
  EXPECT_THAT(errorOf("<disk id='d' write_bw='1'/>"),
              HasSubstr("test.xml:4: 'disk' needs the attribute 'read_bw'"));
  EXPECT_THAT(errorOf("<disk id='d' read_bw='0' write_bw='1'/>"),
              HasSubstr("read_bw: must be above zero"));
  EXPECT_THAT(errorOf("<disk id='d' read_bw='1' write_bw='1'/><disk id='d' read_bw='1' "
                      "write_bw='1'/>"),
              HasSubstr("a second disk 'd' of one host"));
}

TEST(Disk, OfAnotherHostIsNotUsedAndANoteSaysSo) {
  Platform platform = inPlatform(
      withDisks("<prop id='remote_disk' value='/scratch:d:h0'/><prop id='colour' value='grey'/>"));
  EXPECT_THAT(platform.notes(), Contains(HasSubstr("property 'remote_disk' has no effect")));
}
