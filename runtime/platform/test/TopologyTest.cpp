// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: routes of tori, fat trees and dragonflies are link by link those that their definitions
// (Torus.cpp, FatTree.cpp, Dragonfly.cpp) give on paper.
#include "Routes.h"

#include "platform/HostFile.h"

#include <gmock/gmock.h>

#include <map>

using namespace gnomon;
using namespace gnomon::platform;

namespace {

Platform cluster(const std::string &topology, const std::string &parameters, uint32_t hosts,
                 const std::string &more = "") {
  return inPlatform("<cluster id='c' prefix='' suffix='' radical='0-" + std::to_string(hosts - 1) +
                    "' speed='1Gf' bw='1GBps' lat='1us' topology='" + topology +
                    "' topo_parameters='" + parameters + "' " + more + "/>");
}

Platform torus(const std::string &sizes, uint32_t hosts, const std::string &more = "") {
  return cluster("TORUS", sizes, hosts, more);
}

/// The two numbers after \p prefix in \p name: "…from_3_to_4_UP".
std::pair<uint32_t, uint32_t> ends(const std::string &name, const std::string &prefix,
                                   const std::string &between) {
  size_t at = name.find(prefix) + prefix.size(), then = name.find(between, at);
  return {static_cast<uint32_t>(std::stoul(name.substr(at))),
          static_cast<uint32_t>(std::stoul(name.substr(then + between.size())))};
}

/// The node at which \p name arrives that leaves \p at; every link must begin where the last ended.
uint32_t walk(const std::string &name, uint32_t at, const std::string &prefix,
              const std::string &between) {
  auto [low, high] = ends(name, prefix, between);
  if (name.ends_with("_DOWN"))
    std::swap(low, high);
  EXPECT_EQ(low, at) << name;
  return high;
}

} // namespace

TEST(Torus, Ring) {
  Platform ring = torus("5", 5);
  EXPECT_EQ(routeText(ring, "0", "2"), "c_link_from_0_to_1_UP c_link_from_1_to_2_UP");
  EXPECT_EQ(routeText(ring, "0", "3"), "c_link_from_4_to_0_DOWN c_link_from_3_to_4_DOWN");
  EXPECT_EQ(routeText(ring, "4", "1"), "c_link_from_4_to_0_UP c_link_from_0_to_1_UP");
  EXPECT_EQ(routeText(ring, "3", "3"), "");
}

TEST(Torus, HalfWayRoundIsForwardButFromTheMiddleToTheBeginning) {
  Platform grid = torus("4,4", 16);
  EXPECT_EQ(routeText(grid, "0", "2"), "c_link_from_0_to_1_UP c_link_from_1_to_2_UP");
  EXPECT_EQ(routeText(grid, "1", "3"), "c_link_from_1_to_2_UP c_link_from_2_to_3_UP");
  EXPECT_EQ(routeText(grid, "2", "0"), "c_link_from_1_to_2_DOWN c_link_from_0_to_1_DOWN");
  EXPECT_EQ(routeText(grid, "3", "1"), "c_link_from_3_to_0_UP c_link_from_0_to_1_UP");
  EXPECT_EQ(routeText(grid, "0", "15"), "c_link_from_3_to_0_DOWN c_link_from_15_to_3_DOWN");
  EXPECT_EQ(routeText(grid, "15", "0"), "c_link_from_15_to_12_UP c_link_from_12_to_0_UP");
}

TEST(Torus, ThreeDimensionsInTheirOrder) {
  Platform box = torus("3,2,2", 12);
  EXPECT_EQ(routeText(box, "0", "11"),
            "c_link_from_2_to_0_DOWN c_link_from_2_to_5_UP c_link_from_5_to_11_UP");
  EXPECT_EQ(routeText(box, "11", "0"),
            "c_link_from_11_to_9_UP c_link_from_6_to_9_DOWN c_link_from_0_to_6_DOWN");
}

TEST(Torus, EveryRouteIsConnectedShortestAndInTheOrderOfDimensions) {
  const std::vector<uint32_t> sizes{5, 4, 3};
  Platform box = torus("5,4,3", 60);
  Route route;
  for (HostIndex from = 0; from < 60; ++from)
    for (HostIndex to = 0; to < 60; ++to) {
      uint32_t distance = 0, stride = 1, at = from, lastStep = 0;
      for (uint32_t size : sizes) {
        uint32_t gap = (to / stride % size + size - from / stride % size) % size;
        distance += std::min(gap, size - gap);
        stride *= size;
      }
      box.route(from, to, route);
      EXPECT_EQ(route.links.size(), distance);
      for (LinkIndex link : route.links) {
        uint32_t next = walk(box.links()[link].name, at, "_from_", "_to_");
        uint32_t step = at / 20 != next / 20 ? 2 : at / 5 != next / 5 ? 1 : 0;
        EXPECT_GE(step, lastStep);
        lastStep = step;
        at = next;
      }
      EXPECT_EQ(at, to);
    }
}

