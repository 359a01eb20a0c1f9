// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a platform file in SimGrid's language makes the hosts, links and routes that it means.
#include "Routes.h"

#include "platform/FileText.h"
#include "platform/HostFile.h"
#include "support/Error.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

using namespace gnomon::platform;
using ::testing::HasSubstr;

namespace {

constexpr const char *ThreeHosts =
    "<zone id='z' routing='ROUTING'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='2Gf' core='4'/><host id='c' speed='1Gf,500Mf' "
    "pstate='1'/>\n"
    "<link id='l1' bandwidth='1GBps' latency='1us'/>\n"
    "<link id='l2' bandwidth='2GBps' latency='2us' sharing_policy='FATPIPE'/>\n"
    "<link id='l3' bandwidth='3GBps' latency='3us' sharing_policy='SPLITDUPLEX'/>\n"
    "ROUTES</zone>\n";

Platform threeHosts(const std::string &routing, const std::string &routes) {
  std::string text = ThreeHosts;
  text.replace(text.find("ROUTING"), 7, routing);
  text.replace(text.find("ROUTES"), 6, routes);
  return inPlatform(text);
}

} // namespace

TEST(Xml, HostsAndLinks) {
  Platform platform = threeHosts("Full", "");
  ASSERT_EQ(platform.hosts().size(), 3u);
  EXPECT_EQ(platform.hosts()[1].speedFlops, 2e9);
  EXPECT_EQ(platform.hosts()[1].cores, 4u);
  EXPECT_EQ(platform.hosts()[2].speedFlops, 5e8);
  ASSERT_EQ(platform.links().size(), 4u);
  EXPECT_EQ(platform.links()[1].sharing, Sharing::FatPipe);
  EXPECT_EQ(platform.links()[2].name, "l3_UP");
  EXPECT_EQ(platform.links()[3].name, "l3_DOWN");
  EXPECT_EQ(platform.links()[3].bandwidth, 3e9);
  EXPECT_EQ(routeText(platform, "a", "a"), "") << "the model's loopback";
}

TEST(Xml, SymmetricalRouteIsReversedWithItsDirections) {
  Platform platform = threeHosts("Full", "<route src='a' dst='b'><link_ctn id='l1'/>"
                                         "<link_ctn id='l3' direction='UP'/></route>");
  EXPECT_EQ(routeText(platform, "a", "b"), "l1 l3_UP");
  EXPECT_EQ(routeText(platform, "b", "a"), "l3_DOWN l1");
  Route route;
  platform.route(0, 1, route);
  EXPECT_DOUBLE_EQ(route.latencySeconds, 4e-6);
}

TEST(Xml, OneWayRoutes) {
  Platform platform =
      threeHosts("Full", "<route src='a' dst='b' symmetrical='NO'><link_ctn id='l1'/></route>"
                         "<route src='b' dst='a' symmetrical='NO'><link_ctn id='l2'/></route>"
                         "<route src='a' dst='a'><link_ctn id='l2'/></route>");
  EXPECT_EQ(routeText(platform, "a", "b"), "l1");
  EXPECT_EQ(routeText(platform, "b", "a"), "l2");
  EXPECT_EQ(routeText(platform, "a", "a"), "l2");
}

TEST(Xml, ShortestPathTakesTheFewestLinks) {
  for (const char *routing : {"Floyd", "Dijkstra", "DijkstraCache"}) {
    Platform platform = threeHosts(
        routing,
        "<route src='a' dst='b'><link_ctn id='l1'/></route>"
        "<route src='b' dst='c'><link_ctn id='l3' direction='UP'/></route>"
        "<route src='a' dst='c'><link_ctn id='l1'/><link_ctn id='l2'/><link_ctn id='l2'/></route>");
    EXPECT_EQ(routeText(platform, "a", "c"), "l1 l3_UP") << routing;
    EXPECT_EQ(routeText(platform, "c", "a"), "l3_DOWN l1") << routing;
  }
}

TEST(Xml, ClusterWithEverything) {
  Platform platform = inPlatform(
      "<cluster id='c' prefix='n' suffix='.x' radical='0-2,7' speed='1Gf' core='2' bw='1GBps' "
      "lat='5us' "
      "bb_bw='10GBps' bb_lat='1us' limiter_link='1.5GBps' loopback_bw='5GBps' loopback_lat='0'/>");
  ASSERT_EQ(platform.hosts().size(), 4u);
  EXPECT_EQ(platform.hosts()[3].name, "n7.x");
  EXPECT_EQ(routeText(platform, "n0.x", "n7.x"),
            "c_link_0_limiter c_link_0_UP c_backbone c_link_7_DOWN c_link_7_limiter");
  EXPECT_EQ(routeText(platform, "n1.x", "n1.x"), "c_link_1_loopback");
}

