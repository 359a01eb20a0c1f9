// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every usual form of a host file is read, slots are filled in order, and mistakes name
// file and line.
#include "platform/HostFile.h"

#include "Routes.h"
#include "support/Error.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
std::string errorOf(const std::string &text) {
  try {
    parseHostFile(text, "hosts");
  } catch (const InputError &error) {
    return error.what();
  }
  return "accepted";
}
} // namespace

TEST(HostFile, Forms) {
  HostFile hosts = parseHostFile("# all forms\r\n"
                                 "a\r\n"
                                 "\n"
                                 "  b:4   # four\n"
                                 "c slots=3\n"
                                 "\td\t",
                                 "hosts");
  ASSERT_EQ(hosts.entries.size(), 4u);
  EXPECT_EQ(hosts.entries[0].name, "a");
  EXPECT_EQ(hosts.entries[0].slots, 1u);
  EXPECT_EQ(hosts.entries[1].name, "b");
  EXPECT_EQ(hosts.entries[1].slots, 4u);
  EXPECT_EQ(hosts.entries[2].slots, 3u);
  EXPECT_EQ(hosts.entries[3].name, "d");
  EXPECT_EQ(hosts.entries[3].line, 6);
}

TEST(HostFile, Mistakes) {
  EXPECT_THAT(errorOf(""), HasSubstr("names no host"));
  EXPECT_THAT(errorOf("# only this\n\n"), HasSubstr("names no host"));
  EXPECT_THAT(errorOf("a\nn1:99999999999\n"), HasSubstr("hosts:2: number of slots"));
  EXPECT_THAT(errorOf("a:99999999999999999999999\n"), HasSubstr("out of range"));
  EXPECT_THAT(errorOf("a:0\n"), HasSubstr("not between"));
  EXPECT_THAT(errorOf("a:-1\n"), HasSubstr("not a whole number"));
  EXPECT_THAT(errorOf("a slots=x\n"), HasSubstr("not a whole number"));
  EXPECT_THAT(errorOf("a max-slots=4\n"), HasSubstr("'max-slots=4' is not understood"));
  EXPECT_THAT(errorOf(":4\n"), HasSubstr("host name is missing"));
  EXPECT_THROW(readHostFile("/nonexistent"), InputError);
}

TEST(HostFile, SlotsAreFilledInOrder) {
  Platform platform = load("cluster:n=3,bw=1Gbps,lat=1us");
  HostFile hosts = parseHostFile("node-2:2\nnode-0\n", "hosts");
  Placement placement = placeRanks(hosts, platform, 3);
  EXPECT_THAT(placement.hostOfRank, ElementsAre(2, 2, 0));
  EXPECT_EQ(placement.note, "");
}

TEST(HostFile, HostsMayBeNamedInAnyOrderAndSeveralTimes) {
  Platform platform = load("cluster:n=12,bw=1Gbps,lat=1us");
  HostFile hosts =
      parseHostFile("node-0\nnode-1\nnode-10\nnode-11\nnode-2\nnode-2\nnode-3\n", "hosts");
  EXPECT_THAT(placeRanks(hosts, platform, 7).hostOfRank, ElementsAre(0, 1, 10, 11, 2, 2, 3));
}

TEST(HostFile, MoreRanksThanSlotsGoRoundWithANote) {
  Platform platform = load("cluster:n=3,bw=1Gbps,lat=1us");
  HostFile hosts = parseHostFile("node-2:2\nnode-0\n", "hosts");
  Placement placement = placeRanks(hosts, platform, 5);
  EXPECT_THAT(placement.hostOfRank, ElementsAre(2, 2, 0, 2, 2));
  EXPECT_EQ(placement.note, "5 ranks on 3 slots: placed round robin");
  EXPECT_THAT(placeRanks(platform, 5).hostOfRank, ElementsAre(0, 1, 2, 0, 1));
}

TEST(HostFile, UnknownHostIsNamedWithTheNearest) {
  Platform platform = load("cluster:n=3,bw=1Gbps,lat=1us");
  try {
    placeRanks(parseHostFile("node-0\nnode-33\n", "hosts"), platform, 2);
    FAIL();
  } catch (const InputError &error) {
    EXPECT_EQ(error.line(), 2);
    EXPECT_THAT(error.what(), HasSubstr("no host 'node-33'; did you mean 'node-"));
  }
}

TEST(HostFile, RanksOnHostsWithoutRouteAreRefused) {
  Platform platform =
      inPlatform("<zone id='z' routing='Full'>\n"
                 "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/><host id='c' speed='1Gf'/>\n"
                 "<link id='l' bandwidth='1GBps' latency='1us'/>\n"
                 "<route src='a' dst='b'><link_ctn id='l'/></route></zone>\n");
  EXPECT_NO_THROW(placeRanks(parseHostFile("a\nb\n", "hosts"), platform, 2));
  try {
    placeRanks(parseHostFile("a\nc\n", "hosts"), platform, 2);
    FAIL();
  } catch (const InputError &error) {
    EXPECT_THAT(error.what(), HasSubstr("test.xml: no route from 'a' to 'c'"));
  }
}