TEST(Torus, LimitersOfTheHostsLeftAndOfTheTarget) {
  Platform ring = torus("5", 5, "limiter_link='2GBps' loopback_bw='3GBps' loopback_lat='4ns'");
  EXPECT_EQ(routeText(ring, "0", "2"),
            "c_link_0_limiter c_link_from_0_to_1_UP c_link_1_limiter c_link_from_1_to_2_UP "
            "c_link_2_limiter");
  EXPECT_EQ(routeText(ring, "4", "4"), "c_link_4_loopback");
  EXPECT_EQ(ring.links()[4].latencySeconds, 4e-9);
  EXPECT_EQ(ring.links()[4].sharing, Sharing::FatPipe);
}

TEST(Torus, OneLinkForBothDirections) {
  Platform shared = torus("4", 4, "sharing_policy='SHARED'");
  EXPECT_EQ(routeText(shared, "0", "1"), "c_link_from_0_to_1");
  EXPECT_EQ(routeText(shared, "1", "0"), "c_link_from_0_to_1");
  EXPECT_EQ(shared.links().size(), 4u);
  EXPECT_EQ(torus("4", 4, "sharing_policy='FATPIPE'").links()[0].sharing, Sharing::FatPipe);
}

// Switches are numbered down from 2 hosts - 1, level by level; cables up.
TEST(FatTree, OneLevelOfParallelSwitches) {
  // Port 3 of 2 x 3: switch 3 mod 2 = 1, cable 3 / 2 = 1.
  Platform tree = cluster("FAT_TREE", "1;4;2;3", 4);
  EXPECT_EQ(routeText(tree, "0", "3"), "link_from_0_6_4_UP link_from_3_6_21_DOWN");
  EXPECT_EQ(routeText(tree, "3", "0"), "link_from_3_7_18_UP link_from_0_7_0_DOWN");
}

TEST(FatTree, TwoLevels) {
  Platform tree = cluster("FAT_TREE", "2;4,4;1,2;1,2", 16);
  EXPECT_EQ(routeText(tree, "0", "1"), "link_from_0_31_0_UP link_from_1_31_1_DOWN");
  EXPECT_EQ(routeText(tree, "0", "5"), "link_from_0_31_0_UP link_from_31_26_18_UP "
                                       "link_from_30_26_22_DOWN link_from_5_30_5_DOWN");
  EXPECT_EQ(routeText(tree, "1", "7"), "link_from_1_31_1_UP link_from_31_26_19_UP "
                                       "link_from_30_26_23_DOWN link_from_7_30_7_DOWN");
}

TEST(FatTree, ThreeLevels) {
  Platform tree = cluster("FAT_TREE", "3;4,3,2;1,2,3;1,2,1", 24);
  EXPECT_EQ(routeText(tree, "0", "23"),
            "link_from_0_47_0_UP link_from_47_40_27_UP link_from_40_32_53_UP "
            "link_from_38_32_59_DOWN link_from_42_38_46_DOWN link_from_23_42_23_DOWN");
  // The scan for the cable goes on where the last one ended: source 1 takes cable 0 here.
  EXPECT_EQ(routeText(tree, "1", "23"),
            "link_from_1_47_1_UP link_from_47_40_27_UP link_from_40_32_53_UP "
            "link_from_38_32_59_DOWN link_from_42_38_46_DOWN link_from_23_42_23_DOWN");
  EXPECT_EQ(routeText(tree, "1", "12"),
            "link_from_1_47_1_UP link_from_47_41_24_UP link_from_41_37_48_UP "
            "link_from_39_37_54_DOWN link_from_44_39_37_DOWN link_from_12_44_12_DOWN");
}