TEST(Xml, HostOfAClusterWithoutLoopbackReachesItselfOverItsOwnLink) {
  Platform split = inPlatform(
      "<cluster id='c' prefix='n' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='5us'/>");
  EXPECT_EQ(routeText(split, "n0", "n0"), "c_link_0_UP c_link_0_DOWN");
  Platform shared =
      inPlatform("<cluster id='c' prefix='n' suffix='' radical='0-1' speed='1Gf' bw='1GBps' "
                 "lat='5us' sharing_policy='SHARED'/>");
  EXPECT_EQ(routeText(shared, "n0", "n0"), "c_link_0") << "a link counts once";
  EXPECT_EQ(routeText(shared, "n0", "n1"), "c_link_0 c_link_1");
}

TEST(Xml, ClustersJoinedThroughGateways) {
  Platform platform = inPlatform("<zone id='w' routing='Full'>\n"
                                 "<cluster id='c1' prefix='a' suffix='' radical='0-1' speed='1Gf' "
                                 "bw='1GBps' lat='5us' bb_bw='9GBps'/>\n"
                                 "<cluster id='c2' prefix='b' suffix='' radical='0-1' speed='1Gf' "
                                 "bw='1GBps' lat='5us' router_id='r2'/>\n"
                                 "<link id='wan' bandwidth='1GBps' latency='1ms'/>\n"
                                 "<zoneRoute src='c1' dst='c2' gw_src='ac1_router' "
                                 "gw_dst='r2'><link_ctn id='wan'/></zoneRoute></zone>\n");
  EXPECT_EQ(routeText(platform, "a0", "b1"), "c1_link_0_UP c1_backbone wan c2_link_1_DOWN");
  EXPECT_EQ(routeText(platform, "b1", "a0"), "c2_link_1_UP wan c1_backbone c1_link_0_DOWN");
}

TEST(Xml, ZonesWithinZones) {
  Platform platform = inPlatform(
      "<AS id='w' routing='Full'>\n"
      " <AS id='in' routing='Full'>\n"
      "  <AS id='deep' routing='Full'><host id='a' speed='1Gf'/><router id='dr'/>\n"
      "   <link id='l1' bandwidth='1GBps' latency='1us'/>\n"
      "   <route src='a' dst='dr'><link_ctn id='l1'/></route></AS>\n"
      "  <host id='b' speed='1Gf'/><link id='l2' bandwidth='1GBps' latency='1us'/>\n"
      "  <AS id='other' routing='Full'><host id='d' speed='1Gf'/></AS>\n"
      "  <ASroute src='deep' dst='other' gw_src='dr' gw_dst='d'><link_ctn id='l2'/></ASroute>\n"
      " </AS>\n"
      " <AS id='out' routing='Full'><host id='c' speed='1Gf'/></AS>\n"
      " <link id='l3' bandwidth='1GBps' latency='1us'/>\n"
      " <ASroute src='in' dst='out' gw_src='dr' gw_dst='c'><link_ctn id='l3'/></ASroute>\n"
      "</AS>\n");
  EXPECT_EQ(routeText(platform, "a", "d"), "l1 l2");
  EXPECT_EQ(routeText(platform, "a", "c"), "l1 l3");
  EXPECT_EQ(routeText(platform, "c", "d"), "l3 l2");
}

TEST(Xml, PathsThroughAZoneCrossItBetweenItsGateways) {
  Platform platform = inPlatform(
      "<zone id='w' routing='Floyd'>\n"
      "<zone id='core' routing='Full'><router id='r1'/><router id='r2'/>\n"
      " <link id='inside' bandwidth='1GBps' latency='1us'/>\n"
      " <route src='r1' dst='r2'><link_ctn id='inside'/></route></zone>\n"
      "<cluster id='c1' prefix='a' suffix='' radical='0' speed='1Gf' bw='1GBps' lat='5us' "
      "router_id='g1'/>\n"
      "<cluster id='c2' prefix='b' suffix='' radical='0' speed='1Gf' bw='1GBps' lat='5us' "
      "router_id='g2'/>\n"
      "<link id='l1' bandwidth='1GBps' latency='1us'/><link id='l2' bandwidth='1GBps' "
      "latency='1us'/>\n"
      "<zoneRoute src='c1' dst='core' gw_src='g1' gw_dst='r1'><link_ctn id='l1'/></zoneRoute>\n"
      "<zoneRoute src='c2' dst='core' gw_src='g2' gw_dst='r2'><link_ctn "
      "id='l2'/></zoneRoute></zone>\n");
  EXPECT_EQ(routeText(platform, "a0", "b0"), "c1_link_0_UP l1 inside l2 c2_link_0_DOWN");
}

TEST(Xml, ClusterZoneOfHostLinksAndCabinets) {
  Platform platform = inPlatform(
      "<zone id='z' routing='Cluster'>\n"
      "<host id='a' speed='1Gf'/><link id='u' bandwidth='1GBps' latency='1us'/><link id='d' "
      "bandwidth='1GBps'/>\n"
      "<host_link id='a' up='u' down='d'/>\n"
      "<cabinet id='k' prefix='n' suffix='' radical='1-2' speed='1Gf' bw='1GBps' lat='1us'/>\n"
      "<router id='r'/><backbone id='bb' bandwidth='9GBps' latency='1us'/></zone>\n");
  EXPECT_EQ(routeText(platform, "a", "n2"), "u bb link_n2_DOWN");
  EXPECT_EQ(routeText(platform, "n1", "a"), "link_n1_UP bb d");
}

