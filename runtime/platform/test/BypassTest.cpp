// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a bypass replaces the route of the zone it stands in, for the pairs it is written for and
// no others, at any depth of zones. The expected routes are SimGrid 3.32's.
#include "Routes.h"

#include "platform/HostFile.h"
#include "support/Error.h"

#include <gmock/gmock.h>

using namespace gnomon;
using namespace gnomon::platform;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Zones A (of A1 and A2) and B (of B1 and B2); hosts a1 and a1b of A1 and b1 of B1 behind routers.
/// \p bypasses stand in the outermost zone, \p inner in A1.
std::string twoByTwo(const std::string &bypasses, const std::string &inner = "") {
  std::string links;
  for (const char *name : {"la1", "la1b", "lax", "laa", "lb1", "lbb", "wan", "by1", "by2", "by3"})
    links += std::string("<link id='") + name + "' bandwidth='1GBps' latency='1us'/>";
  return "<zone id='W' routing='Full'>" + links +
         "<zone id='A' routing='Full'>"
         "<zone id='A1' routing='Full'><host id='a1' speed='1Gf'/><host id='a1b' speed='1Gf'/>"
         "<router id='ra1'/><route src='a1' dst='ra1'><link_ctn id='la1'/></route>"
         "<route src='a1b' dst='ra1'><link_ctn id='la1b'/></route>"
         "<route src='a1' dst='a1b'><link_ctn id='lax'/></route>" +
         inner +
         "</zone><zone id='A2' routing='Full'><host id='a2' speed='1Gf'/></zone>"
         "<zoneRoute src='A1' dst='A2' gw_src='ra1' gw_dst='a2'><link_ctn id='laa'/></zoneRoute>"
         "</zone><zone id='B' routing='Full'>"
         "<zone id='B1' routing='Full'><host id='b1' speed='1Gf'/><router id='rb1'/>"
         "<route src='b1' dst='rb1'><link_ctn id='lb1'/></route></zone>"
         "<zone id='B2' routing='Full'><host id='b2' speed='1Gf'/></zone>"
         "<zoneRoute src='B1' dst='B2' gw_src='rb1' gw_dst='b2'><link_ctn id='lbb'/></zoneRoute>"
         "</zone>"
         "<zoneRoute src='A' dst='B' gw_src='ra1' gw_dst='rb1'><link_ctn id='wan'/></zoneRoute>" +
         bypasses + "</zone>";
}

std::string between(const char *from, const char *to, const char *gateways, const char *link) {
  return std::string("<bypassZoneRoute src='") + from + "' dst='" + to + "' " + gateways +
         "><link_ctn id='" + link + "'/></bypassZoneRoute>";
}

const std::string FromA1 = between("A1", "B1", "gw_src='ra1' gw_dst='rb1'", "by1");

} // namespace

TEST(Bypass, BetweenTwoHostsOfAZoneInOneDirection) {
  Platform platform = inPlatform(twoByTwo(
      "",
      "<bypassRoute src='a1' dst='a1b'><link_ctn id='la1'/><link_ctn id='la1b'/></bypassRoute>"));
  EXPECT_EQ(routeText(platform, "a1", "a1b"), "la1 la1b");
  EXPECT_EQ(routeText(platform, "a1b", "a1"), "lax");
  EXPECT_EQ(routeText(platform, "a1", "a2"), "la1 laa");
}

TEST(Bypass, BetweenZonesDeepBelow) {
  Platform platform = inPlatform(twoByTwo(FromA1));
  EXPECT_EQ(routeText(platform, "a1", "b1"), "la1 by1 lb1");
  EXPECT_EQ(routeText(platform, "a1", "b2"), "la1 wan lbb") << "B2 is not in B1";
  EXPECT_EQ(routeText(platform, "b1", "a1"), "lb1 wan la1") << "no way back";
}

TEST(Bypass, EndsOfDifferentDepth) {
  Platform platform = inPlatform(twoByTwo(between("A2", "B", "gw_src='a2' gw_dst='b2'", "by2") +
                                          between("B", "A1", "gw_src='b2' gw_dst='a1'", "by3")));
  EXPECT_EQ(routeText(platform, "a2", "b1"), "by2 lbb lb1");
  EXPECT_EQ(routeText(platform, "a2", "b2"), "by2");
  EXPECT_EQ(routeText(platform, "b1", "a1b"), "lb1 lbb by3 lax");
  EXPECT_EQ(routeText(platform, "b1", "a2"), "lb1 wan laa");
}

TEST(Bypass, TheNearestOfSeveralCounts) {
  const std::string outer = between("A", "B", "gw_src='ra1' gw_dst='rb1'", "by2");
  const std::string mixed = between("A1", "B", "gw_src='ra1' gw_dst='rb1'", "by3");
  EXPECT_EQ(routeText(inPlatform(twoByTwo(outer)), "a1", "b1"), "la1 by2 lb1");
  EXPECT_EQ(routeText(inPlatform(twoByTwo(outer + mixed)), "a1", "b1"), "la1 by3 lb1");
  EXPECT_EQ(routeText(inPlatform(twoByTwo(outer + mixed + FromA1)), "a1", "b1"), "la1 by1 lb1");
}

TEST(Bypass, CountsWithinThePartsOfARoute) {
  Platform platform = inPlatform(
      twoByTwo("", "<bypassRoute src='a1' dst='ra1'><link_ctn id='lax'/><link_ctn id='la1b'/>"
                   "</bypassRoute>"));
  EXPECT_EQ(routeText(platform, "a1", "b1"), "lax la1b wan lb1");
}

TEST(Bypass, OneThatCannotCountIsNoted) {
  // SimGrid looks for a bypass in the innermost zone that holds both ends, and only there.
  Platform platform = inPlatform(
      twoByTwo("<bypassRoute src='a1' dst='a1b'><link_ctn id='by1'/></bypassRoute>"
               "<bypassASroute src='B1' dst='B2' gw_src='rb1' gw_dst='b2'><link_ctn id='by1'/>"
               "</bypassASroute>"));
  EXPECT_EQ(routeText(platform, "a1", "a1b"), "lax");
  EXPECT_EQ(routeText(platform, "b1", "b2"), "lb1 lbb");
  EXPECT_THAT(platform.notes(), ElementsAre(HasSubstr("from 'a1' to 'a1b' has no effect here"),
                                            HasSubstr("from 'B1' to 'B2' has no effect here")));
}

TEST(Bypass, TheOnlyRoutesOfAZoneWithRoutingNone) {
  const std::string hosts = "<zone id='z' routing='None'><host id='a' speed='1Gf'/>"
                            "<host id='b' speed='1Gf'/><link id='l' bandwidth='1GBps'/>"
                            "<bypassRoute src='a' dst='b'><link_ctn id='l'/></bypassRoute>";
  Platform joined =
      inPlatform(hosts + "<bypassRoute src='b' dst='a'><link_ctn id='l'/></bypassRoute></zone>");
  EXPECT_EQ(routeText(joined, "a", "b"), "l");
  EXPECT_EQ(routeText(joined, "a", "a"), "");
  EXPECT_NO_THROW(placeRanks(joined, 2));
  Platform oneWay = inPlatform(hosts + "</zone>");
  try {
    placeRanks(oneWay, 2);
    FAIL() << "b does not reach a";
  } catch (const InputError &error) {
    EXPECT_THAT(error.what(), HasSubstr("no route from 'b' to 'a'"));
  }
}
