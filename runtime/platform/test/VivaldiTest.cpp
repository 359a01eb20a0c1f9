// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: in a zone with routing Vivaldi the latency is the distance of the coordinates plus both
// heights, in milliseconds, and peers have links of their own.
#include "Routes.h"

#include "platform/HostFile.h"
#include "support/Error.h"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::platform;

namespace {

Route routeOf(const Platform &platform, const char *from, const char *to) {
  Route route;
  platform.route(platform.findHost(from).value(), platform.findHost(to).value(), route);
  return route;
}

} // namespace

TEST(Vivaldi, LatencyIsDistanceAndHeights) {
  // sqrt(3^2 + 4^2) + 1.5 + 2.25 = 8.75 ms; heights count by their size, also of the same host.
  Platform platform = inPlatform("<zone id='z' routing='Vivaldi'>"
                                 "<host id='a' speed='1Gf' coordinates='1.0 -2.0 1.5'/>"
                                 "<host id='b' speed='1Gf' coordinates='-2 2 -2.25'/></zone>");
  const Route route = routeOf(platform, "a", "b");
  EXPECT_TRUE(route.links.empty());
  EXPECT_DOUBLE_EQ(route.latencySeconds, 8.75e-3);
  EXPECT_DOUBLE_EQ(route.distanceSeconds, 8.75e-3);
  EXPECT_DOUBLE_EQ(routeOf(platform, "b", "b").latencySeconds, 4.5e-3);
}

TEST(Vivaldi, PeersSendOverTheirOwnLinks) {
  Platform platform = inPlatform(
      "<zone id='z' routing='vivaldi'>"
      "<peer id='a' speed='1Gf' bw_in='10MBps' bw_out='2MBps' coordinates='0 0 1'/>"
      "<peer id='b' speed='1Gf' bw_in='20MBps' bw_out='4MBps' coordinates='0 10 2'/></zone>");
  EXPECT_EQ(routeText(platform, "a", "b"), "link_a_UP link_b_DOWN");
  const Route route = routeOf(platform, "a", "b");
  EXPECT_EQ(platform.links()[route.links[0]].bandwidth, 2e6);
  EXPECT_EQ(platform.links()[route.links[1]].bandwidth, 2e7);
  EXPECT_DOUBLE_EQ(route.latencySeconds, 13e-3);
}

TEST(Vivaldi, InsideAnotherZoneThroughARouter) {
  Platform platform = inPlatform(
      "<zone id='w' routing='Full'><zone id='v' routing='Vivaldi'>"
      "<peer id='a' speed='1Gf' bw_in='10MBps' bw_out='2MBps' coordinates='0 0 1'/>"
      "<router id='r' coordinates='6 8 0'/></zone>"
      "<zone id='f' routing='Full'><host id='c' speed='1Gf'/></zone>"
      "<link id='l' bandwidth='1GBps' latency='2ms'/>"
      "<zoneRoute src='v' dst='f' gw_src='r' gw_dst='c'><link_ctn id='l'/></zoneRoute></zone>");
  EXPECT_EQ(routeText(platform, "c", "a"), "l link_a_DOWN");
  EXPECT_DOUBLE_EQ(routeOf(platform, "c", "a").latencySeconds, 13e-3);
}

TEST(Vivaldi, ZonesStandWhereTheirRoutersStand) {
  auto zone = [](const std::string &id, const std::string &place) {
    return "<zone id='" + id + "' routing='Full'><host id='h" + id +
           "' speed='1Gf'/><router id='router_" + id + "' coordinates='" + place +
           "'/><link id='l" + id + "' bandwidth='1GBps' latency='1ms'/><route src='h" + id +
           "' dst='router_" + id + "'><link_ctn id='l" + id + "'/></route></zone>";
  };
  Platform platform =
      inPlatform("<zone id='v' routing='Vivaldi'>" + zone("p", "0 0 1") + zone("q", "3 4 0") +
                 "<zone id='lost' routing='Full'><host id='hl' speed='1Gf'/></zone></zone>");
  EXPECT_EQ(routeText(platform, "hp", "hq"), "lp lq");
  EXPECT_DOUBLE_EQ(routeOf(platform, "hp", "hq").latencySeconds, 8e-3);
  EXPECT_NO_THROW(placeRanks(platform, 2));
  EXPECT_THROW(placeRanks(platform, 3), InputError) << "a zone without a place has no route";
}