TEST(Xml, HostLinksOfASplitDuplexLinkKeepTheirDirections) {
  Platform platform = inPlatform(
      "<zone id='z' routing='Cluster'>\n"
      "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
      "<link id='s' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>\n"
      "<link id='t' bandwidth='1GBps' sharing_policy='SPLITDUPLEX'/>\n"
      "<host_link id='a' up='s_UP' down='s_DOWN'/><host_link id='b' up='t' down='t'/></zone>\n");
  EXPECT_EQ(routeText(platform, "a", "b"), "s_UP t_DOWN");
  EXPECT_EQ(routeText(platform, "b", "a"), "t_UP s_DOWN");
}

TEST(Xml, ConfigIsHandedOn) {
  Platform platform = inPlatform(
      "<config id='General'>\n<prop id='network/TCP-gamma' value='0'/></config>\n"
      "<cluster id='c' prefix='n' suffix='' radical='0' speed='1Gf' bw='1GBps' lat='5us'/>");
  ASSERT_EQ(platform.config().size(), 1u);
  EXPECT_EQ(platform.config()[0].key, "network/TCP-gamma");
  EXPECT_EQ(platform.config()[0].value, "0");
  EXPECT_EQ(platform.config()[0].line, 3);
}

TEST(Xml, OddInputIsNoted) {
  Platform platform = inPlatform("<cluster id='c' prefix='n' suffix='' radical='0' speed='1' "
                                 "bw='125' lat='5us'><prop id='x' value='y'/></cluster>");
  std::string notes;
  for (const Note &note : platform.notes())
    notes += note.render() + "\n";
  EXPECT_THAT(notes, HasSubstr("test.xml:2: speed: \"1\" has no unit, taken in flop/s"));
  EXPECT_THAT(notes, HasSubstr("bw: \"125\" has no unit, taken in bytes/s"));
  EXPECT_THAT(notes, HasSubstr("properties (<prop>) have no effect"));
}

TEST(Xml, WhatSimGridReadsOverIsNoted) {
  Platform platform = inPlatform(
      "<random id='r' min='0' max='1' mean='0' std_deviation='1'/>"
      "<zone id='z' routing='Full'><host id='a' speed='1Gf, 2Gf' pstate='1.0' coordinates='1 2 3'/>"
      "</zone>");
  EXPECT_EQ(platform.hosts()[0].speedFlops, 2e9);
  ASSERT_EQ(platform.notes().size(), 3u);
  EXPECT_THAT(platform.notes()[0], HasSubstr("'random' has no effect"));
  EXPECT_THAT(platform.notes()[1], HasSubstr("only the one that pstate selects"));
  EXPECT_THAT(platform.notes()[2], HasSubstr("coordinates have no effect"));
}

TEST(Xml, EveryFileOfThePlatformsFolderLoadsAndAllItsHostsReachEachOther) {
  int count = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(GNOMON_PLATFORMS)) {
    if (entry.path().extension() != ".xml")
      continue;
    ++count;
    if (entry.path().parent_path().filename() == "mpi") { // a library, not a machine
      EXPECT_FALSE(loadConfig(readText(entry.path().string()), entry.path().string()).empty());
      EXPECT_THROW(load(entry.path().string()), gnomon::InputError);
      continue;
    }
    Platform platform = load(entry.path().string());
    EXPECT_TRUE(platform.notes().empty()) << entry.path();
    EXPECT_NO_THROW(placeRanks(platform, static_cast<uint32_t>(platform.hosts().size())));
  }
  EXPECT_GE(count, 10);
}

// The comment of each generic topology gives the same machine in one line.
TEST(Xml, GenericTopologiesAreTheirBuiltIns) {
  for (const char *name : {"torus", "fat-tree", "dragonfly"}) {
    const std::string path = std::string(GNOMON_PLATFORMS) + "/generic/" + name + ".xml";
    std::ifstream file(path);
    std::string line, builtIn;
    while (std::getline(file, line))
      if (size_t at = line.find("in one line: "); at != std::string::npos)
        builtIn = line.substr(at + 13);
    ASSERT_FALSE(builtIn.empty()) << path;
    Platform fromFile = load(path), fromLine = load(builtIn);
    ASSERT_EQ(fromFile.links().size(), fromLine.links().size()) << path;
    for (size_t i = 0; i < fromFile.links().size(); ++i) {
      EXPECT_EQ(fromFile.links()[i].name, fromLine.links()[i].name);
      EXPECT_EQ(fromFile.links()[i].bandwidth, fromLine.links()[i].bandwidth);
      EXPECT_EQ(fromFile.links()[i].latencySeconds, fromLine.links()[i].latencySeconds);
    }
    EXPECT_EQ(routeText(fromFile, "node-1", "node-62"), routeText(fromLine, "node-1", "node-62"));
    EXPECT_EQ(fromFile.hosts()[63].cores, fromLine.hosts()[63].cores);
  }
}