TEST(FatTree, EveryRouteIsConnectedAndTurnsAtTheLowestCommonLevel) {
  Platform tree = cluster("FAT_TREE", "3;4,3,2;1,2,3;1,2,1", 24);
  Route route;
  for (HostIndex from = 0; from < 24; ++from)
    for (HostIndex to = 0; to < 24; ++to) {
      tree.route(from, to, route);
      size_t height = from / 4 == to / 4 ? 1 : from / 12 == to / 12 ? 2 : 3;
      EXPECT_EQ(route.links.size(), 2 * height);
      uint32_t at = from;
      for (LinkIndex link : route.links)
        at = walk(tree.links()[link].name, at, "link_from_", "_");
      EXPECT_EQ(at, to);
    }
}

// Zahavi 2010: with D-mod-K and as many cables up as down, shift permutations do not collide on the
// way up.
TEST(FatTree, ShiftPermutationsUseACableUpOnce) {
  Platform tree = cluster("FAT_TREE", "3;4,4,4;1,4,4;1,1,1", 64);
  Route route;
  for (uint32_t shift = 1; shift < 64; ++shift) {
    std::map<LinkIndex, int> used;
    for (HostIndex from = 0; from < 64; ++from) {
      tree.route(from, (from + shift) % 64, route);
      for (LinkIndex link : route.links)
        if (tree.links()[link].name.str().ends_with("_UP"))
          EXPECT_EQ(++used[link], 1) << "shift " << shift;
    }
  }
}

TEST(FatTree, LimitersOfHostsAndSwitches) {
  Platform tree = cluster("FAT_TREE", "2;2,2;1,1;1,1", 4, "limiter_link='2GBps'");
  EXPECT_EQ(routeText(tree, "0", "3"),
            "c_link_0_limiter link_from_0_7_0_UP c_link_7_limiter link_from_7_5_4_UP "
            "link_from_6_5_5_DOWN c_link_5_limiter link_from_3_6_3_DOWN c_link_6_limiter "
            "c_link_3_limiter");
}

TEST(Dragonfly, OneChassis) {
  Platform chassis = cluster("DRAGONFLY", "1,1;1,1;4,1;2", 8);
  EXPECT_EQ(routeText(chassis, "0", "1"), "local_link_from_router_0_to_node_0_0_UP "
                                          "local_link_from_router_0_to_node_1_1_DOWN");
  EXPECT_EQ(routeText(chassis, "7", "2"), "local_link_from_router_3_to_node_1_7_UP "
                                          "green_link_in_chassis_0_between_routers_1_and_3_12_DOWN "
                                          "local_link_from_router_1_to_node_0_2_DOWN");
}

TEST(Dragonfly, TwoGroups) {
  Platform groups = cluster("DRAGONFLY", "2,1;3,2;2,2;3", 36);
  EXPECT_EQ(routeText(groups, "0", "35"),
            "local_link_from_router_0_to_node_0_0_UP "
            "green_link_in_chassis_0_between_routers_0_and_1_36_UP "
            "blue_link_between_group_0_and_1_routers_1_and_6_54_UP "
            "green_link_in_chassis_0_between_routers_0_and_1_39_UP "
            "black_link_in_group_1_between_chassis_0_and_2_blade_1_51_UP "
            "local_link_from_router_11_to_node_2_35_DOWN");
  EXPECT_EQ(routeText(groups, "35", "0"),
            "local_link_from_router_11_to_node_2_35_UP "
            "green_link_in_chassis_2_between_routers_0_and_1_41_DOWN "
            "black_link_in_group_1_between_chassis_0_and_2_blade_0_50_DOWN "
            "blue_link_between_group_0_and_1_routers_1_and_6_54_DOWN "
            "green_link_in_chassis_0_between_routers_0_and_1_36_DOWN "
            "local_link_from_router_0_to_node_0_0_DOWN");
}

TEST(Dragonfly, AfterAGreenStepTheRouteGoesOnFromTheFirstChassis) {
  Platform groups = cluster("DRAGONFLY", "2,1;3,2;2,2;3", 36);
  EXPECT_EQ(routeText(groups, "6", "9"),
            "local_link_from_router_2_to_node_0_6_UP "
            "green_link_in_chassis_1_between_routers_0_and_1_37_UP "
            "black_link_in_group_0_between_chassis_0_and_1_blade_1_43_UP "
            "local_link_from_router_3_to_node_0_9_DOWN");
  EXPECT_EQ(routeText(groups, "6", "3"), "local_link_from_router_2_to_node_0_6_UP "
                                         "green_link_in_chassis_1_between_routers_0_and_1_37_UP "
                                         "local_link_from_router_1_to_node_0_3_DOWN");
}

TEST(Dragonfly, CablesOfSeveralTimesTheBandwidth) {
  Platform groups = cluster("DRAGONFLY", "3,4;4,3;5,2;2", 120);
  std::map<std::string, double> bandwidths;
  std::map<std::string, int> counts;
  for (const Link &link : groups.links()) {
    const std::string name = link.name;
    std::string kind = name.substr(0, name.find('_'));
    EXPECT_TRUE(bandwidths.try_emplace(kind, link.bandwidth).first->second == link.bandwidth);
    ++counts[kind];
  }
  EXPECT_EQ(bandwidths, (std::map<std::string, double>{
                            {"local", 1e9}, {"green", 2e9}, {"black", 3e9}, {"blue", 4e9}}));
  EXPECT_EQ(
      counts,
      (std::map<std::string, int>{
          {"local", 2 * 120}, {"green", 2 * 12 * 10}, {"black", 2 * 3 * 6 * 5}, {"blue", 2 * 3}}));
}

TEST(Dragonfly, LimitersOfHostsAndRouters) {
  Platform groups = cluster("DRAGONFLY", "2,1;1,1;2,1;1", 4, "limiter_link='2GBps'");
  EXPECT_EQ(routeText(groups, "1", "3"),
            "c_link_1_limiter local_link_from_router_1_to_node_0_1_UP "
            "blue_link_between_group_0_and_1_routers_1_and_2_6_UP c_link_6_limiter "
            "c_link_5_limiter green_link_in_chassis_0_between_routers_0_and_1_5_UP "
            "c_link_4_limiter local_link_from_router_3_to_node_0_3_DOWN c_link_3_limiter");
}

TEST(Dragonfly, LimitersOfEveryRouterThatIsPassed) {
  // routers 2, 3, 1 by green, black and blue; 4, 5, 7; a router is counted when it is left
  Platform groups = cluster("DRAGONFLY", "2,1;2,1;2,1;1", 8, "limiter_link='2GBps'");
  EXPECT_EQ(routeText(groups, "2", "7"),
            "c_link_2_limiter local_link_from_router_2_to_node_0_2_UP c_link_13_limiter "
            "green_link_in_chassis_1_between_routers_0_and_1_9_UP c_link_12_limiter "
            "black_link_in_group_0_between_chassis_0_and_1_blade_1_13_DOWN "
            "blue_link_between_group_0_and_1_routers_1_and_4_16_UP c_link_14_limiter "
            "c_link_11_limiter green_link_in_chassis_0_between_routers_0_and_1_10_UP "
            "c_link_10_limiter black_link_in_group_1_between_chassis_0_and_1_blade_1_15_UP "
            "c_link_8_limiter local_link_from_router_7_to_node_0_7_DOWN c_link_7_limiter");
}

TEST(Topology, ClustersJoinThroughAHostThatIsTheirGateway) {
  Platform both = inPlatform(
      "<zone id='w' routing='Full'>"
      "<cluster id='a' prefix='a' suffix='' radical='0-3' speed='1Gf' bw='1GBps' "
      "lat='1us' topology='TORUS' topo_parameters='4'/>"
      "<cluster id='b' prefix='b' suffix='' radical='10-11,20-21' speed='1Gf' bw='1GBps' "
      "lat='1us' topology='FAT_TREE' topo_parameters='1;4;1;1'/>"
      "<link id='wan' bandwidth='1GBps' latency='1ms'/>"
      "<zoneRoute src='a' dst='b' gw_src='a1' gw_dst='b10'><link_ctn id='wan'/>"
      "</zoneRoute></zone>");
  EXPECT_EQ(routeText(both, "a0", "b21"),
            "a_link_from_0_to_1_UP wan link_from_0_7_0_UP link_from_3_7_3_DOWN");
  EXPECT_EQ(routeText(both, "b10", "a1"), "wan");
  EXPECT_NO_THROW(placeRanks(both, 8));
}

// Nothing is kept per pair: 65536 hosts load in a moment.
TEST(Topology, LargeNetworks) {
  Platform box = torus("64,32,32", 65536);
  EXPECT_EQ(box.links().size(), 2u * 3 * 65536);
  Route route;
  box.route(0, 65535, route);
  EXPECT_EQ(route.links.size(), 3u);
  Platform tree = cluster("FAT_TREE", "3;32,32,32;1,32,32;1,1,1", 32768);
  EXPECT_EQ(tree.links().size(), 2u * 3 * 32768);
  tree.route(0, 32767, route);
  EXPECT_EQ(route.links.size(), 6u);
}
